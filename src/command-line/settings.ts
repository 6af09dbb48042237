import { resolve } from "node:path";

/** What the environment may set. Every field has a default that works on one machine. */
export interface Settings {
  port: number;
  /** Folder of rows, files and secrets. */
  dataFolder: string;
  /** Address under which visitors reach the relay, without a trailing slash; guessed from the port when not set. */
  publicUrl: string;
  apiKey: string | undefined;
  /** The service that the relay talks to over HTTP; undefined when it runs in process. */
  remoteService: { baseUrl: string; apiKey: string; apiKeyHeader: string } | undefined;
  media: {
    processes: number;
    portRange: { min: number; max: number } | undefined;
    publicAddress: string | undefined;
  };
  lease: { beforeConnectionSec: number; afterConnectionSec: number };
  /** Where eSpeak NG is installed; undefined: beside this program, if at all. */
  espeakFolder: string | undefined;
  /** The same of sherpa-onnx. */
  sherpaFolder: string | undefined;
  /** Whether engines, hooks and tool servers may be called by http and in private networks. */
  allowPrivateAddresses: boolean;
}

/** A setting that cannot be used: says which, what it holds and what would do. */
export class SettingsError extends Error {
  readonly code = "invalid_setting";
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

function webAddress(env: Environment, name: string): string | undefined {
  const text = env[name];
  if (!text) return undefined;
  if (!URL.canParse(text) || !/^https?:/.test(text))
    throw new SettingsError(`${name} is "${text}"; set an http or https address.`);
  return text.replace(/\/+$/, "");
}

function remoteService(env: Environment): Settings["remoteService"] {
  const baseUrl = webAddress(env, "SERVICE_BASE_URL");
  if (!baseUrl) return undefined;
  const apiKey = env["SERVICE_API_KEY"];
  if (!apiKey)
    throw new SettingsError("SERVICE_BASE_URL is set but SERVICE_API_KEY is not; set the service's API key.");
  return { baseUrl, apiKey, apiKeyHeader: env["SERVICE_API_KEY_HEADER"] || "ServicePlatform-APIKey" };
}

/** Reads the settings from the environment. Throws SettingsError on the first that cannot be used. */
export function readSettings(env: Environment): Settings {
  const port = whole(env, "PORT", 8787, [1, 65_535]);
  return {
    port,
    dataFolder: resolve(env["VISAVIS_DATA"] || ".visavis"),
    publicUrl: webAddress(env, "VISAVIS_PUBLIC_URL") ?? `http://localhost:${port}`,
    apiKey: env["VISAVIS_API_KEY"] || undefined,
    remoteService: remoteService(env),
    media: {
      processes: whole(env, "VISAVIS_MEDIA_PROCESSES", 1, [1, 64]),
      portRange: portRange(env),
      publicAddress: env["VISAVIS_MEDIA_ADDRESS"] || undefined,
    },
    lease: {
      beforeConnectionSec: whole(env, "VISAVIS_CONNECT_SEC", 60, [1, 3_600]),
      afterConnectionSec: whole(env, "VISAVIS_LEASE_SEC", 30, [1, 3_600]),
    },
    espeakFolder: env["VISAVIS_ESPEAK_PATH"] || undefined,
    sherpaFolder: env["VISAVIS_SHERPA_PATH"] || undefined,
    allowPrivateAddresses: yesOrNo(env, "VISAVIS_ALLOW_PRIVATE_ADDRESSES", false),
  };
}
