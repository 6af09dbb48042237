import { html, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from "lit";
import type { TextKey } from "../../texts/texts.ts";
import type { SessionSnapshot } from "../../session/session-snapshot.ts";
import { badgeOf } from "../controls/badge-of.ts";
import type { View } from "../view.ts";
import { endOf } from "../../texts/end-texts.ts";
import { troubleOf } from "./caption-content.ts";
import { messageStatusText } from "./message-status.ts";
import { noticeToRead } from "./notice.ts";
import type { PanelHost } from "../panel-host.ts";
import { noticeOf, type PanelState, type PartsState, workingText } from "../panel-state.ts";
import type { TranscriptEntry } from "../../../client/index.ts";
import { textLanguage } from "../../../protocol/answers/text-language.ts";

const settleMs = 1_000;
const announced: ReadonlySet<TextKey> = new Set([
  "connecting",
  "offline",
  "ready",
  "listening",
  "reconnecting",
  "link_poor",
  "link_lost",
]);

/** The state for screen readers: announced after it has lasted a second. Thinking and speaking are heard anyway. */
class StatusController implements ReactiveController {
  text: TextKey | null = null;
  #next: TextKey | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #host: ReactiveControllerHost;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Takes the state that is shown now. */
  update(session: SessionSnapshot, view: View): void {
    const badge = badgeOf(session, view);
    const text = badge.kind === "status" && announced.has(badge.text) ? badge.text : null;
    if (text === this.#next) return;
    this.#next = text;
    clearTimeout(this.#timer);
    if (!text) return;
    this.#timer = setTimeout(() => {
      this.text = text;
      this.#host.requestUpdate();
    }, settleMs);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#next = null;
  }
}

/** What tells each panel's state to screen readers. */
const statuses = new WeakMap<PanelHost, StatusController>();

/** The state that screen readers are told. */
function announcedStatus({ host, session, model }: PanelState): TextKey | null {
  const controller = statuses.get(host) ?? new StatusController(host);
  statuses.set(host, controller);
  controller.update(session, model.view);
  return controller.text;
}

/** What screen readers are told of the state. The page of an error is an alert, which is read by itself. */
export function announcement(state: PartsState): string {
  const { t, view } = state.model;
  const known = announcedStatus(state);
  if (view.page === "error") return "";
  if (view.page === "ended") return t(endOf(state.session.endReason)?.text ?? "ended_title");
  const notice = noticeOf(state);
  const trouble = troubleOf(state.session);
  const status = (trouble && messageStatusText(trouble)) ?? known;
  if (notice) return noticeToRead(notice);
  if (state.person?.announcement) return state.person.announcement;
  const working = state.voice?.announcement ? t(state.voice.announcement) : workingText(state);
  return working ?? (status ? statusWords(state, status) : "");
}

/** A state in words for screen readers, with what it means for them. */
function statusWords(state: PartsState, status: TextKey): string {
  const { t } = state.model;
  if (status === "link_poor" || status === "link_lost") return `${t(status)}. ${t(`${status}_hint`)}`;
  return t(status === "ready" && startsInWriting(state) ? "writes_only" : status);
}

/** Whether nothing was asked yet in a conversation that is in writing because of the browser. */
function startsInWriting({ model, session }: PanelState): boolean {
  return model.unsupported && !session.transcript.some(({ role }) => role === "visitor");
}

/**
 * For screen readers: the state after it has lasted a second, and whole answers instead of single words. `toText` gives a
 * text without its marks, null while that is not possible yet. `locale`: the language of the conversation.
 */
export function liveRegions(
  status: string,
  transcript: readonly TranscriptEntry[],
  toText: (text: string) => string | null,
  locale: string,
): TemplateResult {
  const answers = transcript
    .filter((entry) => entry.role !== "visitor" && entry.text && entry.status !== "streaming")
    .slice(-3)
    .flatMap(({ role, name, text }) => (role === "person" ? `${name ?? ""}: ${text}` : (toText(text) ?? [])));
  return html`<p class="vv-sr" role="status">${status}</p>
    <div class="vv-sr" role="log">
      ${answers.map((text) => html`<p lang=${textLanguage(text, locale)}>${text}</p>`)}
    </div>`;
}
