import { defaultEngineBudgets, type EngineBudgets } from "../service/service-settings.ts";
import type { Environment } from "./environment-values.ts";
import { SettingsError } from "./settings-error.ts";

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

/** Reads what sessions may use of engines; Infinity means no limit. Throws SettingsError. */
export function readEngineBudgets(env: Environment): EngineBudgets {
  const { session, context } = defaultEngineBudgets;
  return {
    session: {
      turnsAtOnce: limit(env, "VISAVIS_SESSION_TURNS_AT_ONCE", session.turnsAtOnce),
      turnsPerMinute: limit(env, "VISAVIS_SESSION_TURNS_PER_MINUTE", session.turnsPerMinute),
      charactersPerMinute: limit(env, "VISAVIS_SESSION_CHARACTERS_PER_MINUTE", session.charactersPerMinute),
      recognitionsPerMinute: limit(
        env,
        "VISAVIS_SESSION_RECOGNITIONS_PER_MINUTE",
        session.recognitionsPerMinute,
      ),
    },
    context: {
      turnsPerDay: limit(env, "VISAVIS_CONTEXT_TURNS_PER_DAY", context.turnsPerDay),
      charactersPerDay: limit(env, "VISAVIS_CONTEXT_CHARACTERS_PER_DAY", context.charactersPerDay),
    },
  };
}
