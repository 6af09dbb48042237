import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { CheckedSuggestions } from "../../protocol/console/knowledge.ts";
import { Loaded } from "../api/loaded.ts";
import { checkSuggestions } from "../knowledge/knowledge-requests.ts";
import { fieldError } from "../parts/field.ts";
import { icon } from "../parts/icons.ts";
import { trouble } from "../parts/states.ts";
import { texts } from "../texts/texts.ts";
import { type EditorView, faultText, fieldId, setTexts, textAt, textsAt } from "./editor-view.ts";
import { linkIfThere, wordsOf } from "./fields/field-views.ts";

const path = "embed_config.ui.suggestions";
const most = 6;

function addTo(view: EditorView, text: string): void {
  const all = textsAt(view, path);
  if (text !== "" && !all.includes(text)) setTexts(view, path, [...all, text]);
}

/** The documents that the avatar answers from, as the form has them. */
const documentsOf = (view: EditorView): string[] =>
  [textAt(view, "embed_config.document"), ...textsAt(view, "embed_config.documents")].filter(Boolean);

/** Whether it answers by quoting its documents: a language model may know more than they say. */
function quotesOnly(view: EditorView): boolean {
  const chosen = textAt(view, "embed_config.llm_type");
  const row = view.resources.llm_types.find(({ name }) => name === chosen);
  return chosen === "" || row?.service === "visavis";
}

/** Says which suggestions the knowledge does not answer, and offers others that it does. */
class KnownSuggestions extends LitElement {
  static override properties: PropertyDeclarations = { view: { attribute: false } };
  declare view: EditorView;
  #asked = "";
  readonly #checked = new Loaded<CheckedSuggestions>(this, (signal) => {
    const { view } = this;
    const chosen = textsAt(view, path).slice(0, most);
    const asked = { context: view.state.saved.id, documents: documentsOf(view), texts: chosen };
    return checkSuggestions(view.services.api, asked, signal);
  });

  protected override createRenderRoot(): this {
    return this;
  }

  protected override willUpdate(): void {
    const asked = JSON.stringify([
      this.view.state.saved.id,
      documentsOf(this.view),
      textsAt(this.view, path),
    ]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    void this.#checked.load();
  }

  protected override render(): TemplateResult {
    const { view } = this;
    const all = textsAt(view, path);
    const { unanswered = [], found = [] } = this.#checked.value ?? {};
    const missing = quotesOnly(view) ? unanswered.filter((text) => all.includes(text)) : [];
    const more = all.length < most ? found.filter((text) => !all.includes(text)) : [];
    return html`<div>
      ${trouble(this.#checked)}
      <div aria-live="polite">${missing.map((text) => this.#missing(text))}</div>
      ${more.length > 0 ? this.#more(more) : nothing}
    </div>`;
  }

  #missing(text: string): TemplateResult {
    const { mind } = texts.editor;
    const query = { avatar: this.view.state.saved.id, add: "write", title: text };
    return html`<p class="help row">
      ${icon("alert", 16)}<span
        >${mind.unanswered(text)} ${linkIfThere(this.view, "/knowledge", mind.teach, query)}</span
      >
    </p>`;
  }

  #more(found: readonly string[]): TemplateResult {
    const { mind } = texts.editor;
    return html`<p class="help">${mind.fromKnowledge}</p>
      <div class="chips" role="group" aria-label=${mind.fromKnowledge}>
        ${found.map(
          (text) =>
            html`<button
              class="btn s"
              type="button"
              aria-label=${mind.addText(text)}
              @click=${() => addTo(this.view, text)}
            >
              ${icon("plus", 16)} ${text}
            </button>`,
        )}
      </div>`;
  }
}

customElements.define("visavis-console-known-suggestions", KnownSuggestions);

/** A suggestion, which a click removes. */
const chip = (text: string, remove: () => void): TemplateResult =>
  html`<button class="chipb" type="button" aria-label=${texts.editor.mind.remove(text)} @click=${remove}>
    ${text} ${icon("close", 16)}
  </button>`;

/** The suggestions as chips, with a field for another one, and what the knowledge says to them. */
export function suggestions(view: EditorView): TemplateResult {
  const { mind } = texts.editor;
  const { label, help } = wordsOf(path);
  const all = textsAt(view, path);
  const add = (form: HTMLElement): void => {
    const input = form.querySelector("input");
    const text = input?.value.trim() ?? "";
    if (!input || text === "" || all.includes(text)) return;
    addTo(view, text);
    input.value = "";
    input.focus();
  };
  const enter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.isComposing || !(event.currentTarget instanceof HTMLElement)) return;
    event.preventDefault();
    add(event.currentTarget);
  };
  const without = (text: string): void =>
    setTexts(
      view,
      path,
      all.filter((other) => other !== text),
    );
  return html`<div class="f">
    <label for=${fieldId(path)}>${label}</label>
    <div class="chips">${all.map((text) => chip(text, () => without(text)))}</div>
    <div class="with" @keydown=${enter}>
      <input
        class="in"
        id=${fieldId(path)}
        maxlength="200"
        placeholder=${mind.addSuggestion}
        autocomplete="off"
      />
      <button
        class="btn"
        type="button"
        ?disabled=${all.length >= most}
        @click=${({ currentTarget }: Event) => {
          const form = currentTarget instanceof HTMLElement ? currentTarget.parentElement : null;
          if (form) add(form);
        }}
      >
        ${mind.add}
      </button>
    </div>
    ${fieldError(fieldId(path), faultText(view, path))}
    <p class="help">${help}</p>
    <visavis-console-known-suggestions .view=${view}></visavis-console-known-suggestions>
  </div>`;
}
