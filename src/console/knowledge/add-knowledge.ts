import { html, type PropertyDeclarations, type TemplateResult } from "lit";
import { type Website, websiteSchedules } from "../../protocol/console/websites.ts";
import { describedBy, field, fieldError, formTexts, select, textField } from "../parts/field.ts";
import { texts } from "../texts/texts.ts";
import { avatarChoice, KnowledgePart } from "./knowledge-part.ts";
import { addDocument, addWebsite } from "./knowledge-requests.ts";
import { pathFields, pathsOf } from "./website-paths.ts";
import { icon, type IconName } from "../parts/icons.ts";
import "./files-form.ts";
import "./website-view.ts";

/** Reads a website, by the address of a page or of a sitemap. */
class WebsiteForm extends KnowledgePart {
  static override properties: PropertyDeclarations = { ...KnowledgePart.properties, chosen: { state: true } };
  /** Null: those that the page prefers. */
  declare chosen: string[] | null;

  constructor() {
    super();
    this.chosen = null;
  }

  get #contexts(): string[] {
    return this.receivers(this.chosen);
  }

  protected override render(): TemplateResult {
    const { website } = texts.knowledge;
    const id = "website-address";
    const error = this.faultOf("address");
    return html`<form class="stack t" @submit=${this.#submit}>
      <div class="f">
        <label for=${id}>${website.address}</label>
        <div class="with">
          <input
            class="in"
            id=${id}
            name="address"
            inputmode="url"
            autocomplete="url"
            required
            maxlength="2000"
            placeholder=${website.addressHint}
            aria-invalid=${error ? "true" : "false"}
            aria-describedby=${describedBy({ id, help: website.help, error })}
          />
          <button class="btn pri" ?disabled=${this.isBusy}>${website.submit}</button>
        </div>
        ${fieldError(id, error)}
        <p class="help" id=${`${id}-help`}>${website.help}</p>
      </div>
      <div class="f">
        <label for="website-every">${website.every}</label>
        ${select({
          id: "website-every",
          name: "every",
          value: "week",
          choices: websiteSchedules.map((value) => ({ value, label: website.schedules[value] })),
        })}
      </div>
      <details>
        <summary>${website.paths}</summary>
        ${pathFields("website", { include: [], exclude: [] })}
      </details>
      ${avatarChoice({
        avatars: this.avatars,
        chosen: this.#contexts,
        onChange: (chosen) => (this.chosen = chosen),
      })}
    </form>`;
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target;
    if (!(form instanceof HTMLFormElement)) return;
    const { address = "", every = "never" } = formTexts(form);
    const wanted = { address: address.trim(), every, contexts: this.#contexts, ...pathsOf(form) };
    const added = await this.do(() => addWebsite(this.services.api, wanted));
    if (added === undefined) return;
    form.reset();
    this.onChanged();
  };
}

customElements.define("visavis-console-knowledge-website", WebsiteForm);

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
  /** Null: those that the page prefers. */
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
    return this.receivers(this.chosen);
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

/** Ways to add knowledge, as the page's address names them. */
export const addingWays = ["write", "files", "website"] as const;
export type AddingWay = (typeof addingWays)[number];

const icons: Readonly<Record<AddingWay, IconName>> = { write: "keyboard", files: "upload", website: "globe" };

/** The sheet that adds knowledge: three tabs (WAI-ARIA tabs pattern). What is typed in a tab stays while another one is shown. */
class AddKnowledge extends KnowledgePart {
  static override properties: PropertyDeclarations = {
    ...KnowledgePart.properties,
    way: { attribute: false },
    websites: { attribute: false },
    suggestedTitle: { attribute: false },
    onWay: { attribute: false },
  };
  declare way: AddingWay;
  declare websites: readonly Website[];
  /** What the title of a written text begins with. */
  declare suggestedTitle: string;
  declare onWay: (way: AddingWay) => void;

  constructor() {
    super();
    this.way = "website";
    this.websites = [];
    this.suggestedTitle = "";
    this.onWay = () => undefined;
  }

  protected override render(): TemplateResult {
    return html`<section class="sheet flush">
      <div class="add3" role="tablist" aria-label=${texts.knowledge.add.label} @keydown=${this.#key}>
        ${addingWays.map((way) => this.#tab(way))}
      </div>
      ${addingWays.map((way) => this.#panel(way))}
    </section>`;
  }

  #tab(way: AddingWay): TemplateResult {
    const isShown = way === this.way;
    return html`<button
      role="tab"
      id=${`add-${way}`}
      aria-controls=${`panel-${way}`}
      aria-selected=${isShown ? "true" : "false"}
      tabindex=${isShown ? "0" : "-1"}
      @click=${() => this.onWay(way)}
    >
      ${icon(icons[way])}<span>${texts.knowledge.add[way]}</span>
    </button>`;
  }

  #panel(way: AddingWay): TemplateResult {
    return html`<div
      role="tabpanel"
      class="panel"
      id=${`panel-${way}`}
      aria-labelledby=${`add-${way}`}
      ?hidden=${way !== this.way}
    >
      ${this.#content(way)}
    </div>`;
  }

  #content(way: AddingWay): TemplateResult {
    const { services, avatars, preferred, onChanged } = this;
    switch (way) {
      case "write":
        return html`<visavis-console-write-knowledge
          .services=${services}
          .avatars=${avatars}
          .preferred=${preferred}
          .onChanged=${onChanged}
          .suggestedTitle=${this.suggestedTitle}
        ></visavis-console-write-knowledge>`;
      case "files":
        return html`<visavis-console-knowledge-files
          .services=${services}
          .avatars=${avatars}
          .preferred=${preferred}
          .onChanged=${onChanged}
        ></visavis-console-knowledge-files>`;
      case "website":
        return html`<visavis-console-knowledge-website
            .services=${services}
            .avatars=${avatars}
            .preferred=${preferred}
            .onChanged=${onChanged}
          ></visavis-console-knowledge-website>
          <visavis-console-websites
            .services=${services}
            .websites=${this.websites}
            .onChanged=${onChanged}
          ></visavis-console-websites>`;
    }
  }

  readonly #key = (event: KeyboardEvent): void => {
    const index = addingWays.indexOf(this.way);
    const isRtl = getComputedStyle(this).direction === "rtl";
    const forward = isRtl ? "ArrowLeft" : "ArrowRight";
    const backward = isRtl ? "ArrowRight" : "ArrowLeft";
    const places: Readonly<Record<string, number>> = {
      [forward]: (index + 1) % addingWays.length,
      [backward]: index - 1,
      Home: 0,
      End: -1,
    };
    const place = places[event.key];
    const way = place === undefined ? undefined : addingWays.at(place);
    if (way === undefined) return;
    event.preventDefault();
    this.onWay(way);
    this.querySelector<HTMLElement>(`#add-${way}`)?.focus();
  };
}

customElements.define("visavis-console-add-knowledge", AddKnowledge);
