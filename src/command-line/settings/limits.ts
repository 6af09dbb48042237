import { defaultEngineBudgets, type EngineBudgets } from "../../service/service-settings.ts";
import { type Environment, SettingsError } from "./environment-values.ts";
import { keysOf } from "../../protocol/schema/keys-of.ts";
import { defaultRelayLimits, type RelayLimits } from "../../relay/index.ts";

/** A limit that `0` or `off` turns off. */
function budgetLimit(env: Environment, name: string, fallback: number): number {
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
      turnsAtOnce: budgetLimit(env, "VISAVIS_SESSION_TURNS_AT_ONCE", session.turnsAtOnce),
      turnsPerMinute: budgetLimit(env, "VISAVIS_SESSION_TURNS_PER_MINUTE", session.turnsPerMinute),
      charactersPerMinute: budgetLimit(
        env,
        "VISAVIS_SESSION_CHARACTERS_PER_MINUTE",
        session.charactersPerMinute,
      ),
      recognitionsPerMinute: budgetLimit(
        env,
        "VISAVIS_SESSION_RECOGNITIONS_PER_MINUTE",
        session.recognitionsPerMinute,
      ),
    },
    context: {
      turnsPerDay: budgetLimit(env, "VISAVIS_CONTEXT_TURNS_PER_DAY", context.turnsPerDay),
      charactersPerDay: budgetLimit(env, "VISAVIS_CONTEXT_CHARACTERS_PER_DAY", context.charactersPerDay),
    },
  };
}

/** The environment variables of the relay's limits. */
const variables = {
  readsPerMinutePerAddress: "VISAVIS_RELAY_READS_PER_ADDRESS",
  startsPerMinutePerAddress: "VISAVIS_RELAY_STARTS_PER_ADDRESS",
  startsPerMinutePerVisitor: "VISAVIS_RELAY_STARTS_PER_VISITOR",
  startsPerMinutePerContext: "VISAVIS_RELAY_STARTS_PER_CONTEXT",
  livePerAddress: "VISAVIS_RELAY_LIVE_PER_ADDRESS",
  livePerVisitor: "VISAVIS_RELAY_LIVE_PER_VISITOR",
  livePerContext: "VISAVIS_RELAY_LIVE_PER_CONTEXT",
  visitorsPerAddress: "VISAVIS_RELAY_VISITORS_PER_ADDRESS",
} as const satisfies Record<keyof RelayLimits, string>;

function limit(name: string, text: string): number {
  if (text.toLowerCase() === "none") return Infinity;
  const value = Number(text);
  if (/^\d{1,8}$/.test(text) && value > 0) return value;
  throw new SettingsError(`${name} is "${text}"; set a whole number from 1 to 99999999, or none.`);
}

/** Reads the relay's limits from the environment. Throws SettingsError for the first invalid one. */
export function readRelayLimits(env: Record<string, string | undefined>): RelayLimits {
  const limits = { ...defaultRelayLimits };
  for (const key of keysOf(variables)) {
    const text = env[variables[key]];
    if (text) limits[key] = limit(variables[key], text);
  }
  return limits;
}
