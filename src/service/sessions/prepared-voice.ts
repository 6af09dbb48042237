import { setImmediate } from "node:timers/promises";
import type { EmbedConfig } from "../../protocol/embed-config.ts";
import { asSpoken } from "./as-spoken.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { voiceForText } from "./session-voice.ts";

/** A voice, and what a context lets it say first. */
export interface SpokenFirst {
  tts_type?: string | undefined;
  greeting?: string;
  embed_config?: Pick<EmbedConfig, "voice">;
}

/**
 * Prepares the engine of a voice that will probably speak soon, so that the visitor does not wait for its start. Until then it
 * takes no memory. An engine that keeps its speech prepares the greeting: every visitor hears it. A voice that does not exist or is
 * not available is ignored.
 */
export async function prepareVoice(
  dependencies: Pick<SessionDependencies, "store" | "synthesizer">,
  organizationId: string,
  { tts_type, greeting = "", embed_config }: SpokenFirst,
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
    else
      engine.prepare?.({ text, voice, rate: embed_config?.voice?.rate, pitch: embed_config?.voice?.pitch });
  } catch {
    // Whoever uses the voice makes the same call and reports the error.
  }
}
