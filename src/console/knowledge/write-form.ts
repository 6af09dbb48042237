import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { describedBy, field, formTexts, textField } from "../parts/field.ts";
import { texts } from "../texts/texts.ts";
import { avatarChoice } from "./avatar-choice.ts";
import { KnowledgePart } from "./knowledge-part.ts";
import { addDocument } from "./knowledge-requests.ts";

const maxTitle = 200;
const maxText = 1_000_000;

/** Adds a text that somebody writes or pastes. A failed attempt keeps what was typed. */
class WriteForm extends KnowledgePart {
  static override properties: PropertyDeclarations = {
    ...KnowledgePart.properties,
    suggestedTitle: { attribute: false },
    chosen: { state: true },
  };
  /** What the title begins with. */
  declare suggestedTitle: string;
  /** Null: all avatars. */
  declare chosen: string[] | null;

  constructor() {
    super();
    this.suggestedTitle = "";
    this.chosen = null;
  }

  protected override render(): TemplateResult {
    const { add } = texts.knowledge;
    const fault = this.faultOf("text");
    return html`<form class="stack t" @submit=${this.#submit}>
      ${textField({
        id: "write-title",
        name: "title",
        label: add.title,
        value: this.suggestedTitle,
        required: true,
        maxLength: maxTitle,
        help: add.titleHint,
        error: this.error?.fields["title"],
      })}
      ${field({
        id: "write-text",
        label: add.text,
        help: add.textHint,
        error: fault,
        control: html`<textarea
          class="in tall"
          id="write-text"
          name="text"
          rows="6"
          required
          maxlength=${maxText}
          aria-invalid=${fault ? "true" : "false"}
          aria-describedby=${describedBy({ id: "write-text", help: add.textHint, error: fault })}
        ></textarea>`,
      })}
      ${avatarChoice({
        avatars: this.avatars,
        chosen: this.#contexts,
        onChange: (chosen) => (this.chosen = chosen),
      })}
      <button class="btn pri start" ?disabled=${this.isBusy}>${add.submit}</button>
    </form>`;
  }

  get #contexts(): string[] {
    return this.chosen ?? this.avatars.map(({ id }) => id);
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const { title = "", text = "" } = formTexts(form);
    const written = { title: title.trim(), text, contexts: this.#contexts };
    const added = await this.do(() => addDocument(this.services.api, written));
    if (added === undefined) return;
    form.reset();
    this.suggestedTitle = "";
    this.services.toasts.show(texts.knowledge.add.added(added.title));
    this.onChanged();
  };
}

customElements.define("visavis-console-write-knowledge", WriteForm);
