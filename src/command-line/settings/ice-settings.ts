import * as z from "zod";
import { iceServerSchema, type IceServer } from "../../protocol/session/ice.ts";
import { SettingsError } from "./environment-values.ts";

/** STUN and TURN servers that clients get. */
export interface IceSettings {
  /** Sent to clients unchanged. */
  servers: IceServer[];
  /** Sent with credentials created for each session (coturn's REST convention). */
  turn: { urls: string[]; secret: string; ttlSec: number } | undefined;
}

type Environment = Record<string, string | undefined>;

/** URLs of STUN (RFC 7064) and TURN (RFC 7065) servers. */
const stunUrl = /^stuns?:[^\s?,]+$/;
const turnUrl = /^turns?:[^\s?,]+(?:\?transport=(?:udp|tcp))?$/;

function urls(env: Environment, name: string, form: RegExp, example: string): string[] {
  const listed = (env[name] ?? "").split(/[\s,]+/).filter((url) => url !== "");
  const wrong = listed.find((url) => !form.test(url));
  if (wrong !== undefined)
    throw new SettingsError(
      `${name} holds "${wrong}"; set addresses such as ${example}, separated by commas.`,
    );
  return listed;
}

function listedServers(env: Environment): IceServer[] {
  const text = env["VISAVIS_ICE_SERVERS"];
  if (!text) return [];
  const servers = z.array(iceServerSchema).safeParse(jsonOf(text));
  const isKnown = (url: string): boolean => stunUrl.test(url) || turnUrl.test(url);
  // The error does not repeat the value, because it may contain a credential.
  if (!servers.success || !servers.data.flatMap((server) => server.urls).every(isKnown))
    throw new SettingsError(
      'VISAVIS_ICE_SERVERS is not a list of servers; set JSON such as [{"urls":"stun:stun.example:3478"}].',
    );
  return servers.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the ICE servers from the environment; `ttlSec` is how long TURN credentials are valid. Throws SettingsError. */
export function readIceSettings(env: Environment, ttlSec: number): IceSettings {
  const stunUrls = urls(env, "VISAVIS_STUN_URLS", stunUrl, "stun:stun.example:3478");
  const turnUrls = urls(env, "VISAVIS_TURN_URLS", turnUrl, "turn:turn.example:3478?transport=udp");
  const secret = env["VISAVIS_TURN_SECRET"];
  if (turnUrls.length > 0 && !secret)
    throw new SettingsError(
      "VISAVIS_TURN_URLS is set but VISAVIS_TURN_SECRET is not; set the TURN server's shared secret.",
    );
  const stun = stunUrls.length > 0 ? [{ urls: stunUrls }] : [];
  return {
    servers: [...listedServers(env), ...stun],
    turn: turnUrls.length > 0 && secret ? { urls: turnUrls, secret, ttlSec } : undefined,
  };
}
