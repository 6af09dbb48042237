import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { KnowledgeDetail } from "../../protocol/console/knowledge.ts";
import { Loaded } from "../api/loaded.ts";
import { modal, question } from "../parts/dialog.ts";
import { icon } from "../parts/icons.ts";
import { describedBy, field, formTexts, textField } from "../parts/field.ts";
import { whenLoaded } from "../parts/states.ts";
import { texts } from "../texts/texts.ts";
import { avatarChoice, KnowledgePart } from "./knowledge-part.ts";
import { changeDocument, loadDocument } from "./knowledge-requests.ts";

const maxTitle = 200;
const maxText = 1_000_000;

/** A document at the side of the page: read, or changed. What was changed is not lost without a question. */
class DocumentSheet extends KnowledgePart {
  static override properties: PropertyDeclarations = {
    ...KnowledgePart.properties,
    document: { attribute: false },
    onClose: { attribute: false },
    chosen: { state: true },
    isLeaving: { state: true },
  };
  /** The id of the document. */
  declare document: string;
  declare onClose: () => void;
  /** Null: the avatars that use it now. */
  declare chosen: string[] | null;
  /** Whether somebody is asked about changes that are not saved. */
  declare isLeaving: boolean;
  readonly #loaded = new Loaded<KnowledgeDetail>(this, (signal) =>
    loadDocument(this.services.api, this.document, signal),
  );

  constructor() {
    super();
    this.document = "";
    this.onClose = () => undefined;
    this.chosen = null;
    this.isLeaving = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#loaded.load();
  }

  protected override render(): TemplateResult {
    const { document: words } = texts.knowledge;
    const known = this.#loaded.value;
    const mayEdit = known !== undefined && !known.is_shared && this.services.session.may("editor");
    const content = whenLoaded(this.#loaded, (value) => (mayEdit ? this.#form(value) : this.#text(value)));
    return html`${modal({
      title: mayEdit ? words.edit : words.show,
      content: html`<div class="doc-sheet">
        ${content}${known === undefined ? this.#closeButton() : nothing}
      </div>`,
      onClose: () => this.#close(),
      isSide: true,
    })}${this.isLeaving ? this.#ask() : nothing}`;
  }

  #closeButton(): TemplateResult {
    return html`<div class="acts">
      <button class="btn" @click=${() => this.#close()}>${texts.knowledge.document.close}</button>
    </div>`;
  }

  #text({ title, text }: KnowledgeDetail): TemplateResult {
    return html`<h3>${title}</h3>
      <p class="plain">${text}</p>
      ${this.#closeButton()}`;
  }

  #form(known: KnowledgeDetail): TemplateResult {
    const { document: words, add } = texts.knowledge;
    const isWebsite = known.source === "website";
    const fault = this.error?.code === "conflict" ? undefined : this.faultOf("text");
    const help = isWebsite ? words.fromWebsite : undefined;
    return html`<form class="stack t" @submit=${this.#submit}>
      ${this.#conflict()}
      ${textField({
        id: "document-title",
        name: "title",
        label: add.title,
        value: known.title,
        required: true,
        maxLength: maxTitle,
        error: this.error?.fields["title"],
      })}
      ${field({
        id: "document-text",
        label: add.text,
        help,
        error: fault,
        control: html`<textarea
          class="in tall"
          id="document-text"
          name="text"
          required
          maxlength=${maxText}
          ?readonly=${isWebsite}
          .value=${known.text}
          aria-invalid=${fault ? "true" : "false"}
          aria-describedby=${describedBy({ id: "document-text", help, error: fault })}
        ></textarea>`,
      })}
      ${avatarChoice({
        avatars: this.avatars,
        chosen: this.#contexts,
        onChange: (chosen) => (this.chosen = chosen),
      })}
      <div class="acts">
        <button type="button" class="btn" @click=${() => this.#close()}>${words.close}</button>
        <button class="btn pri" ?disabled=${this.isBusy}>${words.save}</button>
      </div>
    </form>`;
  }

  get #contexts(): string[] {
    return this.chosen ?? this.#loaded.value?.used_by.map(({ id }) => id) ?? [];
  }

  /** Somebody else has saved meanwhile: theirs can be looked at, or replaced. */
  #conflict(): TemplateResult | typeof nothing {
    if (this.error?.code !== "conflict") return nothing;
    const { document: words } = texts.knowledge;
    return html`<div class="note bad" role="alert">
      ${icon("alert")}<span>${words.conflict}</span>
      <button type="button" class="btn sm" @click=${() => void this.#showTheirs()}>${words.theirs}</button>
      <button type="button" class="btn sm" @click=${() => void this.#save(true)}>${words.mine}</button>
    </div>`;
  }

  async #showTheirs(): Promise<void> {
    this.error = null;
    this.chosen = null;
    await this.#loaded.load();
    this.querySelector("form")?.reset();
  }

  readonly #submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void this.#save(false);
  };

  async #save(replacesOthers: boolean): Promise<void> {
    const known = this.#loaded.value;
    const form = this.querySelector("form");
    if (known === undefined || form === null) return;
    const { title = "", text = "" } = formTexts(form);
    const changed = {
      title: title.trim(),
      contexts: this.#contexts,
      ...(this.#isTextChanged(text, known) && { text }),
      ...(!replacesOthers && { updated_at: known.updated_at }),
    };
    const saved = await this.do(() => changeDocument(this.services.api, known.id, changed));
    if (saved === undefined) return;
    this.services.toasts.show(texts.knowledge.document.saved);
    this.onChanged();
    this.onClose();
  }

  /** Browsers give back a text area's line breaks in one form. */
  #isTextChanged(text: string, known: KnowledgeDetail): boolean {
    const plain = (one: string): string => one.replace(/\r\n?/g, "\n");
    return known.source !== "website" && plain(text) !== plain(known.text);
  }

  get #isChanged(): boolean {
    const known = this.#loaded.value;
    const form = this.querySelector("form");
    if (known === undefined || form === null) return false;
    const { title = "", text = "" } = formTexts(form);
    return title !== known.title || this.chosen !== null || this.#isTextChanged(text, known);
  }

  #close(): void {
    if (this.#isChanged) this.isLeaving = true;
    else this.onClose();
  }

  #ask(): TemplateResult {
    const { document: words } = texts.knowledge;
    return question({
      title: words.leave,
      text: words.leaveText,
      yes: words.leaveYes,
      no: words.stay,
      onYes: () => this.onClose(),
      onNo: () => (this.isLeaving = false),
    });
  }
}

customElements.define("visavis-console-document", DocumentSheet);
