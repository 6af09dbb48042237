import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import type { Conversation, ConversationDetail } from "../../protocol/console/conversations.ts";
import type { ListPage } from "../api/api-client.ts";
import { Loaded } from "../api/loaded.ts";
import { ConsolePage } from "../page.ts";
import { errorText } from "../parts/error-text.ts";
import { icon } from "../parts/icons.ts";
import { pageHead } from "../parts/page-head.ts";
import { skeleton, trouble, whenLoaded } from "../parts/states.ts";
import { linkTo } from "../router.ts";
import { texts } from "../texts/texts.ts";
import { conversationDetail } from "./conversation-detail.ts";
import { conversationList, filterBar, noConversations, retentionNote } from "./conversation-list.ts";
import {
  type ConversationAvatar,
  type ConversationFilters,
  deleteConversation,
  exportAddress,
  filterQuery,
  filtersOf,
  loadConversation,
  loadConversationAvatars,
  loadConversations,
  restoreConversation,
} from "./conversation-requests.ts";
import "./conversations.css";

const path = "/conversations";

/** The conversations with their filters, and one of them beside the list. */
export class ConversationsPage extends ConsolePage {
  static override properties: PropertyDeclarations = {
    ...ConsolePage.properties,
    showsTechnical: { state: true },
    isLoadingMore: { state: true },
  };
  declare showsTechnical: boolean;
  declare isLoadingMore: boolean;
  readonly #avatars = new Loaded<ConversationAvatar[]>(this, (signal) =>
    loadConversationAvatars(this.services.api, signal),
  );
  readonly #list = new Loaded<ListPage<Conversation>>(this, (signal) =>
    loadConversations(this.services.api, this.#filters, { signal }),
  );
  readonly #detail = new Loaded<ConversationDetail>(this, (signal) =>
    loadConversation(this.services.api, this.#open, signal),
  );
  #listed = "";
  #detailed = "";

  constructor() {
    super();
    this.showsTechnical = false;
    this.isLoadingMore = false;
  }

  get #filters(): ConversationFilters {
    return filtersOf(this.query);
  }

  /** The id of the conversation beside the list; empty: none. */
  get #open(): string {
    return this.params["session"] ?? "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#listed = "";
    this.#detailed = "";
    this.requestUpdate();
    void this.#avatars.load();
  }

  protected override willUpdate(_changed: PropertyValues): void {
    const listed = `?${this.query.toString()}`;
    if (listed !== this.#listed) {
      this.#listed = listed;
      this.#list.value = undefined;
      void this.#list.load();
    }
    if (this.#open === this.#detailed) return;
    this.#detailed = this.#open;
    this.#detail.value = undefined;
    this.#detail.error = null;
    if (this.#open !== "") void this.#detail.load();
  }

  protected override render(): TemplateResult {
    const isOpen = this.#open !== "";
    return html`<div class=${isOpen ? "opened" : ""}>
      ${pageHead({ title: texts.conversations.title, lead: this.#retention(), actions: this.#exports() })}
      ${filterBar({
        filters: this.#filters,
        avatars: this.#avatars.value ?? [],
        onChange: (change) => this.#narrow(change),
      })}${trouble(this.#avatars)}
      ${whenLoaded(
        this.#list,
        (page) =>
          page.items.length === 0 && page.next === null && !isOpen ? this.#none() : this.#split(page),
        () => skeleton(6),
      )}
    </div>`;
  }

  #retention(): TemplateResult | string {
    const { context } = this.#filters;
    const mayChange = this.services.session.may("editor");
    return this.#avatars.value ? retentionNote(this.#avatars.value, { context, mayChange }) : "";
  }

  #exports(): TemplateResult | typeof nothing {
    if ((this.#list.value?.items.length ?? 0) === 0) return nothing;
    return html`${(["csv", "json"] as const).map(
      (format) =>
        html`<a class="btn" href=${exportAddress(format, this.#filters)} download>
          ${icon("download")} ${texts.conversations.exportAs(format.toUpperCase())}
        </a>`,
    )}`;
  }

  #narrow(change: Partial<ConversationFilters>): void {
    this.services.router.replace(path, filterQuery({ ...this.#filters, ...change }));
  }

  #none(): TemplateResult {
    return noConversations(this.#filters, () => this.services.router.replace(path, { days: "0" }));
  }

  #split(page: ListPage<Conversation>): TemplateResult {
    const isOpen = this.#open !== "";
    return html`<div class="split ${isOpen ? "has-detail" : ""}">
      <nav class="sheet clist" aria-label=${texts.conversations.title}>
        ${conversationList({
          items: page.items,
          open: this.#open,
          avatarOf: this.#filters.context === "" ? (context) => this.#nameOf(context) : null,
          addressOf: (id) => linkTo(`${path}/${encodeURIComponent(id)}`, filterQuery(this.#filters)),
        })}${this.#more(page)}
      </nav>
      <article class="sheet conv" aria-live="off">
        ${
          isOpen
            ? whenLoaded(this.#detail, (conversation) => this.#conversation(conversation))
            : html`<div class="empty"><p>${texts.conversations.choose}</p></div>`
        }
      </article>
    </div>`;
  }

  #nameOf(context: string): string {
    const avatar = this.#avatars.value?.find(({ id }) => id === context);
    return avatar?.name ?? (this.#avatars.value ? texts.conversations.removedAvatar : "");
  }

  #more(page: ListPage<Conversation>): TemplateResult | typeof nothing {
    if (page.next === null) return nothing;
    return html`<div class="more">
      <button class="btn" ?disabled=${this.isLoadingMore} @click=${() => void this.#loadMore(page)}>
        ${this.isLoadingMore ? texts.states.loading : texts.states.loadMore}
      </button>
    </div>`;
  }

  async #loadMore(page: ListPage<Conversation>): Promise<void> {
    const listed = this.#listed;
    if (page.next === null) return;
    this.isLoadingMore = true;
    try {
      const next = await loadConversations(this.services.api, this.#filters, { cursor: page.next });
      // The filters may have changed meanwhile.
      if (listed === this.#listed) this.#list.set({ items: [...page.items, ...next.items], next: next.next });
    } catch (error) {
      this.services.toasts.show(errorText(error));
    } finally {
      this.isLoadingMore = false;
    }
  }

  #conversation(conversation: ConversationDetail): TemplateResult {
    return conversationDetail({
      conversation,
      avatarName: this.#nameOf(conversation.context),
      back: linkTo(path, filterQuery(this.#filters)),
      mayDelete: this.services.session.may("editor"),
      showsTechnical: this.showsTechnical,
      teach: (question) =>
        this.services.hasPage("/unanswered")
          ? linkTo("/unanswered", { question: question.slice(0, 200) })
          : null,
      onTechnical: (shows) => (this.showsTechnical = shows),
      onDelete: () => void this.#delete(conversation.session_id),
    });
  }

  async #delete(id: string): Promise<void> {
    const { api, toasts, router } = this.services;
    const undo = async (): Promise<void> => {
      try {
        await restoreConversation(api, id);
        toasts.show(texts.conversations.restored);
      } catch (error) {
        toasts.show(errorText(error));
      }
      void this.#list.load();
    };
    try {
      await deleteConversation(api, id);
      toasts.show(texts.conversations.deleted, { action: { label: texts.undo, run: () => void undo() } });
      router.replace(path, filterQuery(this.#filters));
      const page = this.#list.value;
      if (page) this.#list.set({ ...page, items: page.items.filter((item) => item.session_id !== id) });
    } catch (error) {
      toasts.show(errorText(error));
    }
  }
}

customElements.define("visavis-console-conversations", ConversationsPage);
