import { isIP } from "node:net";
import { resolve } from "node:path";
import type { RelayLimits } from "../relay/index.ts";
import type { ForwardedHeader } from "./forwarded-hops.ts";
import { readEngineBudgets, type EngineBudgetSettings } from "./engine-budgets.ts";
import { readIceSettings, type IceSettings } from "./ice-settings.ts";
import { readRelayLimits } from "./relay-limit-settings.ts";
import { SettingsError } from "./settings-error.ts";
import { readTrustedProxies, type TrustedProxies } from "./trusted-proxies.ts";

export { SettingsError };

/** What the environment may set. Every field has a default that works on one machine. */
export interface Settings {
  port: number;
  /** Folder of rows, files and secrets. */
  dataFolder: string;
  /** Address under which visitors reach the relay, without a trailing slash; guessed from the port when not set. */
  publicUrl: string;
  apiKey: string | undefined;
  /** Postgres that keeps rows and files; undefined: they lie in the data folder. */
  databaseUrl: string | undefined;
  /** Redis that counts for several processes; undefined: each counts for itself. */
  redisUrl: string | undefined;
  /** What all that is signed is signed with, in hexadecimal; undefined: secrets of its own, kept in the data folder. */
  secret: string | undefined;
  /** Former values of `secret`: what the store encrypted with them is read and encrypted anew. */
  oldSecrets: readonly string[];
  /** Who may call the paths of a session; undefined: as suits the command. */
  sessionAccess: "open" | "key" | undefined;
  /** Origins whose pages may call the service with an API key. */
  apiOrigins: string[];
  /** What a relay in another process shows the service; undefined: made from `secret`, or kept in the data folder. */
  relayToken: string | undefined;
  /** The operator's password for the console. */
  password: string | undefined;
  /** Requests a minute. */
  rateLimits: {
    key: { reads: number; writes: number };
    session: { reads: number; writes: number };
    address: { reads: number; writes: number };
    loginsPerMinute: number;
  };
  /** Bytes of request bodies that may be in memory at once: all together, and those of one client address. */
  bodyLimits: { process: number; address: number };
  /** How much of the files that come with events is kept. */
  eventFiles: { maxFiles: number; maxBytes: number; storeMaxBytes: number; retentionDays: number };
  /** What a visitor may cost at the relay. */
  relayLimits: RelayLimits;
  /** Proxies whose word about visitors' addresses is taken. */
  trustedProxies: TrustedProxies;
  /** The header in which they say it; undefined: X-Forwarded-For, else Forwarded. */
  forwardedHeader: ForwardedHeader | undefined;
  /** What sessions may ask of engines; Infinity where the operator sets no limit. */
  engineBudgets: EngineBudgetSettings;
  /** The service that the relay talks to over HTTP; undefined when it runs in process. */
  remoteService: { baseUrl: string; apiKey: string; apiKeyHeader: string } | undefined;
  media: {
    processes: number;
    portRange: { min: number; max: number } | undefined;
    publicAddress: string | undefined;
    /** Whether media is sent to candidates in private networks: where the server itself is on one, always, or never. */
    privateCandidates: "auto" | "allow" | "deny";
  };
  ice: IceSettings;
  lease: { beforeConnectionSec: number; afterConnectionSec: number };
  /** Where eSpeak NG is installed; undefined: beside this program, if at all. */
  espeakFolder: string | undefined;
  /** The same of sherpa-onnx. */
  sherpaFolder: string | undefined;
  /** Whether hooks, tool servers and interactive agents may be called by http and in private networks. */
  allowPrivateAddresses: boolean;
}

type Environment = Record<string, string | undefined>;

function whole(env: Environment, name: string, fallback: number, [min, max]: [number, number]): number {
  const text = env[name];
  if (text === undefined || text === "") return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new SettingsError(`${name} is "${text}"; set a whole number from ${min} to ${max}.`);
  return value;
}

function portRange(env: Environment): { min: number; max: number } | undefined {
  const text = env["VISAVIS_MEDIA_PORTS"];
  if (!text) return undefined;
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(text);
  const min = Number(match?.[1]);
  const max = Number(match?.[2]);
  if (!match || min < 1024 || max > 65_535 || min > max)
    throw new SettingsError(`VISAVIS_MEDIA_PORTS is "${text}"; set a range such as 40000-40100.`);
  return { min, max };
}

function yesOrNo(env: Environment, name: string, fallback: boolean): boolean {
  const text = env[name]?.toLowerCase();
  if (!text) return fallback;
  if (["1", "true", "yes", "on"].includes(text)) return true;
  if (["0", "false", "no", "off"].includes(text)) return false;
  throw new SettingsError(`${name} is "${text}"; set true or false.`);
}

/** Clients connect to candidates of IP addresses only. */
function mediaAddress(env: Environment): string | undefined {
  const text = env["VISAVIS_MEDIA_ADDRESS"];
  if (!text) return undefined;
  if (isIP(text) === 0) throw new SettingsError(`VISAVIS_MEDIA_ADDRESS is "${text}"; set an IP address.`);
  return text;
}

function oneOf<Choice extends string>(env: Environment, name: string, choices: readonly Choice[]): Choice {
  const text = env[name] || choices[0]!;
  const choice = choices.find((known) => known === text);
  if (choice === undefined)
    throw new SettingsError(`${name} is "${text}"; set one of ${choices.join(", ")}.`);
  return choice;
}

function webAddress(env: Environment, name: string): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new SettingsError(`${name} is "${text}"; set an http or https address.`);
  return text.replace(/\/+$/, "");
}

/** The address of a server of another kind: it may hold a password, which is why it is not repeated. */
function serverAddress(env: Environment, name: string, schemes: readonly string[]): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  const scheme = URL.canParse(text) ? new URL(text).protocol.slice(0, -1) : "";
  if (!schemes.includes(scheme))
    throw new SettingsError(`${name} cannot be read; set an address such as ${schemes[0]!}://host/name.`);
  return text;
}

const secretPattern = /^(?:[0-9a-f]{2}){32,}$/i;

function oldSecrets(env: Environment): string[] {
  const secrets = (env["VISAVIS_OLD_SECRETS"] ?? "").split(",").map((text) => text.trim());
  const given = secrets.filter((text) => text !== "");
  if (!given.every((text) => secretPattern.test(text)))
    throw new SettingsError(
      "VISAVIS_OLD_SECRETS cannot be used; set former values of VISAVIS_SECRET, parted by commas.",
    );
  return given;
}

function secret(env: Environment): string | undefined {
  const text = env["VISAVIS_SECRET"];
  if (!text) return undefined;
  if (!secretPattern.test(text))
    throw new SettingsError("VISAVIS_SECRET cannot be used; set at least 64 hexadecimal digits.");
  return text;
}

function remoteService(env: Environment): Settings["remoteService"] {
  const baseUrl = webAddress(env, "SERVICE_BASE_URL");
  if (!baseUrl) return undefined;
  const apiKey = env["SERVICE_API_KEY"];
  if (!apiKey)
    throw new SettingsError("SERVICE_BASE_URL is set but SERVICE_API_KEY is not; set the service's API key.");
  return { baseUrl, apiKey, apiKeyHeader: env["SERVICE_API_KEY_HEADER"] || "ServicePlatform-APIKey" };
}

function password(env: Environment): string | undefined {
  const text = env["VISAVIS_PASSWORD"];
  if (!text) return undefined;
  if (text.length < 8 || text.length > 1_024)
    throw new SettingsError("VISAVIS_PASSWORD is too short or too long; set 8 to 1024 characters.");
  return text;
}

function sessionAccess(env: Environment): Settings["sessionAccess"] {
  const text = env["VISAVIS_SESSION_ACCESS"];
  if (!text) return undefined;
  if (text === "open" || text === "key") return text;
  throw new SettingsError(`VISAVIS_SESSION_ACCESS is "${text}"; set open or key.`);
}

/** Origins as browsers send them: nothing else would ever match. */
function apiOrigins(env: Environment): string[] {
  const texts = (env["VISAVIS_API_ORIGINS"] ?? "").split(",").map((text) => text.trim());
  const origins = texts.filter((text) => text !== "");
  for (const text of origins) {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.origin !== text || !/^https?:\/\/[a-z\d.:[\]-]+$/.test(text))
      throw new SettingsError(
        `VISAVIS_API_ORIGINS has "${text}"; set origins such as https://shop.example, parted by commas.`,
      );
  }
  return origins;
}

function relayToken(env: Environment): string | undefined {
  const text = env["VISAVIS_RELAY_TOKEN"];
  if (!text) return undefined;
  if (!/^[\x21-\x7e]{32,1024}$/.test(text))
    throw new SettingsError(
      "VISAVIS_RELAY_TOKEN cannot be used; set 32 to 1024 characters of ASCII without spaces.",
    );
  return text;
}

function rateLimits(env: Environment): Settings["rateLimits"] {
  const perMinute = (name: string, fallback: number) =>
    whole(env, `VISAVIS_${name}_PER_MINUTE`, fallback, [1, 10_000_000]);
  return {
    key: { reads: perMinute("READS", 6_000), writes: perMinute("WRITES", 1_800) },
    session: { reads: perMinute("SESSION_READS", 600), writes: perMinute("SESSION_WRITES", 600) },
    address: { reads: perMinute("ADDRESS_READS", 600), writes: perMinute("ADDRESS_WRITES", 600) },
    loginsPerMinute: perMinute("LOGINS", 10),
  };
}

function bodyLimits(env: Environment): Settings["bodyLimits"] {
  const megabytes = (name: string, fallback: number) =>
    whole(env, name, fallback, [1, 1_000_000]) * 1024 * 1024;
  return {
    process: megabytes("VISAVIS_BODIES_MB", 128),
    address: megabytes("VISAVIS_ADDRESS_BODIES_MB", 48),
  };
}

function eventFiles(env: Environment): Settings["eventFiles"] {
  const megabytes = (name: string, fallback: number) =>
    whole(env, name, fallback, [0, 100_000_000]) * 1024 * 1024;
  return {
    maxFiles: whole(env, "VISAVIS_EVENT_FILES", 20, [0, 100_000]),
    maxBytes: megabytes("VISAVIS_EVENT_FILES_MB", 50),
    storeMaxBytes: megabytes("VISAVIS_EVENT_STORE_MB", 1_024),
    retentionDays: whole(env, "VISAVIS_EVENT_FILE_DAYS", 30, [1, 36_500]),
  };
}

function forwardedHeader(env: Environment): ForwardedHeader | undefined {
  const text = env["VISAVIS_FORWARDED_HEADER"]?.toLowerCase();
  if (!text) return undefined;
  if (text === "x-forwarded-for" || text === "forwarded") return text;
  throw new SettingsError(`VISAVIS_FORWARDED_HEADER is "${text}"; set X-Forwarded-For or Forwarded.`);
}

/** Reads the settings from the environment. Throws SettingsError on the first that cannot be used. */
export function readSettings(env: Environment): Settings {
  const port = whole(env, "PORT", 8787, [1, 65_535]);
  return {
    port,
    dataFolder: resolve(env["VISAVIS_DATA"] || ".visavis"),
    publicUrl: webAddress(env, "VISAVIS_PUBLIC_URL") ?? `http://localhost:${port}`,
    apiKey: env["VISAVIS_API_KEY"] || undefined,
    databaseUrl: serverAddress(env, "DATABASE_URL", ["postgres", "postgresql"]),
    redisUrl: serverAddress(env, "REDIS_URL", ["redis", "rediss"]),
    secret: secret(env),
    oldSecrets: oldSecrets(env),
    sessionAccess: sessionAccess(env),
    apiOrigins: apiOrigins(env),
    relayToken: relayToken(env),
    password: password(env),
    rateLimits: rateLimits(env),
    bodyLimits: bodyLimits(env),
    eventFiles: eventFiles(env),
    relayLimits: readRelayLimits(env),
    trustedProxies: readTrustedProxies(env["VISAVIS_TRUSTED_PROXIES"], "VISAVIS_TRUSTED_PROXIES"),
    forwardedHeader: forwardedHeader(env),
    engineBudgets: readEngineBudgets(env),
    remoteService: remoteService(env),
    media: {
      processes: whole(env, "VISAVIS_MEDIA_PROCESSES", 1, [1, 64]),
      portRange: portRange(env),
      publicAddress: mediaAddress(env),
      privateCandidates: oneOf(env, "VISAVIS_MEDIA_PRIVATE_CANDIDATES", ["auto", "allow", "deny"]),
    },
    ice: readIceSettings(env, whole(env, "VISAVIS_TURN_TTL_SEC", 86_400, [60, 604_800])),
    lease: {
      beforeConnectionSec: whole(env, "VISAVIS_CONNECT_SEC", 60, [1, 3_600]),
      afterConnectionSec: whole(env, "VISAVIS_LEASE_SEC", 30, [1, 3_600]),
    },
    espeakFolder: env["VISAVIS_ESPEAK_PATH"] || undefined,
    sherpaFolder: env["VISAVIS_SHERPA_PATH"] || undefined,
    allowPrivateAddresses: yesOrNo(env, "VISAVIS_ALLOW_PRIVATE_ADDRESSES", false),
  };
}
