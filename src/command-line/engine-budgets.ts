import { SettingsError } from "./settings-error.ts";

/** What sessions may ask of engines. */
export interface EngineBudgetSettings {
  session: {
    turnsAtOnce: number;
    turnsPerMinute: number;
    charactersPerMinute: number;
    recognitionsPerMinute: number;
  };
  context: { turnsPerDay: number; charactersPerDay: number };
}

type Environment = Record<string, string | undefined>;

/** A limit that `0` or `off` turns off. */
function limit(env: Environment, name: string, fallback: number): number {
  const text = env[name]?.toLowerCase();
  if (text === "0" || text === "off") return Infinity;
  const [min, max] = [1, 1_000_000_000];
  if (text && !(Number.isInteger(Number(text)) && Number(text) >= min && Number(text) <= max))
    throw new SettingsError(
      `${name} is "${text}"; set a whole number from ${min} to ${max}, or off for no limit.`,
    );
  return text ? Number(text) : fallback;
}

/** Reads what sessions may ask of engines; Infinity where there is no limit. Throws SettingsError. */
export function readEngineBudgets(env: Environment): EngineBudgetSettings {
  return {
    session: {
      turnsAtOnce: limit(env, "VISAVIS_SESSION_TURNS_AT_ONCE", 1),
      turnsPerMinute: limit(env, "VISAVIS_SESSION_TURNS_PER_MINUTE", 20),
      charactersPerMinute: limit(env, "VISAVIS_SESSION_CHARACTERS_PER_MINUTE", 6_000),
      recognitionsPerMinute: limit(env, "VISAVIS_SESSION_RECOGNITIONS_PER_MINUTE", 30),
    },
    context: {
      turnsPerDay: limit(env, "VISAVIS_CONTEXT_TURNS_PER_DAY", 5_000),
      charactersPerDay: limit(env, "VISAVIS_CONTEXT_CHARACTERS_PER_DAY", 2_000_000),
    },
  };
}
