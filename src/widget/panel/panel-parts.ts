import { html, nothing, type TemplateResult } from "lit";
import { handoverOf } from "../rich/offered-handover.ts";
import { tellAttributeFaults } from "../settings/attribute-check.ts";
import type { Translate } from "../texts/texts.ts";
import { answerActions } from "../transcript/answer-actions.ts";
import { announcement } from "./announcement.ts";
import { AttendanceController } from "./attendance-controller.ts";
import { badgeOf } from "./badge-of.ts";
import { badgeView } from "./badge.ts";
import { belowPicture } from "./below-picture.ts";
import { captionBar } from "./caption-bar.ts";
import { captionBarOf } from "./caption-content.ts";
import { controls } from "./controls.ts";
import { liveRegions } from "./live-regions.ts";
import type { PanelHost } from "./panel-host.ts";
import {
  drawnNotice,
  localeOf,
  noticeOf,
  textOf,
  type PanelParts,
  type PanelState,
  type PartsState,
} from "./panel-state.ts";
import { topBar } from "./top-bar.ts";
import { transcriptViews } from "./transcript-views.ts";
import { voiceOf } from "./voice-of.ts";

/** What tells each session what its visitor does. */
const attendances = new WeakMap<PanelHost, AttendanceController>();

function attend({ host, session, current }: PanelState): void {
  const known = attendances.get(host);
  if (!known) tellAttributeFaults(host);
  const controller = known ?? new AttendanceController(host);
  attendances.set(host, controller);
  controller.update(current, session.notice?.kind === "idle");
}

/** Draws the panel's parts. */
export function panelParts(given: PanelState): PanelParts {
  attend(given);
  const talk = voiceOf(given);
  const notice = noticeOf(given);
  const isCountdown = notice?.notice.kind === "idle";
  const badge = badgeOf(given.session, given.model.view, isCountdown ? null : talk?.badge);
  const { formatting, rich } = transcriptViews(given);
  const handover = handoverOf(
    rich,
    given,
    answerActions(given.host, given.current, given.panel, textOf(formatting)),
  );
  const state: PartsState = { ...given, formatting, voice: talk, badge, rich, handover };
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
    ring: isCountdown ? "ending" : (talk?.ring ?? null),
    overPicture: mode === "end" ? nothing : overPicture(state),
    below: mode === "voice" ? (layout.kind === "overlay" ? nothing : voice(state)) : belowPicture(state),
  };
}

function top({ model, context, panel }: PartsState): unknown {
  const { t, view, traits } = model;
  if (traits.small) return nothing;
  const talking = view.page === "conversation";
  const over = view.page === "ended" || view.page === "error";
  const leave = talking || view.page === "more" || view.page === "settings" ? "minimise" : "close";
  return topBar(
    over ? null : (context?.avatar_name ?? null),
    (view.page === "start" && context?.name) || t("ai_assistant"),
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
  if (layout.kind !== "overlay" || !views.overlay) return badgeView(t, badge, panel, textOnly);
  // Beside an open transcript the picture may be too narrow for captions below the face. The transcript has the suggestions.
  const elsewhere =
    !traits.captionsBesideColumn || captionBarOf(session, view.options).kind === "suggestions";
  return views.overlay.overlayControls({
    ...controlsProps(state),
    badge,
    badgeActions: panel,
    few: traits.small !== undefined,
    inWriting: model.textOnly,
    captions: model.textOpen && elsewhere ? nothing : captions(state),
  });
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
  return html`${bar}${controls(controlsProps(state))}`;
}
