import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from "lit";
import { type InboxMessage, messageStates, type MessageState } from "../../protocol/console/inbox.ts";
import { messageDays } from "../../protocol/session/message-fields.ts";
import type { ListPage } from "../api/api-client.ts";
import { Loaded } from "../api/loaded.ts";
import { type ConversationAvatar, loadConversationAvatars } from "../conversations/conversation-requests.ts";
import "../conversations/conversations.css";
import { ConsolePage } from "../page.ts";
import { question } from "../parts/dialog.ts";
import { errorText } from "../parts/error-text.ts";
import { select } from "../parts/field.ts";
import { icon } from "../parts/icons.ts";
import { pageHead } from "../parts/page-head.ts";
import { empty, skeleton, whenLoaded } from "../parts/states.ts";
import { linkTo } from "../router.ts";
import { texts } from "../texts/texts.ts";
import "./inbox.css";
import {
  deleteMessage,
  exportAddress,
  filterQuery,
  filtersOf,
  type InboxFilters,
  loadMessage,
  loadMessages,
  setMessageState,
} from "./inbox-requests.ts";
import { inbox } from "./inbox-texts.ts";
import { messageDetail, messageList } from "./message-views.ts";

const path = "/inbox";

/** The messages that visitors have left, and one of them beside the list. */
export class InboxPage extends ConsolePage {
  static override properties: PropertyDeclarations = {
    ...ConsolePage.properties,
    isLoadingMore: { state: true },
    asksToDelete: { state: true },
  };
  declare isLoadingMore: boolean;
  declare asksToDelete: boolean;
  readonly #avatars = new Loaded<ConversationAvatar[]>(this, (signal) =>
    loadConversationAvatars(this.services.api, signal),
  );
  readonly #list = new Loaded<ListPage<InboxMessage>>(this, (signal) =>
    loadMessages(this.services.api, this.#filters, { signal }),
  );
  readonly #detail = new Loaded<InboxMessage>(this, (signal) =>
    loadMessage(this.services.api, this.#open, signal),
  );
  /** How many messages there are, is counted for the navigation. */
  #stopCounting = (): void => undefined;
  #listed = "";
  #detailed = "";

  constructor() {
    super();
    this.isLoadingMore = false;
    this.asksToDelete = false;
  }

  get #filters(): InboxFilters {
    return filtersOf(this.query);
  }

  /** The id of the message beside the list; empty: none. */
  get #open(): string {
    return this.params["message"] ?? "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#listed = "";
    this.#detailed = "";
    this.requestUpdate();
    void this.#avatars.load();
    this.#stopCounting = this.services.badges.listen(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopCounting();
  }

  get #new(): number {
    return this.services.badges.messages?.new ?? 0;
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
    this.asksToDelete = false;
    this.#detail.value = undefined;
    this.#detail.error = null;
    if (this.#open !== "") void this.#detail.load();
  }

  protected override render(): TemplateResult {
    const isOpen = this.#open !== "";
    const title = inbox.toAnswer(this.#new);
    return html`<div class=${isOpen ? "opened" : ""}>
      ${pageHead({ title, lead: inbox.kept(messageDays), actions: this.#export() })} ${this.#filterBar()}
      ${whenLoaded(
        this.#list,
        (page) => (page.items.length === 0 && !isOpen ? this.#none() : this.#split(page)),
        () => skeleton(6),
      )}
      ${this.asksToDelete ? this.#deleteQuestion() : nothing}
    </div>`;
  }

  #export(): TemplateResult | typeof nothing {
    if ((this.#list.value?.items.length ?? 0) === 0) return nothing;
    return html`<a class="btn" href=${exportAddress(this.#filters)} download>
      ${icon("download")} ${inbox.export}
    </a>`;
  }

  #filterBar(): TemplateResult {
    const { state, context } = this.#filters;
    const { avatar, allAvatars } = texts.conversations.filters;
    const label = (one: MessageState | "all"): string =>
      one === "new" ? inbox.newOf(this.#new) : inbox.states[one];
    const avatars = this.#avatars.value ?? [];
    return html`<div class="filters" role="group" aria-label=${inbox.filter}>
      ${[...messageStates, "all" as const].map(
        (one) =>
          html`<button
            class="chipb"
            aria-pressed=${one === state ? "true" : "false"}
            @click=${() => this.#narrow({ state: one })}
          >
            ${label(one)}
          </button>`,
      )}
      ${select({
        isPill: true,
        label: avatar,
        value: context,
        choices: [
          { value: "", label: allAvatars },
          ...avatars.map(({ id, name }) => ({ value: id, label: name })),
        ],
        onChange: (chosen) => this.#narrow({ context: chosen }),
      })}
    </div>`;
  }

  #narrow(change: Partial<InboxFilters>): void {
    this.services.router.replace(path, filterQuery({ ...this.#filters, ...change }));
  }

  #none(): TemplateResult {
    const { none } = inbox;
    const { messages } = this.services.badges;
    if (messages && Object.values(messages).every((count) => count === 0))
      return empty({ icon: "inbox", title: none.title, text: none.text });
    const showAll = (): void => this.#narrow({ state: "all", context: "" });
    const action = html`<button class="btn" @click=${showAll}>${none.all}</button>`;
    return empty({ icon: "inbox", title: none.here, text: none.hereText, action });
  }

  #split(page: ListPage<InboxMessage>): TemplateResult {
    const isOpen = this.#open !== "";
    return html`<div class="split ${isOpen ? "has-detail" : ""}">
      <nav class="sheet clist" aria-label=${inbox.title}>
        ${messageList({
          items: page.items,
          open: this.#open,
          addressOf: (id) => linkTo(`${path}/${encodeURIComponent(id)}`, filterQuery(this.#filters)),
        })}${this.#more(page)}
      </nav>
      <article class="sheet conv" aria-live="off">
        ${
          isOpen
            ? whenLoaded(this.#detail, (message) => this.#message(message))
            : html`<div class="empty"><p>${inbox.choose}</p></div>`
        }
      </article>
    </div>`;
  }

  #more(page: ListPage<InboxMessage>): TemplateResult | typeof nothing {
    if (page.next === null) return nothing;
    return html`<div class="more">
      <button class="btn" ?disabled=${this.isLoadingMore} @click=${() => void this.#loadMore(page)}>
        ${this.isLoadingMore ? texts.states.loading : texts.states.loadMore}
      </button>
    </div>`;
  }

  async #loadMore(page: ListPage<InboxMessage>): Promise<void> {
    const listed = this.#listed;
    if (page.next === null) return;
    this.isLoadingMore = true;
    await this.#try(async () => {
      const next = await loadMessages(this.services.api, this.#filters, { cursor: page.next ?? "" });
      // The filters may have changed meanwhile.
      if (listed === this.#listed) this.#list.set({ items: [...page.items, ...next.items], next: next.next });
    });
    this.isLoadingMore = false;
  }

  #message(message: InboxMessage): TemplateResult {
    const avatar = this.#avatars.value?.find(({ id }) => id === message.context);
    return messageDetail({
      message,
      avatarName: avatar?.name ?? (this.#avatars.value ? texts.conversations.removedAvatar : ""),
      back: linkTo(path, filterQuery(this.#filters)),
      mayAnswer: this.services.session.may("answers"),
      mayDelete: this.services.session.may("editor"),
      onState: (state) => void this.#mark(message.id, state, message.state),
      onDelete: () => (this.asksToDelete = true),
    });
  }

  #deleteQuestion(): TemplateResult {
    return question({
      title: inbox.deleteTitle,
      text: inbox.deleteText,
      yes: inbox.deleteYes,
      no: texts.cancel,
      isDangerous: true,
      onYes: () => void this.#delete(),
      onNo: () => (this.asksToDelete = false),
    });
  }

  /** Does something with the service, and tells what is wrong where that fails. */
  async #try(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.services.toasts.show(errorText(error));
    }
  }

  /** What has changed: the list, and the figures. */
  #reload(): void {
    void this.#list.load();
    void this.services.badges.load();
  }

  /** Says what has become of a message. `before`: what an undo brings back; null: there is none. */
  async #mark(id: string, state: MessageState, before: MessageState | null): Promise<void> {
    const { api, toasts } = this.services;
    await this.#try(async () => {
      await setMessageState(api, id, state);
      const action = before && { label: texts.undo, run: () => void this.#mark(id, before, null) };
      toasts.show(inbox.marked(inbox.states[state]), action ? { action } : {});
      if (this.#open === id) void this.#detail.load();
      this.#reload();
    });
  }

  async #delete(): Promise<void> {
    const { api, toasts, router } = this.services;
    const id = this.#open;
    this.asksToDelete = false;
    await this.#try(async () => {
      await deleteMessage(api, id);
      toasts.show(inbox.deleted);
      router.replace(path, filterQuery(this.#filters));
      this.#reload();
    });
  }
}

customElements.define("visavis-console-inbox", InboxPage);
