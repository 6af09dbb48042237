import { isApiKeyShaped } from "../../service/api-key.ts";
import { type Environment, SettingsError } from "./environment-values.ts";

const secretPattern = /^(?:[0-9a-f]{2}){32,}$/i;

/** Former secrets, separated by commas. Throws SettingsError. */
export function oldSecrets(env: Environment): string[] {
  const secrets = (env["VISAVIS_OLD_SECRETS"] ?? "").split(",").map((text) => text.trim());
  const given = secrets.filter((text) => text !== "");
  if (!given.every((text) => secretPattern.test(text)))
    throw new SettingsError(
      "VISAVIS_OLD_SECRETS is not valid; set former values of VISAVIS_SECRET, separated by commas.",
    );
  return given;
}

/** The secret behind all signatures. Throws SettingsError. */
export function secret(env: Environment): string | undefined {
  const text = env["VISAVIS_SECRET"];
  if (!text) return undefined;
  if (!secretPattern.test(text))
    throw new SettingsError("VISAVIS_SECRET is not valid; set at least 64 hexadecimal digits.");
  return text;
}

/** The operator's password for the console. Throws SettingsError. */
export function password(env: Environment): string | undefined {
  const text = env["VISAVIS_PASSWORD"];
  if (!text) return undefined;
  if (text.length < 8 || text.length > 1_024)
    throw new SettingsError("VISAVIS_PASSWORD is too short or too long; set 8 to 1024 characters.");
  return text;
}

/** The token between relay and service. Throws SettingsError. */
export function relayToken(env: Environment): string | undefined {
  const text = env["VISAVIS_RELAY_TOKEN"];
  if (!text) return undefined;
  if (!/^[\x21-\x7e]{32,1024}$/.test(text))
    throw new SettingsError(
      "VISAVIS_RELAY_TOKEN is not valid; set 32 to 1024 characters of ASCII without spaces.",
    );
  return text;
}

/** The first API key. It is secret, so the error does not repeat it. Throws SettingsError. */
export function apiKey(env: Environment): string | undefined {
  const text = env["VISAVIS_API_KEY"] || undefined;
  if (text !== undefined && !isApiKeyShaped(text))
    throw new SettingsError(
      "VISAVIS_API_KEY is not a key; set 8 to 256 printable characters without spaces.",
    );
  return text;
}
