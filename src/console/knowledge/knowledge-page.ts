import { html, type LitElement, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import type { Avatar } from "../../protocol/console/avatar-list.ts";
import { loadAvatarList } from "../avatars/avatar-list-request.ts";
import { Loaded } from "../api/loaded.ts";
import { loadConversationAvatars, type ConversationAvatar } from "../conversations/conversation-requests.ts";
import { ConsolePage } from "../page.ts";
import { pageHead } from "../parts/page-head.ts";
import { trouble, whenLoaded } from "../parts/states.ts";
import { texts } from "../texts/texts.ts";
import { addingWays, type AddingWay } from "./add-knowledge.ts";
import "./document-sheet.ts";
import "./documents-list.ts";
import { loadKnowledge, type KnownDocuments } from "./knowledge-requests.ts";
import "./knowledge.css";
import "./question-tester.ts";
import { isUnderWay } from "./website-progress.ts";

const path = "/knowledge";

/** How often the page looks how far a website is, in ms. */
const lookMs = 1_000;

/** What avatars may say: documents, files, websites, and a tester. */
export class KnowledgePage extends ConsolePage {
  static override properties: PropertyDeclarations = {
    ...ConsolePage.properties,
    suggestedTitle: { state: true },
  };
  /** What the title of a written text begins with. */
  declare suggestedTitle: string;
  readonly #avatars = new Loaded<ConversationAvatar[]>(this, (signal) =>
    loadConversationAvatars(this.services.api, signal),
  );
  readonly #list = new Loaded<Avatar[]>(this, (signal) => loadAvatarList(this.services.api, signal));
  readonly #known = new Loaded<KnownDocuments>(this, (signal) => loadKnowledge(this.services.api, signal));
  /** Whether the text's field takes the focus when it is shown. */
  #focusesText = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.suggestedTitle = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.suggestedTitle = this.query.get("title") ?? "";
    void this.#avatars.load();
    void this.#list.load();
    void this.#known.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  protected override updated(): void {
    this.#focusText();
    this.#lookAgain();
  }

  #focusText(): void {
    if (!this.#focusesText || this.#way !== "write") return;
    this.#focusesText = false;
    const part = this.querySelector<LitElement>("visavis-console-add-knowledge");
    // Its tab is shown when it has updated too.
    void part?.updateComplete.then(() => part.querySelector<HTMLElement>("#write-text")?.focus());
  }

  /** Looks again while a website is being read. */
  #lookAgain(): void {
    const { value, isLoading } = this.#known;
    if (isLoading || this.#timer !== undefined || !value?.websites.some(isUnderWay)) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#known.load();
    }, lookMs);
  }

  protected override render(): TemplateResult {
    return html`${pageHead({ title: texts.knowledge.title, lead: texts.knowledge.lead })}${trouble(this.#avatars)}
      <div class="grid g75 knowledge">
        <div class="stack">
          ${this.services.session.may("editor") ? this.#add() : this.#websites()}
          ${whenLoaded(this.#known, (known) => this.#documents(known))}
        </div>
        <visavis-console-question-tester
          .services=${this.services}
          .avatars=${this.#avatars.value ?? []}
          .onTeach=${this.#teach}
        ></visavis-console-question-tester>
      </div>
      ${this.#opened()}`;
  }

  #add(): TemplateResult {
    return html`<visavis-console-add-knowledge
      .services=${this.services}
      .avatars=${this.#avatars.value ?? []}
      .preferred=${this.#preferred}
      .websites=${this.#known.value?.websites ?? []}
      .way=${this.#way}
      .suggestedTitle=${this.suggestedTitle}
      .onWay=${this.#show}
      .onChanged=${this.#reload}
    ></visavis-console-add-knowledge>`;
  }

  /** The websites, for those who may not add any: editors see them where they add one. */
  #websites(): TemplateResult | typeof nothing {
    const websites = this.#known.value?.websites ?? [];
    if (websites.length === 0) return nothing;
    return html`<section class="sheet" aria-labelledby="websites-title">
      <h2 id="websites-title">${texts.knowledge.website.list}</h2>
      <visavis-console-websites .services=${this.services} .websites=${websites}></visavis-console-websites>
    </section>`;
  }

  #documents({ documents, websites }: KnownDocuments): TemplateResult {
    return html`<visavis-console-documents
      .services=${this.services}
      .avatars=${this.#avatars.value ?? []}
      .documents=${documents}
      .websites=${websites}
      .query=${this.query}
      .onChanged=${this.#reload}
    ></visavis-console-documents>`;
  }

  #opened(): TemplateResult | typeof nothing {
    const id = this.query.get("document");
    if (id === null) return nothing;
    return html`${keyed(
      id,
      html`<visavis-console-document
        .services=${this.services}
        .avatars=${this.#avatars.value ?? []}
        .document=${id}
        .onChanged=${this.#reload}
        .onClose=${() => this.services.router.replace(path, { ...this.#kept, add: this.query.get("add") ?? undefined })}
      ></visavis-console-document>`,
    )}`;
  }

  /** Who gets what is added: the avatar that somebody comes from, else the owner's own ones, else all. */
  get #preferred(): string[] | null {
    const avatars = this.#list.value ?? [];
    const from = avatars.filter(({ id }) => id === this.query.get("avatar"));
    const own = avatars.filter((avatar) => !avatar.is_demo);
    const found = from.length > 0 ? from : own;
    return found.length > 0 ? found.map(({ id }) => id) : null;
  }

  /** What stays in the address. */
  get #kept(): Record<string, string | undefined> {
    return { avatar: this.query.get("avatar") ?? undefined };
  }

  get #way(): AddingWay {
    const wanted = this.query.get("add");
    return addingWays.find((way) => way === wanted) ?? "website";
  }

  readonly #reload = (): void => void this.#known.load();

  readonly #show = (way: AddingWay): void => this.services.router.replace(path, { ...this.#kept, add: way });

  readonly #teach = (question: string): void => {
    this.suggestedTitle = question;
    this.#focusesText = true;
    this.requestUpdate();
    this.#show("write");
  };
}

customElements.define("visavis-console-knowledge", KnowledgePage);
