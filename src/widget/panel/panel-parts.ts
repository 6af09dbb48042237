import { html, nothing } from "lit";
import type { PublicContext } from "../../protocol/relay-api.ts";
import type { SessionSnapshot } from "../session/session-snapshot.ts";
import type { TextKey } from "../texts/texts.ts";
import type * as transcriptView from "../transcript/transcript-view.ts";
import { badgeView } from "./badge.ts";
import { captionBar, faultText } from "./caption-bar.ts";
import { controls } from "./controls.ts";
import { liveRegions } from "./live-regions.ts";
import type * as overlayControls from "./overlay-controls.ts";
import type * as pages from "./pages.ts";
import type { PanelActions, PanelModel } from "./panel-host.ts";
import { topBar } from "./top-bar.ts";
import { faultOf } from "./view.ts";

/** The contents of the panel besides its picture. */
export interface PanelParts {
  readonly top?: unknown;
  /** On the picture: the badge, or captions and controls. */
  readonly overPicture?: unknown;
  readonly below: unknown;
  /** What screen readers are told without being asked. */
  readonly announcements?: unknown;
}

/** Everything that the panel's parts are drawn from. Each part gets only what it shows. */
export interface PanelState {
  readonly model: PanelModel;
  readonly session: SessionSnapshot;
  readonly context: PublicContext | null;
  /** The state that screen readers are told. */
  readonly status: TextKey | null;
  readonly textOnly: boolean;
  readonly touch: boolean;
  readonly wholeSentences: boolean;
  readonly panel: PanelActions;
  /** The views that are there. */
  readonly views: {
    readonly overlay?: typeof overlayControls;
    readonly pages?: typeof pages;
    readonly transcript?: typeof transcriptView;
  };
}

/** Draws the panel's parts. */
export function panelParts(state: PanelState): PanelParts {
  const { mode, layout, t } = state.model;
  const fault = faultOf(state.session);
  const status = fault ? faultText(fault) : state.status;
  return {
    announcements: liveRegions(status ? t(status) : "", state.session.transcript),
    top: top(state),
    overPicture: mode === "end" ? nothing : overPicture(state),
    below: mode === "voice" ? (layout.kind === "overlay" ? nothing : voice(state)) : below(state),
  };
}

function top({ model, context, panel }: PanelState): unknown {
  const { t, view, layout, traits } = model;
  const talking = view.page === "conversation";
  const over = view.page === "ended" || view.page === "error";
  const leave = talking || view.page === "more" ? "minimise" : "close";
  return topBar(
    over ? null : (context?.avatar_name ?? null),
    (view.page === "start" && context?.name) || t("ai_assistant"),
    [
      ...(talking && layout.kind === "stacked"
        ? [{ icon: "more", label: t("more"), press: panel.toggleMore } as const]
        : []),
      ...(traits.floating ? [{ icon: leave, label: t(leave), press: panel.minimise } as const] : []),
    ],
  );
}

function overPicture(state: PanelState): unknown {
  const { model, panel, views } = state;
  const { t, view, layout, traits } = model;
  if (layout.kind !== "overlay" || !views.overlay) return badgeView(t, view.badge, panel);
  // Beside an open transcript the picture may be too narrow for captions below the face.
  const covered = model.textOpen && !traits.captionsBesideColumn;
  return views.overlay.overlayControls({
    ...controlsProps(state),
    badge: view.badge,
    badgeActions: panel,
    captions: covered ? nothing : captions(state),
  });
}

function controlsProps({ model, panel }: PanelState) {
  const { t, captionsOn, textOpen, view } = model;
  return { t, captionsOn, textOpen, canType: view.canType, actions: panel };
}

function captions({ model, session, context, touch, wholeSentences, panel }: PanelState): unknown {
  const { t, view } = model;
  return captionBar({
    t,
    content: view.captionBar,
    attempt: session.attempt,
    typeHint: view.canType ? t(touch ? "type_hint_touch" : "type_hint") : null,
    wholeSentences,
    suggestions: context?.ui.suggestions ?? [],
    send: panel.send,
  });
}

/** Caption bar and controls. Screen readers are told whole answers by a live region instead. */
function voice(state: PanelState): unknown {
  const { captionsOn, view } = state.model;
  const bar =
    captionsOn || view.captionBar.kind !== "none"
      ? html`<div class="vv-captions" part="words" aria-live="off">${captions(state)}</div>`
      : html`<div class="vv-gap"></div>`;
  return html`${bar}${controls(controlsProps(state))}`;
}

function below({ model, session, context, textOnly, panel, views }: PanelState): unknown {
  const { t, view, mode, layout } = model;
  const ui = context?.ui ?? {};
  if (mode === "text")
    return views.transcript?.transcriptView({
      t,
      transcript: session.transcript,
      thinking: session.activity === "thinking",
      fault: faultOf(session),
      suggestions: ui.suggestions ?? [],
      draft: panel.draft,
      changeDraft: panel.changeDraft,
      send: panel.send,
      close: !textOnly && layout.kind === "stacked" ? panel.toggleText : null,
    });
  const { begin, copied, handleCopy } = panel;
  const name = context?.avatar_name ?? "";
  const kept = { t, name, transcript: session.transcript, copied, handleCopy };
  if (mode === "more") return views.pages?.morePage({ ...kept, close: panel.toggleMore, end: panel.end });
  if (mode === "page") {
    const terms = { t, consentText: ui.consent_text ?? null, privacyUrl: ui.privacy_url ?? null };
    return view.badge.kind === "begin"
      ? views.pages?.inlineNote(terms)
      : views.pages?.startPage(terms, begin);
  }
  if (view.page === "error")
    return views.pages?.errorPage({
      t,
      name,
      error: session.error,
      contactUrl: ui.contact_url ?? null,
      begin,
    });
  const { liveSinceMs, endedAtMs } = session;
  const durationMs = liveSinceMs && endedAtMs ? endedAtMs - liveSinceMs : 0;
  return views.pages?.endedPage({ ...kept, durationMs, begin });
}
