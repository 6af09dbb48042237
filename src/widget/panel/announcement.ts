import { endOf } from "../texts/end-texts.ts";
import type { TextKey } from "../texts/texts.ts";
import { troubleOf } from "./caption-content.ts";
import { messageStatusText } from "./message-status.ts";
import { noticeToRead } from "./notice-text.ts";
import type { PanelHost } from "./panel-host.ts";
import { noticeOf, workingText, type PanelState, type PartsState } from "./panel-state.ts";
import { StatusController } from "./status-controller.ts";

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
