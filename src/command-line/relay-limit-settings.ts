import { keysOf } from "../protocol/keys-of.ts";
import { defaultRelayLimits, type RelayLimits } from "../relay/index.ts";
import { SettingsError } from "./settings-error.ts";

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
