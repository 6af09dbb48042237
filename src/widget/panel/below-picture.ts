import { html } from "lit";
import { answerActions, type AnswerActions } from "../transcript/answer-actions.ts";
import type { StartChoices } from "./pages.ts";
import type { Export as Kept } from "./pages/transcript-export.ts";
import { drawnNotice, localeOf, textOf, workingText, type PartsState } from "./panel-state.ts";
import { devicesOf, recognizerOf } from "./voice-of.ts";

/** Whether the owner wants to know what visitors think. */
function hasFeedback({ context }: PartsState): boolean {
  return context !== null && context.ui.feedback !== false;
}

function actionsOf({ host, current, panel, formatting }: PartsState): AnswerActions {
  return answerActions(host, current, panel, textOf(formatting, "textToKeep"));
}

function transcript(state: PartsState): unknown {
  const { model, session, context, panel, views, formatting } = state;
  const { draft, changeDraft, send, answers } = panel;
  return views.transcript?.transcriptView({
    ...actionsOf(state),
    t: model.t,
    lang: model.lang,
    host: state.host,
    current: state.current,
    context,
    locale: localeOf(state),
    ui: context?.ui ?? {},
    transcript: session.transcript,
    thinking: session.activity === "thinking",
    working: workingText(state),
    contactUrl: context?.ui.contact_url ?? null,
    actions: panel,
    voice: session.voice,
    correctable: state.voice?.questionId ?? null,
    correct: panel.correct,
    formatting,
    feedback: hasFeedback(state),
    rich: state.rich,
    handover: state.handover.offer,
    personRow: state.person?.row ?? null,
    strip: state.person?.strip ?? null,
    fieldName: state.person?.fieldName ?? null,
    ways: state.handover.props,
    canType: model.view.canType,
    draft,
    changeDraft,
    send,
    answers,
    unsupported: model.unsupported,
    notice: drawnNotice(state),
    close: !model.textOnly && model.layout.kind === "stacked" ? panel.toggleText : null,
    talk: state.voice?.start ?? null,
  });
}

/** What the start page offers where visitors can speak; null elsewhere. */
function startsTalking(state: PartsState): StartChoices | null {
  const { model, context, current, panel } = state;
  const recognizer = model.textOnly ? null : recognizerOf(state);
  // Where the sound goes to the browser's maker, the visitor is told first, in the conversation.
  if (!current || current.mode === "text" || !recognizer || recognizer === "cloud") return null;
  const isHandsFree = (context?.ui.voice_mode ?? "both") !== "push-to-talk";
  return {
    talk() {
      panel.begin();
      // The panel says what is wrong with a microphone.
      if (isHandsFree) void current.listen().catch(() => undefined);
    },
    type: model.view.options.textInput
      ? () => {
          panel.begin();
          panel.toggleText();
        }
      : null,
  };
}

/** How long what is said is kept; null where it is not. */
function keptText({ model: { t, lang }, context, views }: PartsState): string | null {
  return views.pages?.keptText(t, lang, context) ?? null;
}

function settingsPage(state: PartsState): unknown {
  const { model, context, panel, views, reducedMotion } = state;
  const ui = context?.ui ?? {};
  return views.settings?.settingsPage({
    t: model.t,
    settings: panel.settings,
    choose: panel.choose,
    close: panel.toggleMore,
    end: panel.end,
    locale: localeOf(state),
    languages: ui.languages ?? [],
    captionsOn: model.captionsOn,
    canShowAvatar: !model.unsupported && (!model.textOnly || panel.settings.textOnly === true),
    systemReducesMotion: reducedMotion,
    privacyUrl: ui.privacy_url ?? null,
    kept: keptText(state),
    devices: devicesOf(state),
  });
}

/** The page after a conversation, or the message that is left there. */
function ended(state: PartsState, kept: Kept): unknown {
  const { session, panel, views } = state;
  const { liveSinceMs, endedAtMs } = session;
  const durationMs = liveSinceMs && endedAtMs ? endedAtMs - liveSinceMs : 0;
  const key = `conversation ${endedAtMs ?? 0}`;
  const given = panel.answers.ratings?.[key];
  const rating = hasFeedback(state) ? { t: kept.t, key, given, rate: actionsOf(state).rate } : null;
  const { message } = state.handover;
  if (message?.form) return html`<div class="vv-page" part="page">${message.form}</div>`;
  return views.pages?.endedPage({
    ...kept,
    message,
    durationMs,
    reason: session.endReason,
    rating,
    begin: panel.begin,
  });
}

/** What fills the panel below its picture: the transcript, or a page. */
export function belowPicture(state: PartsState): unknown {
  const { model, session, context, panel, views } = state;
  const { t, view, mode } = model;
  const ui = context?.ui ?? {};
  if (mode === "text") return transcript(state);
  const { begin, copied, handleCopy } = panel;
  const name = context?.avatar_name ?? "";
  const kept = {
    t,
    name,
    transcript: session.transcript,
    copied,
    handleCopy,
    textOf: textOf(state.formatting, "textToKeep"),
  };
  if (view.page === "settings") return [drawnNotice(state), settingsPage(state)];
  if (mode === "more")
    return [
      drawnNotice(state),
      views.pages?.morePage({
        ...kept,
        openSettings: panel.openSettings,
        close: panel.toggleMore,
        clear: actionsOf(state).clear,
        askForPerson: state.handover.choose,
        end: panel.end,
      }),
    ];
  if (mode === "page") {
    const terms = {
      t,
      consentText: ui.consent_text ?? null,
      kept: keptText(state),
      privacyUrl: ui.privacy_url ?? null,
    };
    return state.badge.kind === "begin"
      ? views.pages?.inlineNote(terms)
      : views.pages?.startPage(terms, begin, startsTalking(state));
  }
  if (view.page === "error")
    return views.pages?.errorPage({
      t,
      name,
      error: session.error,
      contactUrl: ui.contact_url ?? null,
      begin,
    });
  return ended(state, kept);
}
