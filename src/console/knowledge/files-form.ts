import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { avatarChoice, KnowledgePart } from "./knowledge-part.ts";
import { FileList, type ListedFile, secondsLeft, uploadFile } from "./file-list.ts";

const accepted = ".pdf,.docx,.txt,.text,.md,.markdown,.html,.htm";

/** Adds files: dropped, or chosen. Each shows how far it is, and why it cannot be read. */
class FilesForm extends KnowledgePart {
  static override properties: PropertyDeclarations = {
    ...KnowledgePart.properties,
    chosen: { state: true },
    isOver: { state: true },
  };
  /** Null: those that the page prefers. */
  declare chosen: string[] | null;
  /** Whether files are held over the place to drop them. */
  declare isOver: boolean;
  readonly #list = new FileList({
    send: (file, signal, onSent) =>
      uploadFile(this.services, { file, signal, onSent, contexts: this.#contexts }),
    onChange: () => this.requestUpdate(),
    nowMs: () => performance.now(),
  });

  constructor() {
    super();
    this.chosen = null;
    this.isOver = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#list.cancelAll();
  }

  get #contexts(): string[] {
    return this.receivers(this.chosen);
  }

  protected override render(): TemplateResult {
    const { files } = texts.knowledge;
    return html`<div class="stack t">
      <div
        class="drop ${this.isOver ? "over" : ""}"
        @dragover=${this.#over}
        @dragleave=${() => (this.isOver = false)}
        @drop=${this.#drop}
      >
        ${icon("upload", 22)}
        <p>
          <b>${files.drop}</b>
          <label class="lk" for="choose-files">${files.choose}</label>
        </p>
        <p class="s q2" id="file-kinds">${files.kinds}</p>
        <input
          class="choose"
          id="choose-files"
          type="file"
          multiple
          accept=${accepted}
          aria-describedby="file-kinds"
          @change=${this.#choose}
        />
      </div>
      ${avatarChoice({
        avatars: this.avatars,
        chosen: this.#contexts,
        onChange: (chosen) => (this.chosen = chosen),
      })}
      ${this.#files()}
    </div>`;
  }

  #files(): TemplateResult | typeof nothing {
    if (this.#list.files.length === 0) return nothing;
    return html`<ul class="rows" aria-label=${texts.knowledge.files.list}>
      ${repeat(
        this.#list.files,
        ({ id }) => id,
        (file) => html`<li>${this.#file(file)}</li>`,
      )}
    </ul>`;
  }

  #file({ id, name, state }: ListedFile): TemplateResult {
    const { files } = texts.knowledge;
    const isOver = state.status === "done" || state.status === "failed";
    return html`<span class="docic">${icon("file")}</span>
      <div class="t"><b>${name}</b>${this.#detail(state)}</div>
      <button
        class="icb"
        aria-label=${isOver ? files.remove(name) : files.cancel(name)}
        @click=${() => this.#list.remove(id)}
      >
        ${icon("close")}
      </button>`;
  }

  #detail(state: ListedFile["state"]): TemplateResult {
    const { files } = texts.knowledge;
    switch (state.status) {
      case "waiting":
        return html`<span>${files.waiting}</span>`;
      case "sending": {
        const percent = Math.floor(state.share * 100);
        const left = secondsLeft(state.share, state.startedAtMs, performance.now());
        return html`<span class="num">${files.sending(percent, left)}</span>
          <span class="bar" aria-hidden="true"><i .style=${`--v: ${percent}`}></i></span>`;
      }
      case "reading":
        return html`<span role="status">${files.reading}</span>`;
      case "done":
        return html`<span role="status">${files.done(state.passages)}</span>`;
      case "failed":
        return html`<span class="why" role="alert">${state.problem}</span>`;
    }
  }

  readonly #over = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.isOver = true;
  };

  readonly #drop = (event: DragEvent): void => {
    event.preventDefault();
    this.isOver = false;
    void this.#add([...(event.dataTransfer?.files ?? [])]);
  };

  readonly #choose = (event: Event): void => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const files = [...(event.target.files ?? [])];
    event.target.value = "";
    void this.#add(files);
  };

  async #add(files: File[]): Promise<void> {
    if (files.length === 0) return;
    await this.#list.add(files);
    this.onChanged();
  }
}

customElements.define("visavis-console-knowledge-files", FilesForm);
