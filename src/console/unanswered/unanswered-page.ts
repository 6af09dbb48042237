import {
  type Taught,
  taughtSchema,
  type UnansweredGroup,
  unansweredGroupSchema,
  type UnansweredList,
  unansweredListSchema,
} from "../../protocol/console/unanswered.ts";
import type { ApiClient } from "../api/api-client.ts";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { ApiError } from "../api/api-error.ts";
import { Loaded } from "../api/loaded.ts";
import { type ConversationAvatar, loadConversationAvatars } from "../conversations/conversation-requests.ts";
import { momentWithin } from "../format.ts";
import { ConsolePage } from "../page.ts";
import { errorText } from "../parts/error-text.ts";
import { describedBy, fieldError, formTexts, select } from "../parts/field.ts";
import { icon } from "../parts/icons.ts";
import { pageHead } from "../parts/page-head.ts";
import { empty, whenLoaded } from "../parts/states.ts";
import { texts } from "../texts/texts.ts";
import "./unanswered.css";

const requestsPath = "/api/console/unanswered/";
const onePath = (id: string, action: string): string => `${requestsPath}${encodeURIComponent(id)}/${action}/`;

/** The filters of the list. */
export interface UnansweredChoice {
  readonly context: string;
  readonly order: "most" | "newest";
}

/** The questions without an answer. Throws ApiError. */
export const loadUnanswered = (
  api: ApiClient,
  { context, order }: UnansweredChoice,
  signal: AbortSignal,
): Promise<UnansweredList> =>
  api.request(requestsPath, {
    query: { context: context || undefined, order },
    schema: unansweredListSchema,
    signal,
  });

/** Teaches the answer to a group. Throws ApiError. */
export const teach = (api: ApiClient, id: string, answer: string, wordings: string[]): Promise<Taught> =>
  api.request(onePath(id, "teach"), { method: "POST", body: { answer, wordings }, schema: taughtSchema });

/** Hides a group. Throws ApiError. */
export const hide = (api: ApiClient, id: string): Promise<UnansweredGroup> =>
  api.request(onePath(id, "hide"), { method: "POST", schema: unansweredGroupSchema });

/** Undoes teaching or hiding. Throws ApiError. */
export const reopen = (api: ApiClient, id: string): Promise<undefined> =>
  api.request(onePath(id, "restore"), { method: "POST" });

const path = "/unanswered";
const answerMaxLength = 5_000;

/** Questions that had no answer, the most frequent first. The answer is taught here. */
export class UnansweredPage extends ConsolePage {
  static override properties: PropertyDeclarations = {
    ...ConsolePage.properties,
    open: { state: true },
    error: { state: true },
    isBusy: { state: true },
  };
  /** The id of the group whose answer is being written; empty: none. */
  declare open: string;
  declare error: ApiError | null;
  declare isBusy: boolean;
  readonly #avatars = new Loaded<ConversationAvatar[]>(this, (signal) =>
    loadConversationAvatars(this.services.api, signal),
  );
  readonly #list = new Loaded<UnansweredList>(this, (signal) =>
    loadUnanswered(this.services.api, this.#choice, signal),
  );
  #listed = "";

  constructor() {
    super();
    this.open = "";
    this.error = null;
    this.isBusy = false;
  }

  get #choice(): UnansweredChoice {
    return {
      context: this.query.get("avatar") ?? "",
      order: this.query.get("order") === "newest" ? "newest" : "most",
    };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#listed = "";
    this.requestUpdate();
    void this.#avatars.load();
  }

  protected override willUpdate(): void {
    const asked = this.query.get("question") ?? "";
    const listed = JSON.stringify([this.#choice, asked]);
    if (listed === this.#listed) return;
    this.#listed = listed;
    void this.#read(asked);
  }

  /** Reads the list, and opens the question that a link of another page has named. */
  async #read(asked: string): Promise<void> {
    await this.#list.load();
    if (asked === "" || !this.services.session.may("editor")) return;
    const isAsked = ({ wordings }: UnansweredGroup): boolean =>
      wordings.some(({ text }) => text.startsWith(asked));
    const group = this.#list.value?.groups.find(isAsked);
    if (group) await this.#start(group);
  }

  protected override render(): TemplateResult {
    const { unanswered } = texts;
    return html`${pageHead({ title: unanswered.title, lead: unanswered.lead })}${this.#filters()}
    ${whenLoaded(this.#list, (list) => this.#groups(list))}`;
  }

  #narrow(change: Partial<UnansweredChoice>): void {
    const { context, order } = { ...this.#choice, ...change };
    this.services.router.replace(path, { avatar: context, order: order === "most" ? undefined : order });
  }

  #filters(): TemplateResult {
    const { unanswered, conversations } = texts;
    const { context, order } = this.#choice;
    const avatars = this.#avatars.value ?? [];
    return html`<div class="filters" role="group" aria-label=${conversations.filters.label}>
      ${select({
        isPill: true,
        label: conversations.filters.avatar,
        value: context,
        choices: [
          { value: "", label: conversations.filters.allAvatars },
          ...avatars.map(({ id, name }) => ({ value: id, label: name })),
        ],
        onChange: (value) => this.#narrow({ context: value }),
      })}
      ${select({
        isPill: true,
        label: unanswered.order,
        value: order,
        choices: [
          { value: "most", label: unanswered.most },
          { value: "newest", label: unanswered.newest },
        ],
        onChange: (value) => this.#narrow({ order: value === "newest" ? "newest" : "most" }),
      })}
    </div>`;
  }

  #groups({ groups, without_words: withoutWords }: UnansweredList): TemplateResult {
    const { unanswered } = texts;
    const note =
      withoutWords > 0
        ? html`<p class="note onsheet spaced">
            ${icon("lock")}<span>${unanswered.withoutWords(withoutWords)}</span>
          </p>`
        : nothing;
    if (groups.length === 0)
      return html`${note}${empty({ icon: "check", title: unanswered.none, text: unanswered.noneText })}`;
    return html`${note}
      <ul class="sheet flush qs">
        ${repeat(
          groups,
          ({ id }) => id,
          (group) => html`<li>${this.#group(group)}</li>`,
        )}
      </ul>`;
  }

  #group(group: UnansweredGroup): TemplateResult {
    const { unanswered } = texts;
    const isOpen = group.id === this.open;
    const mayTeach = this.services.session.may("editor");
    return html`<div class="qh">
        <p class="say-q">${group.question}</p>
        <p class="meta">
          ${unanswered.asked(group.asked, group.wordings.length, momentWithin(group.last_asked_at))}
        </p>
        ${
          mayTeach && !isOpen
            ? html`<div class="acts">
                <button class="btn" @click=${() => void this.#start(group)}>
                  ${unanswered.teach}<span class="sr"> ${group.question}</span>
                </button>
                <button
                  class="icb"
                  aria-label=${unanswered.hide(group.question)}
                  @click=${() => void this.#hide(group)}
                >
                  ${icon("close")}
                </button>
              </div>`
            : nothing
        }
      </div>
      ${isOpen ? this.#form(group) : nothing}`;
  }

  async #start({ id }: UnansweredGroup): Promise<void> {
    this.open = id;
    this.error = null;
    await this.updateComplete;
    this.querySelector<HTMLElement>("#teach-answer")?.focus();
  }

  #form(group: UnansweredGroup): TemplateResult {
    const { unanswered } = texts;
    const id = "teach-answer";
    const error = this.error === null ? undefined : (this.error.fields["answer"] ?? errorText(this.error));
    const others = group.wordings.filter(({ text }) => text !== group.question);
    return html`<form class="teach" @submit=${(event: SubmitEvent) => void this.#teach(event, group)}>
      <div class="f">
        <label for=${id}>${unanswered.answer}</label>
        <textarea
          class="in"
          id=${id}
          name="answer"
          rows="3"
          required
          maxlength=${answerMaxLength}
          aria-invalid=${error ? "true" : "false"}
          aria-describedby=${describedBy({ id, help: unanswered.answerHelp, error })}
        ></textarea>
        ${fieldError(id, error)}
        <p class="help" id=${`${id}-help`}>${unanswered.answerHelp}</p>
      </div>
      ${
        others.length === 0
          ? nothing
          : html`<fieldset class="also">
              <legend>${unanswered.also}</legend>
              ${others.map(
                ({ text }) =>
                  html`<label><input type="checkbox" name="wording" value=${text} checked />${text}</label>`,
              )}
            </fieldset>`
      }
      <div class="row w">
        <button class="btn pri" ?disabled=${this.isBusy}>${unanswered.submit}</button>
        <button type="button" class="btn quiet" @click=${() => (this.open = "")}>${texts.cancel}</button>
      </div>
    </form>`;
  }

  async #teach(event: SubmitEvent, group: UnansweredGroup): Promise<void> {
    event.preventDefault();
    if (this.isBusy || !(event.target instanceof HTMLFormElement)) return;
    const data = new FormData(event.target);
    const answer = (formTexts(event.target)["answer"] ?? "").trim();
    const wordings = [group.question, ...data.getAll("wording").filter((value) => typeof value === "string")];
    this.isBusy = true;
    this.error = null;
    try {
      const { found, group: taught } = await teach(this.services.api, group.id, answer, wordings);
      this.open = "";
      this.#settled(taught, found ? texts.unanswered.taught(group.asked) : texts.unanswered.taughtNotFound);
    } catch (error) {
      this.error = error instanceof ApiError ? error : new ApiError("server", { cause: error });
    } finally {
      this.isBusy = false;
    }
  }

  async #hide(group: UnansweredGroup): Promise<void> {
    try {
      this.#settled(await hide(this.services.api, group.id), texts.unanswered.hidden);
    } catch (error) {
      this.services.toasts.show(errorText(error));
    }
  }

  /** Says what happened to a group, with a button to undo it. A group that is taught or hidden has a new id. */
  #settled({ id }: UnansweredGroup, text: string): void {
    const { api, toasts } = this.services;
    const undo = async (): Promise<void> => {
      try {
        await reopen(api, id);
      } catch (error) {
        toasts.show(errorText(error));
      }
      this.#reload();
    };
    toasts.show(text, { action: { label: texts.undo, run: () => void undo() } });
    this.#reload();
  }

  #reload(): void {
    void this.#list.load();
    void this.services.badges.load();
  }
}

customElements.define("visavis-console-unanswered", UnansweredPage);
