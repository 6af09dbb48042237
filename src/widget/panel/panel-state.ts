import { nothing } from "lit";
import type { AvatarSession } from "../../client/index.ts";
import { mayHoldMarkup } from "../../markdown/markup.ts";
import type { PublicContext } from "../../protocol/session/relay-api.ts";
import type * as formattedTextView from "../rich/formatted-text.ts";
import type { OfferedHandover } from "../rich/offered-handover.ts";
import type * as richView from "../rich/rich-view.ts";
import type { SessionSnapshot } from "../session/session-snapshot.ts";
import type * as settings from "../settings/settings.ts";
import type { PersonParts } from "../person/person-view.ts";
import type { Formatting } from "../transcript/answer-row.ts";
import type * as transcriptView from "../transcript/transcript-view.ts";
import type * as voiceView from "../voice/voice.ts";
import type { VoiceParts } from "../voice/voice-parts.ts";
import type { Badge } from "./controls/badge-of.ts";
import { noticeView, type NoticeProps } from "./live/notice.ts";
import type * as overlayControls from "./controls/overlay-controls.ts";
import type * as pages from "./pages.ts";
import type { PanelActions, PanelHost, PanelModel } from "./panel-host.ts";
import type { Ring } from "./view.ts";

/** The contents of the panel besides its picture. */
export interface PanelParts {
  readonly top?: unknown;
  /** On the picture: the badge, or captions and controls. */
  readonly overPicture?: unknown;
  readonly below: unknown;
  /** The kind of its badge. */
  readonly badge?: Badge["kind"];
  /** The ring, where the visitor's voice or a countdown decides it. */
  readonly ring?: Ring | null;
  /** What screen readers are told without being asked. */
  readonly announcements?: unknown;
}

/** Everything that the panel's parts are drawn from. Each part gets only what it shows. */
export interface PanelState {
  readonly model: PanelModel;
  readonly session: SessionSnapshot;
  readonly context: PublicContext | null;
  readonly touch: boolean;
  readonly wholeSentences: boolean;
  /** The visitor's system asks for less motion. */
  readonly reducedMotion: boolean;
  readonly panel: PanelActions;
  readonly toolTitle: (name: string) => string | null;
  readonly host: PanelHost;
  readonly current: AvatarSession | null;
  /** Loads views. */
  readonly lazy: { load(name: "formatted" | "rich" | "voice"): Promise<void> };
  /** The views that are there. */
  readonly views: {
    readonly formatted?: typeof formattedTextView;
    readonly rich?: typeof richView;
    readonly overlay?: typeof overlayControls;
    readonly pages?: typeof pages;
    readonly settings?: typeof settings;
    readonly transcript?: typeof transcriptView;
    readonly voice?: typeof voiceView;
  };
}

/** The same, with what draws answers with formatting, and what is shown besides texts. */
export interface PartsState extends PanelState {
  readonly formatting: Formatting;
  /** What the visitor's voice adds; null where visitors cannot speak. */
  readonly voice: VoiceParts | null;
  readonly badge: Badge;
  readonly rich: typeof richView | null | undefined;
  readonly handover: OfferedHandover;
  /** What people add; null while nobody is there and nobody was. */
  readonly person: PersonParts | null;
}

/** What a notice of the session's end is drawn from; null without one. */
export function noticeOf({ session: { notice }, model: { t, lang }, panel }: PanelState): NoticeProps | null {
  return notice ? { t, lang, notice, stay: panel.stay } : null;
}

/** The notice of the session's end, drawn. */
export function drawnNotice(state: PanelState): unknown {
  const props = noticeOf(state);
  return props ? noticeView(props) : nothing;
}

/** The language of the conversation. */
export function localeOf({ model }: PanelState): string {
  return model.language?.locale ?? "en";
}

/** What a tool of the page does, while one runs for an answer. */
export function workingText({ session: { tool }, toolTitle, model }: PanelState): string | null {
  return tool === null ? null : (toolTitle(tool) ?? model.t("tool_running"));
}

/** A text of the avatar without its marks; null while what reads them is being loaded. */
export function textOf(
  formatting: Formatting,
  purpose: "textToRead" | "textToKeep" = "textToRead",
): (text: string) => string | null {
  return (text) => {
    if (formatting === null || !mayHoldMarkup(text)) return text;
    return formatting ? formatting[purpose](text) : null;
  };
}
