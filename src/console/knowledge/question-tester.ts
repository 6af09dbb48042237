import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { KnowledgeAnswer } from "../../protocol/console/knowledge.ts";
import { fieldError, formTexts, select } from "../parts/field.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { KnowledgePart } from "./knowledge-part.ts";
import { testQuestion } from "./knowledge-requests.ts";
import { markedPieces } from "./matching-words.ts";

type Passage = KnowledgeAnswer["passages"][number];

/** Shows which passages answer a question, and what an avatar without a language model would say. */
class QuestionTester extends KnowledgePart {
  static override properties: PropertyDeclarations = {
    ...KnowledgePart.properties,
    onTeach: { attribute: false },
    context: { state: true },
    asked: { state: true },
    found: { state: true },
  };
  /** Called with a question whose answer is to be written. */
  declare onTeach: (question: string) => void;
  /** UUID of the avatar; empty: all documents. */
  declare context: string;
  declare asked: string;
  declare found: KnowledgeAnswer | null;

  constructor() {
    super();
    this.onTeach = () => undefined;
    this.context = "";
    this.asked = "";
    this.found = null;
  }

  protected override render(): TemplateResult {
    const { test } = texts.knowledge;
    const error = this.faultOf("question");
    const avatar = this.avatars.find(({ id }) => id === this.#context);
    return html`<section class="sheet tester" aria-labelledby="tester-title">
      <header>
        <div>
          <h2 id="tester-title">${test.title}</h2>
          <p>${avatar ? test.lead(avatar.name) : test.leadAll}</p>
        </div>
      </header>
      <form class="stack t" role="search" @submit=${this.#ask}>
        ${this.avatars.length > 1 ? this.#choice() : nothing}
        <div class="with">
          <div class="find">
            ${icon("search")}
            <input
              class="in"
              id="tester-question"
              name="question"
              required
              maxlength="2000"
              autocomplete="off"
              placeholder=${test.hint}
              aria-label=${test.question}
              aria-invalid=${error ? "true" : "false"}
            />
          </div>
          <button class="btn" ?disabled=${this.isBusy}>${test.submit}</button>
        </div>
        ${fieldError("tester-question", error)}
      </form>
      <div aria-live="polite">${this.found === null ? nothing : this.#answer(this.found)}</div>
    </section>`;
  }

  /** With one avatar there is nothing to choose. */
  get #context(): string {
    return this.avatars.length === 1 ? (this.avatars[0]?.id ?? "") : this.context;
  }

  #choice(): TemplateResult {
    const { test } = texts.knowledge;
    return select({
      label: test.avatar,
      value: this.context,
      choices: [
        { value: "", label: test.all },
        ...this.avatars.map(({ id, name }) => ({ value: id, label: name })),
      ],
      onChange: (value) => (this.context = value),
    });
  }

  #answer({ answer, passages }: KnowledgeAnswer): TemplateResult {
    const { test } = texts.knowledge;
    return html`<p class="say-q">${this.asked}</p>
      <p class="say-a">${answer ?? test.nothing}</p>
      ${
        passages.length === 0
          ? nothing
          : html`<h3 class="s q2">${answer === null ? test.near : test.from}</h3>
              ${passages.map((passage) => this.#passage(passage))}`
      }
      ${
        this.services.session.may("editor")
          ? html`<p class="s">
              ${test.notRight}
              <button class="lk" @click=${() => this.onTeach(this.asked)}>${test.teach}</button>
            </p>`
          : nothing
      }`;
  }

  #passage({ document: source, heading, text, fit, used }: Passage): TemplateResult {
    const { test } = texts.knowledge;
    const fits = fit === "well" ? test.well : test.little;
    return html`<div class="pass">
      <p class="row sp s">
        <b>${heading === "" ? (source?.title ?? test.instructions) : heading}</b
        ><span class="nowrap">${used ? fits : test.unused(fits)}</span>
      </p>
      <p class="s q2">
        ${markedPieces(text, this.asked).map((piece) =>
          piece.isMatch ? html`<mark>${piece.text}</mark>` : piece.text,
        )}
      </p>
      ${heading === "" || source === null ? nothing : html`<p class="xs q3">${source.title}</p>`}
    </div>`;
  }

  readonly #ask = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const question = (formTexts(event.target)["question"] ?? "").trim();
    const context = this.#context || undefined;
    const found = await this.do(() => testQuestion(this.services.api, question, context));
    if (found === undefined) return;
    this.asked = question;
    this.found = found;
  };
}

customElements.define("visavis-console-question-tester", QuestionTester);
