import { html, nothing, type TemplateResult } from "lit";
import type { IconName } from "../styles/icons.ts";
import { controls, iconButton } from "./controls/controls.ts";
import type { TranscriptEntry } from "../../client/index.ts";
import { mayHoldMarkup } from "../../markdown/markup.ts";
import {
  drawnNotice,
  localeOf,
  noticeOf,
  type PanelParts,
  type PanelState,
  type PartsState,
  textOf,
} from "./panel-state.ts";
import { personOf } from "../person/person-of.ts";
import type { PersonParts } from "../person/person-view.ts";
import { followPage } from "../settings/own-theme.ts";
import { handoverOf } from "../rich/offered-handover.ts";
import { tellAttributeFaults } from "../settings/attribute-check.ts";
import type { Translate } from "../texts/texts.ts";
import { answerActions } from "../transcript/answer-actions.ts";
import { announcement, liveRegions } from "./live/announcement.ts";
import { AttendanceController } from "./attendance-controller.ts";
import { badgeOf } from "./controls/badge-of.ts";
import { badgeView } from "./controls/badge.ts";
import { belowPicture } from "./below-picture.ts";
import { captionBar } from "./live/caption-bar.ts";
import { captionBarOf } from "./live/caption-content.ts";
import { stayBesideDialogs } from "./page-dialogs.ts";
import type { PanelHost } from "./panel-host.ts";
import { voiceOf } from "./voice-of.ts";

/** A button of the top bar: its icon, its name, and what it does. */
interface Tool {
  readonly icon: IconName;
  readonly label: string;
  readonly press: () => void;
}

/** Name and tools over the upper corners of the picture. Without a name there is no chip for it. */
function topBar(name: string | null, subtitle: string, tools: readonly Tool[]): TemplateResult {
  const chip = html`<span class="vv-name" part="name"><bdi>${name}</bdi><small>${subtitle}</small></span>`;
  return html`<div class="vv-top" part="top">
    <slot name="header">${name ? chip : nothing}</slot>
    ${
      tools.length > 0
        ? html`<span class="vv-tools">
            ${tools.map(({ icon, label, press }) => iconButton(icon, label, press))}
          </span>`
        : nothing
    }
  </div>`;
}

/** Whether a transcript has answers with formatting. A long one is looked through only when it has changed. */
const formatted = new WeakMap<readonly TranscriptEntry[], boolean>();

function hasFormatting(transcript: readonly TranscriptEntry[]): boolean {
  const known = formatted.get(transcript);
  if (known !== undefined) return known;
  const found = transcript.some(({ role, text }) => role === "avatar" && mayHoldMarkup(text));
  formatted.set(transcript, found);
  return found;
}

/** Transcripts that are shown without these views, because they could not be loaded. A change of them tries again. */
const missed = {
  formatted: new WeakSet<readonly TranscriptEntry[]>(),
  rich: new WeakSet<readonly TranscriptEntry[]>(),
};

/** A view that is loaded when the transcript needs it; null if that was not possible, undefined until then. */
function viewFor<Name extends keyof typeof missed>(
  name: Name,
  { lazy, views, session: { transcript } }: PanelState,
  isNeeded: boolean,
): PanelState["views"][Name] | null | undefined {
  const view = views[name];
  if (view) return view;
  if (missed[name].has(transcript)) return null;
  if (isNeeded) void lazy.load(name).then(() => missed[name].add(transcript));
  return undefined;
}

/** Whether the transcript has more than texts, or the owner offers a person. */
function needsRich({ session, context }: PanelState, person: PersonParts | null): boolean {
  return (
    person?.ask != null ||
    Object.keys(context?.ui ?? {}).some((key) => key.startsWith("handover")) ||
    session.transcript.some(({ content }) => content)
  );
}

/** The views that the transcript needs: of answers with formatting, and of what it has besides texts. */
function transcriptViews(
  given: PanelState,
  person: PersonParts | null,
): Pick<PartsState, "formatting" | "rich"> {
  return {
    formatting: viewFor("formatted", given, hasFormatting(given.session.transcript)),
    rich: viewFor("rich", given, needsRich(given, person)),
  };
}

/** What tells each session what its visitor does. */
const attendances = new WeakMap<PanelHost, AttendanceController>();

function attend({ host, session, current }: PanelState): void {
  const known = attendances.get(host);
  if (!known) {
    tellAttributeFaults(host);
    stayBesideDialogs(host);
  }
  const controller = known ?? new AttendanceController(host);
  attendances.set(host, controller);
  controller.update(current, session.notice?.kind === "idle");
}

/** Draws the panel's parts. */
export function panelParts(given: PanelState): PanelParts {
  attend(given);
  followPage(given.host, given.context?.ui.theme);
  const talk = voiceOf(given);
  const notice = noticeOf(given);
  const isCountdown = notice?.notice.kind === "idle";
  const badge = badgeOf(given.session, given.model.view, isCountdown ? null : talk?.badge);
  const person = personOf(given);
  const { formatting, rich } = transcriptViews(given, person);
  const handover = handoverOf(
    rich,
    given,
    answerActions(given.host, given.current, given.panel, textOf(formatting)),
    person,
  );
  const state: PartsState = { ...given, formatting, voice: talk, badge, rich, handover, person };
  const { mode, layout } = state.model;
  return {
    announcements: liveRegions(
      announcement(state),
      state.session.transcript,
      textOf(state.formatting),
      localeOf(state),
    ),
    top: top(state),
    badge: state.badge.kind,
    ring: isCountdown ? "ending" : (person?.ring ?? talk?.ring ?? null),
    overPicture: mode === "end" ? nothing : overPicture(state),
    below: mode === "voice" ? (layout.kind === "overlay" ? nothing : voice(state)) : belowPicture(state),
  };
}

function top({ model, context, panel, person }: PartsState): unknown {
  const { t, view, traits } = model;
  if (traits.small) return nothing;
  const talking = view.page === "conversation";
  const over = view.page === "ended" || view.page === "error";
  const leave = talking || view.page === "more" || view.page === "settings" ? "minimise" : "close";
  const joined = talking ? person?.joined : null;
  return topBar(
    over ? null : (joined?.name ?? context?.avatar_name ?? null),
    joined?.role ?? ((view.page === "start" && context?.name) || t("ai_assistant")),
    [
      ...(talking ? [{ icon: "more", label: t("more"), press: panel.toggleMore } as const] : []),
      ...(traits.floating ? [{ icon: leave, label: t(leave), press: panel.minimise } as const] : []),
      ...(traits.leaves ? [{ icon: "shrink", label: t("leave"), press: panel.minimise } as const] : []),
    ],
  );
}

function overPicture(state: PartsState): unknown {
  const { model, session, panel, views, badge } = state;
  const { t, view, layout, traits, textOnly } = model;
  const room = state.person?.window;
  if (layout.kind !== "overlay" || !views.overlay) return room ?? badgeView(t, badge, panel, textOnly);
  // Beside an open transcript the picture may be too narrow for captions below the face. The transcript has the suggestions.
  const elsewhere =
    !traits.captionsBesideColumn || captionBarOf(session, view.options).kind === "suggestions";
  const controlsOver = views.overlay.overlayControls({
    ...controlsProps(state),
    badge,
    badgeActions: panel,
    few: traits.small !== undefined,
    inWriting: model.textOnly,
    captions: model.textOpen && elsewhere ? nothing : captions(state),
  });
  return room ? [room, controlsOver] : controlsOver;
}

function controlsProps({ model, panel, voice }: PartsState) {
  const { t, captionsOn, textOpen, view } = model;
  return { t, captionsOn, textOpen, canType: view.canType, actions: panel, talk: voice?.button ?? null };
}

function captions(state: PartsState): unknown {
  // A question to the visitor takes the place of what was said.
  if (state.session.notice?.kind === "idle") return drawnNotice(state);
  return [state.voice?.words ?? captionsOf(state), drawnNotice(state)];
}

function captionsOf(state: PartsState): unknown {
  const { voice } = state;
  const { model, session, context, touch, wholeSentences, panel, toolTitle } = state;
  const { t, view, layout } = model;
  const asked = session.transcript.at(-1)?.id ?? "";
  // Over the picture there is room only for what the visitor must know.
  const typeHint =
    layout.kind === "overlay" || !view.canType ? null : t(touch ? "type_hint_touch" : "type_hint");
  const bar = captionBar({
    t,
    content: captionBarOf(session, view.options),
    locale: localeOf(state),
    attempt: session.attempt,
    typeHint: voice?.hint && layout.kind !== "overlay" ? t(voice.hint) : typeHint,
    wholeSentences,
    textOf: textOf(state.formatting),
    suggestions: context?.ui.suggestions ?? [],
    nextQuestions: state.rich?.suggestionsOf(session.transcript) ?? [],
    handover: state.handover.offer,
    send: panel.send,
    interrupt: panel.interrupt,
    write: view.canType ? () => panel.choose({ textOnly: true }) : null,
    contactUrl: context?.ui.contact_url ?? null,
    actions: panel,
    toolTitle,
  });
  return asked === voice?.questionId && view.canType
    ? [bar, correctButton(t, () => panel.correct(asked))]
    : bar;
}

/** Lets the visitor write a question that was misheard. */
const correctButton = (t: Translate, press: () => void): TemplateResult =>
  html`<div class="vv-chips">
    <button type="button" class="vv-chip" @click=${press}>${t("talk_correct")}</button>
  </div>`;

/** Caption bar and controls. Screen readers are told whole answers by a live region instead. */
function voice(state: PartsState): unknown {
  const { captionsOn, view } = state.model;
  const bar =
    captionsOn ||
    state.session.notice ||
    state.voice?.words ||
    captionBarOf(state.session, view.options).kind !== "none"
      ? html`<div class="vv-captions" part="words" aria-live="off">${captions(state)}</div>`
      : html`<div class="vv-gap"></div>`;
  return html`${bar}${state.person?.strip}${controls(controlsProps(state))}`;
}
