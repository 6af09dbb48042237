import type { LlmStreamEvent } from "../../protocol/llm-stream.ts";
import type { SessionRecord } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { findPrompt } from "./session-references.ts";
import { sessionSpeech } from "./session-speech.ts";
import { sessionVoice } from "./session-voice.ts";

type AheadDependencies = Parameters<typeof sessionSpeech>[0] &
  Pick<SessionDependencies, "store" | "synthesizer">;

/** The session's voice hears of the words that it will probably say: those of the prompt, which answers are taken from. */
export async function expectWords(dependencies: AheadDependencies, session: SessionRecord): Promise<void> {
  const { store } = dependencies;
  const request = (await store.sessions.detail(session.id))?.request;
  if (request?.prompt === undefined) return;
  const spoken = await sessionVoice(dependencies, session, request);
  if (!spoken?.engine.expect) return;
  const prompt = await findPrompt(store, session.organizationId, request.prompt);
  if (prompt) spoken.engine.expect(prompt.system_prompt);
}

/**
 * Whether the session speaks with a voice that keeps what it is asked for ahead. Not where texts are normalized first: that
 * would be done twice, and its hooks called twice.
 */
async function speaksFromMemory(dependencies: AheadDependencies, session: SessionRecord): Promise<boolean> {
  const request = (await dependencies.store.sessions.detail(session.id))?.request;
  if (!request?.capability.includes("STF_WEBRTC") || request.text_normalization_config !== undefined)
    return false;
  return (await sessionVoice(dependencies, session, request))?.engine.remembers ?? false;
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
  const speaks = speaksFromMemory(dependencies, session).catch(() => false);
  let isFirst = true;
  for await (const event of events) {
    const text = event.status === "success" && event.type === "message" ? event.content : "";
    if (isFirst && text.trim() !== "" && (await speaks)) {
      isFirst = false;
      // What fails here fails again, and is told, when the client asks for it.
      void sessionSpeech(dependencies, session, { text, signal });
    }
    yield event;
  }
}
