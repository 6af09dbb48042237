import { isIP } from "node:net";
import { resolve } from "node:path";
import { type LogLevel, logLevels } from "../../logging/logger.ts";
import type { RelayLimits } from "../../relay/index.ts";
import { type ForwardedHeader, readTrustedProxies, type TrustedProxies } from "./trusted-proxies.ts";
import { releasesUrl } from "../../service/administration/models/known-models.ts";
import type { EngineBudgets } from "../../service/service-settings.ts";
import { readEngineBudgets, readRelayLimits } from "./limits.ts";
import {
  type Environment,
  oneOf,
  serverAddress,
  SettingsError,
  webAddress,
  whole,
  yesOrNo,
} from "./environment-values.ts";
import { type IceSettings, readIceSettings } from "./ice-settings.ts";
import { apiKey, oldSecrets, password, relayToken, secret } from "./secret-settings.ts";

export { SettingsError };

/** The settings from the environment. Every field has a default that works on one machine. */
export interface Settings {
  port: number;
  /** Folder of the database rows, files and secrets. */
  dataFolder: string;
  /** Address of the releases from which models are installed, without a trailing slash. */
  modelsUrl: string;
  /** Address under which visitors reach the relay, without a trailing slash. Default: guessed from the port. */
  publicUrl: string;
  /** Address under which clients reach the service, without a trailing slash; undefined: the default of the command. */
  serviceUrl: string | undefined;
  apiKey: string | undefined;
  /** Postgres server for rows and files; undefined: they are in the data folder. */
  databaseUrl: string | undefined;
  /** Redis server with counters for several processes; undefined: each process counts for itself. */
  redisUrl: string | undefined;
  /** How long a request waits for its count in Redis, in ms; then its process counts alone. */
  redisTimeoutMs: number;
  /** The secret behind all signatures, in hexadecimal; undefined: separate secrets, stored in the data folder. */
  secret: string | undefined;
  /** Former values of `secret`: data that the store encrypted with them is read and encrypted again. */
  oldSecrets: readonly string[];
  /** Who may call the paths of a session; undefined: the default of the command. */
  sessionAccess: "open" | "key" | undefined;
  /** Origins whose pages may call the service with an API key. */
  apiOrigins: string[];
  /**
   * The token that a relay in another process sends to the service; undefined: derived from `secret`, or stored in the data
   * folder.
   */
  relayToken: string | undefined;
  /** Whether the console's pages are served. */
  console: boolean;
  /** The operator's password for the console. */
  password: string | undefined;
  /** Requests a minute. */
  rateLimits: {
    key: { reads: number; writes: number };
    session: { reads: number; writes: number };
    address: { reads: number; writes: number };
    loginsPerMinute: number;
  };
  /** Bytes of request bodies that may be in memory at once: in total, and per client address. */
  bodyLimits: { process: number; address: number };
  /**
   * Refused requests of one client address in 10 s before the address is blocked for a while. Infinity: never; undefined: the
   * default of the command.
   */
  refusalsPerAddress: number | undefined;
  /** How many of the files uploaded with events are stored. */
  eventFiles: { maxFiles: number; maxBytes: number; storeMaxBytes: number; retentionDays: number };
  /** Limits on what a visitor may use at the relay. */
  relayLimits: RelayLimits;
  /** Proxies that are trusted to report visitors' addresses. */
  trustedProxies: TrustedProxies;
  /** The header with these addresses; undefined: X-Forwarded-For, else Forwarded. */
  forwardedHeader: ForwardedHeader | undefined;
  /** What sessions may use of engines; Infinity when the operator sets no limit. */
  engineBudgets: EngineBudgets;
  /** The service that the relay calls over HTTP; undefined when it runs in the same process. */
  remoteService: { baseUrl: string; apiKey: string; apiKeyHeader: string } | undefined;
  media: {
    processes: number;
    portRange: { min: number; max: number } | undefined;
    publicAddress: string | undefined;
    /** Whether media is sent to candidates in private networks: only if the server itself is on one, always, or never. */
    privateCandidates: "auto" | "allow" | "deny";
  };
  ice: IceSettings;
  lease: { beforeConnectionSec: number; afterConnectionSec: number };
  /** Whether visitors' sessions wait for the restart when the server stops, or end. */
  sessionsOnStop: "resume" | "end";
  /** Whether hooks, tool servers and interactive agents may be called over http and in private networks. */
  allowPrivateAddresses: boolean;
  /** The lowest level that is logged. */
  logLevel: LogLevel;
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

/** Must be an IP address: clients connect only to candidates with IP addresses. */
function mediaAddress(env: Environment): string | undefined {
  const text = env["VISAVIS_MEDIA_ADDRESS"];
  if (!text) return undefined;
  if (isIP(text) === 0) throw new SettingsError(`VISAVIS_MEDIA_ADDRESS is "${text}"; set an IP address.`);
  return text;
}

function remoteService(env: Environment): Settings["remoteService"] {
  const baseUrl = webAddress(env, "SERVICE_BASE_URL");
  if (!baseUrl) return undefined;
  const apiKey = env["SERVICE_API_KEY"];
  if (!apiKey)
    throw new SettingsError(
      "SERVICE_BASE_URL is set but SERVICE_API_KEY is not; set SERVICE_API_KEY to the service's API key.",
    );
  return { baseUrl, apiKey, apiKeyHeader: env["SERVICE_API_KEY_HEADER"] || "ServicePlatform-APIKey" };
}

function sessionAccess(env: Environment): Settings["sessionAccess"] {
  const text = env["VISAVIS_SESSION_ACCESS"];
  if (!text) return undefined;
  if (text === "open" || text === "key") return text;
  throw new SettingsError(`VISAVIS_SESSION_ACCESS is "${text}"; set open or key.`);
}

/** Origins exactly as browsers send them, because no other form would ever match. */
function apiOrigins(env: Environment): string[] {
  const texts = (env["VISAVIS_API_ORIGINS"] ?? "").split(",").map((text) => text.trim());
  const origins = texts.filter((text) => text !== "");
  for (const text of origins) {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.origin !== text || !/^https?:\/\/[a-z\d.:[\]-]+$/.test(text))
      throw new SettingsError(
        `VISAVIS_API_ORIGINS has "${text}"; set origins such as https://shop.example, separated by commas.`,
      );
  }
  return origins;
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

function refusalsPerAddress(env: Environment): number | undefined {
  const text = env["VISAVIS_REFUSALS_PER_ADDRESS"];
  if (!text) return undefined;
  if (text.toLowerCase() === "none") return Infinity;
  return whole(env, "VISAVIS_REFUSALS_PER_ADDRESS", 0, [1, 1_000_000]);
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

/** Why each variable is invalid. A message begins with the name of its variable, which is left out to find the next one. */
function settingsFaults(env: Environment): string[] {
  const rest = { ...env };
  const faults: string[] = [];
  for (;;)
    try {
      settingsOf(rest);
      return faults;
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      faults.push(error.message);
      const name = /^[A-Z][A-Z0-9_]*/.exec(error.message)?.[0] ?? "";
      if (!rest[name]) return faults;
      rest[name] = undefined;
    }
}

/** Reads the settings from the environment. Throws SettingsError with one line for each invalid variable. */
export function readSettings(env: Environment): Settings {
  const faults = settingsFaults(env);
  if (faults.length > 0) throw new SettingsError(faults.join("\n"));
  return settingsOf(env);
}

function settingsOf(env: Environment): Settings {
  const port = whole(env, "PORT", 8787, [1, 65_535]);
  return {
    port,
    dataFolder: resolve(env["VISAVIS_DATA"] || ".visavis"),
    modelsUrl: webAddress(env, "VISAVIS_MODELS_URL") ?? releasesUrl,
    publicUrl: webAddress(env, "VISAVIS_PUBLIC_URL") ?? `http://localhost:${port}`,
    serviceUrl: webAddress(env, "VISAVIS_SERVICE_URL"),
    apiKey: apiKey(env),
    databaseUrl: serverAddress(env, "DATABASE_URL", ["postgres", "postgresql"]),
    redisUrl: serverAddress(env, "REDIS_URL", ["redis", "rediss"]),
    redisTimeoutMs: whole(env, "VISAVIS_REDIS_TIMEOUT_MS", 500, [10, 60_000]),
    secret: secret(env),
    oldSecrets: oldSecrets(env),
    sessionAccess: sessionAccess(env),
    apiOrigins: apiOrigins(env),
    relayToken: relayToken(env),
    password: password(env),
    rateLimits: rateLimits(env),
    bodyLimits: bodyLimits(env),
    refusalsPerAddress: refusalsPerAddress(env),
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
      privateCandidates: oneOf(env, "VISAVIS_MEDIA_PRIVATE_CANDIDATES", ["auto", "allow", "deny"], "auto"),
    },
    ice: readIceSettings(env, whole(env, "VISAVIS_TURN_TTL_SEC", 86_400, [60, 604_800])),
    lease: {
      beforeConnectionSec: whole(env, "VISAVIS_CONNECT_SEC", 60, [1, 3_600]),
      afterConnectionSec: whole(env, "VISAVIS_LEASE_SEC", 30, [1, 3_600]),
    },
    sessionsOnStop: oneOf(env, "VISAVIS_SESSIONS_ON_STOP", ["resume", "end"], "resume"),
    logLevel: oneOf(env, "LOG_LEVEL", logLevels, "info"),
    console: yesOrNo(env, "VISAVIS_CONSOLE", true),
    allowPrivateAddresses: yesOrNo(env, "VISAVIS_ALLOW_PRIVATE_ADDRESSES", false),
  };
}
