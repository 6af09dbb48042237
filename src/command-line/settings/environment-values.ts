import { withoutLastSlashes } from "../../protocol/last-slashes.ts";

/** An invalid setting. The message says which one, its value, and which values are valid. */
export class SettingsError extends Error {
  readonly code = "invalid_setting";
}

/** The variables that settings are read from. */
export type Environment = Record<string, string | undefined>;

/** A whole number within a range (`[min, max]`). Throws SettingsError. */
export function whole(
  env: Environment,
  name: string,
  fallback: number,
  [min, max]: [number, number],
): number {
  const text = env[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new SettingsError(`${name} is "${text}"; set a whole number from ${min} to ${max}.`);
  return value;
}

/** A switch: true, false, and their usual synonyms. Throws SettingsError. */
export function yesOrNo(env: Environment, name: string, fallback: boolean): boolean {
  const text = env[name]?.toLowerCase();
  if (!text) return fallback;
  if (["1", "true", "yes", "on"].includes(text)) return true;
  if (["0", "false", "no", "off"].includes(text)) return false;
  throw new SettingsError(`${name} is "${text}"; set on or off, or true or false.`);
}

/** One of several words. Throws SettingsError. */
export function oneOf<Choice extends string>(
  env: Environment,
  name: string,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  const text = env[name] || fallback;
  const choice = choices.find((known) => known === text);
  if (choice === undefined)
    throw new SettingsError(`${name} is "${text}"; set one of ${choices.join(", ")}.`);
  return choice;
}

/** An http or https address, without a trailing slash. Throws SettingsError. */
export function webAddress(env: Environment, name: string): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new SettingsError(`${name} is "${text}"; set an http or https address.`);
  return withoutLastSlashes(text);
}

/** The address of another server. It may contain a password, so error messages do not repeat it. Throws SettingsError. */
export function serverAddress(
  env: Environment,
  name: string,
  schemes: readonly [string, ...string[]],
): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : "";
  if (!schemes.includes(scheme))
    throw new SettingsError(`${name} cannot be read; set an address such as ${schemes[0]}://host/name.`);
  return text;
}
