import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import type { LiveTalk } from "../../protocol/console/live.ts";
import { ApiError } from "../api/api-error.ts";
import { timeOfDay } from "../format.ts";
import { ConsolePage } from "../page.ts";
import { modal } from "../parts/dialog.ts";
import { errorText } from "../parts/error-text.ts";
import { icon } from "../parts/icons.ts";
import { empty } from "../parts/states.ts";
import { live } from "./live-texts.ts";
import { chooseAlert, LiveAlerts } from "./live-alerts.ts";
import { deskView, handBackForm, takeForm } from "./live-desk.ts";
import { grouped, groupOf, LiveFeed } from "./live-feed.ts";
import { talkLines, visit } from "./live-lines.ts";
import { face, since, sign, stateText, talkList } from "./live-list.ts";
import { presenceButton, presenceForm } from "./live-presence.ts";
import { quickAnswersOf } from "./quick-answers.ts";
import {
  handBack,
  keepAnswering,
  sendMessage,
  setPresence,
  showWriting,
  takeOver,
  whisper,
} from "./live-requests.ts";
import "./live.css";

/** The server is shown that this console is there while somebody answers, in ms. */
const aliveEveryMs = 4_000;

/** How often the visitor is shown that somebody is writing, in ms. */
const writingEveryMs = 3_000;

/** What lies over the page: presence, the summary of a conversation that is handed back, or what is known on a narrow screen. */
type Layer = "presence" | "hand-back" | "visit" | "take" | null;

/** Conversations as they go on: who needs somebody, what is said, and a desk to answer. */
export class LivePage extends ConsolePage {
  static override properties: PropertyDeclarations = {
    ...ConsolePage.properties,
    layer: { state: true },
    nowMs: { state: true },
    draft: { state: true },
    how: { state: true },
    faster: { state: true },
    quickAt: { state: true },
  };
  declare layer: Layer;
  declare nowMs: number;
  /** What is being written, to the visitor or to the avatar. */
  declare draft: string;
  declare how: "say" | "keep";
  /** The colleague who has taken the conversation before. */
  declare faster: string;
  /** The place of the chosen quick answer. */
  declare quickAt: number;
  readonly #feed = new LiveFeed(
    this,
    () => {
      this.#showCount();
    },
    () => this.services.api.request("/api/console/session/"),
  );
  readonly #alerts = new LiveAlerts();
  #timers: ReturnType<typeof setInterval>[] = [];
  #writtenAtMs = 0;
  #lines = 0;
  #shown = "";
  /** The field gets the focus as soon as the conversation is the operator's. */
  #isTaking = false;

  constructor() {
    super();
    [this.nowMs, this.quickAt] = [Date.now(), 0];
    [this.draft, this.faster, this.layer, this.how] = ["", "", null, "say"];
  }

  get #session(): string {
    return this.params["session"] ?? "";
  }

  get #account(): string {
    const { state } = this.services.session;
    return "session" in state ? state.session.account.id : "";
  }

  get #talk(): LiveTalk | undefined {
    return this.#feed.talks.find(({ session_id: id }) => id === this.#session);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timers = [
      setInterval(() => (this.nowMs = Date.now()), 1_000),
      setInterval(() => void this.#showAlive(), aliveEveryMs),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const timer of this.#timers) clearInterval(timer);
    document.title = document.title.replace(/^\(\d+\) /, "");
  }

  protected override willUpdate(): void {
    this.#feed.show(this.#session);
    if (this.#session === this.#shown) return;
    this.#shown = this.#session;
    [this.draft, this.faster, this.layer, this.how] = ["", "", null, "say"];
  }

  /** The newest line is seen, as long as nobody has scrolled back. */
  protected override updated(): void {
    const talk = this.#talk;
    if (this.#isTaking && talk && groupOf(talk, this.#account) === "mine") {
      this.#isTaking = false;
      this.querySelector<HTMLElement>(".desk textarea")?.focus();
    }
    const count = this.#feed.open?.lines.length ?? 0;
    if (count === this.#lines) return;
    this.#lines = count;
    const shown = this.querySelector(".lv-c .scr");
    shown?.scrollTo({ top: shown.scrollHeight });
  }

  #needs(): number {
    return grouped(this.#feed.talks, this.#account).get("needs")?.length ?? 0;
  }

  #showCount(): void {
    const groups = grouped(this.#feed.talks, this.#account);
    const needs = groups.get("needs") ?? [];
    const count = needs.length;
    const isAnswering = (groups.get("mine") ?? []).length > 0;
    this.#alerts.tell(
      needs.map(({ session_id: id }) => id),
      live.needYou(count),
      isAnswering,
    );
    const title = document.title.replace(/^\(\d+\) /, "");
    document.title = count > 0 ? `(${count}) ${title}` : title;
  }

  async #showAlive(): Promise<void> {
    if (!this.#feed.talks.some((talk) => groupOf(talk, this.#account) === "mine")) return;
    // Without an answer the stream's own state says that the line is lost.
    await keepAnswering(this.services.api).catch(() => undefined);
  }

  /** Does something on the server; says what is wrong where it fails. Resolves with whether it worked. */
  async #act(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.services.toasts.show(errorText(error));
      return false;
    }
  }

  protected override render(): TemplateResult {
    const { me } = this.#feed;
    const needs = this.#needs();
    const isQuiet = this.#feed.talks.every(({ ended_at: endedAt }) => endedAt !== null);
    const title = needs > 0 ? live.needYou(needs) : isQuiet ? live.nobodyTalks : live.quiet;
    return html`<header class="lv-head">
        <h1 tabindex="-1">${title}</h1>
        <p class="sr" role="status">${needs > 0 ? live.needYou(needs) : ""}</p>
        <div class="r">
          ${presenceButton(me, this.services.session.may("answers"), () => (this.layer = "presence"))}
        </div>
      </header>
      ${
        this.#feed.lostAt
          ? html`<p class="strip bad" role="alert">
              ${icon("offline")}${live.lineLost(timeOfDay(this.#feed.lostAt))}
            </p>`
          : nothing
      }
      <div class=${this.#session === "" ? "lv" : "lv has-detail"}>
        <nav class="sheet clist" aria-label=${live.list}>
          ${
            this.#feed.talks.length === 0
              ? html`<p class="none">${live.quietText}</p>`
              : talkList(grouped(this.#feed.talks, this.#account), {
                  shown: this.#session,
                  account: this.#account,
                  nowMs: this.nowMs,
                })
          }
        </nav>
        ${this.#conversation()}
      </div>
      ${this.#dialogs()}`;
  }

  #conversation(): TemplateResult {
    const talk = this.#talk;
    const { open } = this.#feed;
    if (!talk)
      return html`<section class="sheet lv-c">
        ${this.#session === "" ? nothing : html`<a class="btn" href="#/live">${icon("back")}${live.back}</a>`}
        ${empty({ icon: "chat", title: this.#session === "" ? live.choose : live.gone, text: "" })}
      </section>`;
    const isMine = groupOf(talk, this.#account) === "mine";
    return html`<section class="sheet lv-c" aria-label=${live.visitorOn(talk.page || live.aPage)}>
        <header>
          <a class="icb back" href="#/live" aria-label=${live.back}>${icon("back")}</a>
          ${face(talk)}
          <div class="t">
            <h2>${live.visitorOn(talk.page || live.aPage)}</h2>
            <p class="s"><bdi>${talk.path}</bdi></p>
          </div>
          <span class="state"
            >${isMine ? html`${sign(true)}<b>${live.youSince(since(talk.since ?? talk.started_at, this.nowMs))}</b>` : stateText(talk, this.#account, this.nowMs)}</span
          >
          <button class="icb eye" aria-label=${live.showVisit} @click=${() => (this.layer = "visit")}>
            ${icon("eye")}
          </button>
        </header>
        <div class="scr">${open ? talkLines(open, talk) : nothing}</div>
        ${this.#desk(talk, isMine)}
      </section>
      <aside class="sheet ctx">${open ? visit(open, talk) : nothing}</aside>`;
  }

  #desk(talk: LiveTalk, isMine: boolean): TemplateResult | typeof nothing {
    if (talk.ended_at !== null) return nothing;
    if (!this.services.session.may("answers")) return html`<p class="desk none">${live.noAnswering}</p>`;
    return deskView({
      talk,
      isMine,
      draft: this.draft,
      how: this.how,
      takesFacts: this.#feed.open?.takesFacts === true,
      faster: this.faster,
      quick: quickAnswersOf(this.#feed.open, talk, {
        at: this.quickAt,
        move: (at) => (this.quickAt = at),
        write: (answer) => this.#write(answer),
      }),
      change: (draft) => {
        this.#write(draft);
        if (isMine && draft !== "" && !draft.startsWith("/")) void this.#showWriting();
      },
      choose: (how) => (this.how = how),
      send: () => void this.#send(isMine),
      take: () => (talk.person === null ? void this.#take() : (this.layer = "take")),
      leave: () => void this.#act(() => handBack(this.services.api, this.#session, "")),
      giveBack: () => (this.layer = "hand-back"),
    });
  }

  /** Changes what is written, also otherwise than by typing: then the field has the focus. */
  #write(draft: string): void {
    this.draft = draft;
    this.quickAt = 0;
    this.querySelector<HTMLElement>(".desk textarea")?.focus();
  }

  async #showWriting(): Promise<void> {
    if (Date.now() - this.#writtenAtMs < writingEveryMs) return;
    this.#writtenAtMs = Date.now();
    await showWriting(this.services.api, this.#session).catch(() => undefined);
  }

  async #send(isMine: boolean): Promise<void> {
    const { api } = this.services;
    const text = this.draft.trim();
    if (text === "") return;
    this.draft = "";
    this.#writtenAtMs = 0;
    const isSent = await this.#act(() =>
      isMine ? sendMessage(api, this.#session, text) : whisper(api, this.#session, text, this.how),
    );
    // Nothing that was typed is lost.
    if (!isSent && this.draft === "") this.draft = text;
  }

  async #take(from?: string): Promise<void> {
    this.layer = null;
    try {
      await takeOver(this.services.api, this.#session, from);
      this.draft = "";
      this.faster = "";
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "conflict") {
        this.services.toasts.show(errorText(error));
        return;
      }
      this.faster = this.#talk?.person?.name ?? "";
    }
    this.#isTaking = this.faster === "";
  }

  #dialogs(): TemplateResult | typeof nothing {
    const talk = this.#talk;
    const close = (): void => {
      this.layer = null;
    };
    if (this.layer === "presence" && this.#feed.me)
      return presenceForm(this.#feed.me, {
        close,
        set: (minutes, name) => {
          close();
          void this.#act(() => setPresence(this.services.api, minutes, name));
        },
        alert: (alert, isWanted) =>
          void this.#act(async () => {
            if ((await chooseAlert(alert, isWanted)) !== isWanted)
              this.services.toasts.show(live.noticesBlocked);
            this.requestUpdate();
          }),
      });
    if (!talk || this.layer === null) return nothing;
    const { open } = this.#feed;
    if (this.layer === "visit" && open)
      return modal({
        title: live.showVisit,
        content: html`<div class="ctx">${visit(open, talk)}</div>`,
        onClose: close,
        isSide: true,
      });
    if (this.layer === "take" && talk.person) {
      const { account, name } = talk.person;
      return takeForm(name, close, () => void this.#take(account));
    }
    if (this.layer !== "hand-back") return nothing;
    return handBackForm(talk.avatar, close, (summary) => {
      close();
      void this.#act(() => handBack(this.services.api, talk.session_id, summary));
    });
  }
}

customElements.define("visavis-console-live", LivePage);
