import type { SpeechSynthesizer } from "../speech/speech-synthesizer.ts";
import type { SessionRecord, SessionRequest } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";

/** The engine that speaks for a session, and the name of the voice it speaks with. */
interface SessionVoice {
  engine: SpeechSynthesizer;
  voice: string;
}

/** The voice that a session asked for; null where it asked for none, or for one that is not available. */
export async function sessionVoice(
  { store, synthesizer }: Pick<SessionDependencies, "store" | "synthesizer">,
  { organizationId }: SessionRecord,
  { tts_type: name }: SessionRequest,
): Promise<SessionVoice | null> {
  const row = name === undefined ? null : await store.catalogue.row("tts_type", organizationId, name);
  const engine = row && synthesizer(row);
  return engine && { engine, voice: row.body.voice ?? row.name };
}
