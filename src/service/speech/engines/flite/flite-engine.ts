import * as z from "zod";
import { Fault } from "../../../faults/fault.ts";
import type { SpeechEngine } from "../../speech-engine.ts";
import { fliteVoices } from "./flite-program.ts";

/** Flite: English, offline, always available. */
export const fliteEngine: SpeechEngine<object> = {
  kind: "flite",
  isBuiltIn: true,
  settingsSchema: z.object({}),
  check({ body: { voice = null } }) {
    if (voice !== null && !fliteVoices.some((known) => known === voice))
      throw Fault.invalid("invalid_choice", `Flite has the voices ${fliteVoices.join(", ")}.`, "voice");
    return [];
  },
  createSynthesizer: (_entry, { flite }) => flite,
};
