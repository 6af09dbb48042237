import { SpokenAnswer } from "../../../markdown/index.ts";
import { mayHoldMarkup } from "../../../markdown/markup.ts";
import type { LlmStreamEvent } from "../../../protocol/answers/llm-stream.ts";
import type { SessionRecord } from "../../store/store.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { findPrompt } from "../life/session-references.ts";
import { sessionSpeech } from "./session-speech.ts";
import { sessionVoice, voiceForText } from "./session-voice.ts";
import { setImmediate } from "node:timers/promises";
import type { EmbedConfig } from "../../../protocol/settings/embed-config.ts";

/** A text as the client will say it: without the marks of Markdown. `isComplete`: nothing follows it. */
function asSpoken(text: string, isComplete = false): string {
  return mayHoldMarkup(text) ? (new SpokenAnswer("en").read(text, isComplete)?.text ?? "") : text;
}

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
    const isText = isFirst && event.status === "success" && event.type === "message" && (await speaks);
    const text = isText ? asSpoken(event.content) : "";
    if (text.trim() !== "") {
      isFirst = false;
      // An error here happens again when the client requests the speech, and is reported then.
      void sessionSpeech(dependencies, session, { text, rate, signal });
    }
    yield event;
  }
}

/** A voice, and what a context lets it say first. */
export interface SpokenFirst {
  tts_type?: string | undefined;
  greeting?: string;
  config?: Pick<EmbedConfig, "voice">;
}

/**
 * Prepares the engine of a voice that will probably speak soon, so that the visitor does not wait for its start. Until then it
 * takes no memory. An engine that keeps its speech prepares the greeting: every visitor hears it. A voice that does not exist or is
 * not available is ignored.
 */
export async function prepareVoice(
  dependencies: Pick<SessionDependencies, "store" | "synthesizer">,
  organizationId: string,
  { tts_type, greeting = "", config }: SpokenFirst,
): Promise<void> {
  if (tts_type === undefined) return;
  try {
    // The request that is being answered must not wait for an engine that takes this thread's time to start.
    await setImmediate();
    const text = asSpoken(greeting, true);
    const found = await voiceForText(dependencies, { organizationId }, { tts_type }, { text });
    if (!found || "unspeakable" in found) return;
    const { engine, voice } = found;
    if (text.trim() === "" || !engine.remembers) engine.prepare?.();
    else engine.prepare?.({ text, voice, rate: config?.voice?.rate, pitch: config?.voice?.pitch });
  } catch {
    // Whoever uses the voice makes the same call and reports the error.
  }
}
