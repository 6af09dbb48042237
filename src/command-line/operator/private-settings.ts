import * as z from "zod";
import { Fault } from "../../service/fault.ts";
import { validated } from "../../service/http/validation.ts";
import type { EngineSettings } from "../../service/store/store.ts";

/** The settings as their schema reads them. Throws a Fault whose fields begin with `engine`. */
export function settingsBy<Settings>(schema: z.ZodType<Settings>, engine: EngineSettings | null): Settings {
  return validated(z.object({ engine: schema }), { engine: engine ?? {} }).engine;
}

/** Refuses private settings that nobody would read. */
export function checkNoSettings(engine: EngineSettings | null, whose: string): string[] {
  if (engine === null) return [];
  throw Fault.invalid("invalid", `${whose} has no private settings; leave engine out.`, "engine");
}
