import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Knowledge } from "../../protocol/console/knowledge.ts";
import type { Website } from "../../protocol/console/websites.ts";
import { momentWithin } from "../format.ts";
import type { ConversationAvatar } from "../conversations/conversation-requests.ts";
import { errorText } from "../parts/error-text.ts";
import { icon, type IconName } from "../parts/icons.ts";
import { menu } from "../parts/menu.ts";
import { empty } from "../parts/states.ts";
import { linkTo } from "../router.ts";
import { texts } from "../texts/texts.ts";
import { avatarNames, KnowledgePart } from "./knowledge-part.ts";
import { deleteDocument, restoreDocument } from "./knowledge-requests.ts";

const icons: Readonly<Record<Knowledge["source"], IconName>> = {
  text: "keyboard",
  file: "file",
  website: "globe",
  taught: "ask",
};

/** The avatars that answer from a document, by the names that visitors and forms know. */
function usersOf({ used_by: users }: Knowledge, avatars: readonly ConversationAvatar[]): string {
  return avatarNames(users.map(({ id, name }) => avatars.find((avatar) => avatar.id === id) ?? { name }));
}

/** What stands below a document's title. */
function documentLine(
  known: Knowledge,
  website: Website | undefined,
  avatars: readonly ConversationAvatar[],
): string {
  const { documents } = texts.knowledge;
  if (known.problem !== null) return known.problem;
  const pages = website?.report.pages.filter((page) => page.left_out === null).length ?? 0;
  const schedules = { never: null, day: documents.everyNight, week: documents.everyWeek };
  const used = known.used_by.length === 0 ? documents.unused : documents.usedBy(usersOf(known, avatars));
  const parts = [
    pages > 0 ? documents.pages(pages) : null,
    known.answers === null ? documents.passages(known.passages) : documents.answers(known.answers),
    website ? schedules[website.every] : null,
    known.is_shared ? documents.shared : used,
    documents.changed(momentWithin(known.updated_at)),
  ];
  return parts.filter((part) => part !== null).join(", ");
}

/** The documents, with their states and a field to find one. */
class DocumentsList extends KnowledgePart {
  static override properties: PropertyDeclarations = {
    ...KnowledgePart.properties,
    documents: { attribute: false },
    websites: { attribute: false },
    query: { attribute: false },
    words: { state: true },
  };
  declare documents: readonly Knowledge[];
  declare websites: readonly Website[];
  /** The address's query, which links keep. */
  declare query: URLSearchParams;
  /** What titles must have. */
  declare words: string;

  constructor() {
    super();
    this.documents = [];
    this.websites = [];
    this.query = new URLSearchParams();
    this.words = "";
  }

  protected override render(): TemplateResult {
    const { documents } = texts.knowledge;
    if (this.documents.length === 0) return this.#empty();
    const words = this.words.trim().toLocaleLowerCase();
    const found = this.documents.filter(({ title }) => title.toLocaleLowerCase().includes(words));
    const passages = this.documents.reduce((sum, known) => sum + known.passages, 0);
    return html`<section class="sheet" aria-labelledby="documents-title">
      <header>
        <div>
          <h2 id="documents-title">${documents.title}</h2>
          <p class="num" role="status">${documents.count(this.documents.length, passages)}</p>
        </div>
        <div class="find">
          ${icon("search")}
          <input
            class="in"
            type="search"
            placeholder=${documents.find}
            aria-label=${documents.find}
            @input=${(event: Event) => {
              if (event.target instanceof HTMLInputElement) this.words = event.target.value;
            }}
          />
        </div>
      </header>
      ${found.length === 0 ? html`<p class="q2" role="status">${documents.noneFound}</p>` : nothing}
      <ul class="rows docs">
        ${repeat(
          found,
          ({ id }) => id,
          (known) => html`<li>${this.#document(known)}</li>`,
        )}
      </ul>
    </section>`;
  }

  #empty(): TemplateResult {
    const { documents } = texts.knowledge;
    const mayEdit = this.services.session.may("editor");
    const name = this.avatars.length === 1 ? (this.avatars[0]?.name ?? "") : documents.somebody;
    return empty({
      icon: "book",
      title: documents.none(name),
      text: mayEdit ? documents.noneText : documents.noneForViewer,
    });
  }

  #document(known: Knowledge): TemplateResult {
    const { documents } = texts.knowledge;
    const { id, title, source, state } = known;
    const website = this.websites.find((one) => one.id === id);
    const link = linkTo("/knowledge", { add: this.query.get("add") ?? undefined, document: id });
    const mayDelete = this.services.session.may("editor") && !known.is_shared;
    return html`<span class="docic">${icon(icons[source])}</span>
      <div class="t">
        <a class="b" href=${link}>${title}</a>
        <span>${documentLine(known, website, this.avatars)}</span>
      </div>
      <span class="sig ${state === "ready" ? "" : "bad"}"
        >${state === "ready" ? documents.ready : documents.failed}</span
      >
      ${
        mayDelete
          ? menu(documents.more(title), [
              { label: documents.open, icon: "eye", run: () => (location.hash = link) },
              {
                label: documents.delete,
                icon: "trash",
                isDangerous: true,
                run: () => void this.#delete(known),
              },
            ])
          : nothing
      }`;
  }

  async #delete({ id, title }: Knowledge): Promise<void> {
    const { api, toasts } = this.services;
    const attempt = async (act: () => Promise<unknown>, text: string): Promise<boolean> => {
      const done = await this.do(async () => {
        await act();
        return true;
      });
      if (done) toasts.show(text);
      else if (this.error !== null) toasts.show(errorText(this.error));
      this.onChanged();
      return done ?? false;
    };
    const { deleted, restored } = texts.knowledge.documents;
    if (!(await attempt(() => deleteDocument(api, id), deleted(title)))) return;
    const run = (): void => void attempt(() => restoreDocument(api, id), restored(title));
    toasts.show(deleted(title), { action: { label: texts.undo, run } });
  }
}

customElements.define("visavis-console-documents", DocumentsList);
