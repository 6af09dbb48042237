import type { TranscriptEntry } from "../../client/index.ts";
import { mayHoldMarkup } from "../../markdown/markup.ts";
import type { PanelState, PartsState } from "./panel-state.ts";

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
function needsRich({ session, context }: PanelState): boolean {
  return (
    Object.keys(context?.ui ?? {}).some((key) => key.startsWith("handover")) ||
    session.transcript.some(({ content }) => content)
  );
}

/** The views that the transcript needs: of answers with formatting, and of what it has besides texts. */
export function transcriptViews(given: PanelState): Pick<PartsState, "formatting" | "rich"> {
  return {
    formatting: viewFor("formatted", given, hasFormatting(given.session.transcript)),
    rich: viewFor("rich", given, needsRich(given)),
  };
}
