import { setImmediate } from "node:timers/promises";
import type { SessionDependencies } from "./session-dependencies.ts";

/**
 * Prepares the engine of a voice that will probably speak soon, so that the visitor does not wait for its start. Until then it
 * takes no memory. A voice that does not exist or is not available is ignored.
 */
export async function prepareVoice(
  { store, synthesizer }: Pick<SessionDependencies, "store" | "synthesizer">,
  organizationId: string,
  ttsType: string | undefined,
): Promise<void> {
  if (ttsType === undefined) return;
  try {
    const row = await store.catalogue.row("tts_type", organizationId, ttsType);
    // The request that is being answered must not wait for an engine that takes this thread's time to start.
    await setImmediate();
    if (row) synthesizer(row)?.prepare?.();
  } catch {
    // Whoever uses the voice makes the same call and reports the error.
  }
}
