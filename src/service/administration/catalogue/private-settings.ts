import * as z from "zod";
import { Fault } from "../../faults/fault.ts";
import { validated } from "../../http/operations/validation.ts";
import type { EngineSettings } from "../../store/store.ts";

/** The settings parsed by their schema. Throws a Fault whose field names begin with `engine`. */
export function settingsBy<Settings>(schema: z.ZodType<Settings>, engine: EngineSettings | null): Settings {
  return validated(z.object({ engine: schema }), { engine: engine ?? {} }).engine;
}

/** Refuses private settings that nothing would read. */
export function checkNoSettings(engine: EngineSettings | null, whose: string): string[] {
  if (engine === null) return [];
  throw Fault.invalid("invalid", `${whose} has no engine settings; leave engine out.`, "engine");
}
