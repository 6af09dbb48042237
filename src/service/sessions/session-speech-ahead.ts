import type { LlmStreamEvent } from "../../protocol/llm-stream.ts";
import type { SessionRecord } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { findPrompt } from "./session-references.ts";
import { sessionSpeech } from "./session-speech.ts";

type AheadDependencies = Parameters<typeof sessionSpeech>[0] &
  Pick<SessionDependencies, "store" | "synthesizer">;

/** The session's voice hears of the words that it will probably say: those of the prompt, which answers are taken from. */
export async function expectWords(dependencies: AheadDependencies, session: SessionRecord): Promise<void> {
  const { store, synthesizer } = dependencies;
  const request = (await store.sessions.detail(session.id))?.request;
  if (request?.prompt === undefined || request.tts_type === undefined) return;
  const row = await store.catalogue.row("tts_type", session.organizationId, request.tts_type);
  const voice = row && synthesizer(row);
  if (!voice?.expect) return;
  const prompt = await findPrompt(store, session.organizationId, request.prompt);
  if (prompt) voice.expect(prompt.system_prompt);
}

/** Whether the session speaks with a voice that keeps what it is asked for ahead. */
async function speaksFromMemory(
  { store, synthesizer }: AheadDependencies,
  session: SessionRecord,
): Promise<boolean> {
  const request = (await store.sessions.detail(session.id))?.request;
  if (!request?.capability.includes("STF_WEBRTC") || request.tts_type === undefined) return false;
  const row = await store.catalogue.row("tts_type", session.organizationId, request.tts_type);
  return (row && synthesizer(row)?.remembers) ?? false;
}

/**
 * The answer as it comes. Its first piece begins to be spoken while it still travels to the client, which will ask for
 * just this text: the voice then starts a round trip earlier. Later pieces have time. Aborting `signal` gives it up.
 */
export async function* speakingAhead(
  dependencies: AheadDependencies,
  session: SessionRecord,
  events: AsyncIterable<LlmStreamEvent>,
  signal: AbortSignal,
): AsyncIterable<LlmStreamEvent> {
  let isSpoken = await speaksFromMemory(dependencies, session).catch(() => false);
  for await (const event of events) {
    const text = event.status === "success" && event.type === "message" ? event.content : "";
    if (isSpoken && text.trim() !== "") {
      isSpoken = false;
      // What fails here fails again, and is told, when the client asks for it.
      void sessionSpeech(dependencies, session, { text, signal });
    }
    yield event;
  }
}
