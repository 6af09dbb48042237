import type { LlmStreamEvent } from "../../protocol/llm-stream.ts";
import type { SessionRecord } from "../store/store.ts";
import { asSpoken } from "./as-spoken.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { findPrompt } from "./session-references.ts";
import { sessionSpeech } from "./session-speech.ts";
import { sessionVoice } from "./session-voice.ts";

type AheadDependencies = Parameters<typeof sessionSpeech>[0] &
  Pick<SessionDependencies, "store" | "synthesizer">;

/** Tells the session's voice which words it will probably say: those of the prompt, because answers are taken from it. */
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
 * Whether the session's voice keeps speech that is synthesized ahead. False when texts are normalized first: normalization would
 * run twice and call its hooks twice.
 */
async function speaksFromMemory(dependencies: AheadDependencies, session: SessionRecord): Promise<boolean> {
  const request = (await dependencies.store.sessions.detail(session.id))?.request;
  if (!request?.capability.includes("STF_WEBRTC") || request.text_normalization_config !== undefined)
    return false;
  return (await sessionVoice(dependencies, session, request))?.engine.remembers ?? false;
}

/**
 * The answer as it arrives. Its first piece is synthesized while the text still travels to the client, which will request speech
 * for exactly this text. So speech starts one round trip earlier. Later pieces are not urgent. `rate`: the client's own.
 * Aborting `signal` stops it.
 */
export async function* speakingAhead(
  dependencies: AheadDependencies,
  session: SessionRecord,
  events: AsyncIterable<LlmStreamEvent>,
  { rate, signal }: { rate: number | undefined; signal: AbortSignal },
): AsyncIterable<LlmStreamEvent> {
  const speaks = speaksFromMemory(dependencies, session).catch(() => false);
  let isFirst = true;
  for await (const event of events) {
    const isText = isFirst && event.status === "success" && event.type === "message";
    const text = isText ? asSpoken(event.content) : "";
    if (text.trim() !== "" && (await speaks)) {
      isFirst = false;
      // An error here happens again when the client requests the speech, and is reported then.
      void sessionSpeech(dependencies, session, { text, rate, signal });
    }
    yield event;
  }
}
