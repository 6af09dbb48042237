import type { Logger } from "../logging/logger.ts";
import type { EmbedContext } from "../protocol/settings/embed-context.ts";
import type { BodyBudget } from "./limits/body-budget.ts";
import type { Counter } from "../protocol/counter.ts";

/**
 * One request to the avatar service: a path from its root (`/api/v1/session/`) and the options of `fetch`. The
 * implementation adds the API key; the relay itself does not know it.
 */
export type ServiceCall = (path: string, init?: RequestInit) => Promise<Response>;

/** Finds an embed context by its public key. Null: there is none. The relay caches the result. */
export interface ContextSource {
  get(contextId: string): Promise<EmbedContext | null>;
}

/** A built file as the relay serves it. `etag` is a strong tag with its quotes, `brotli` the compressed bytes. */
export interface RelayAsset {
  body: Uint8Array<ArrayBuffer>;
  contentType: string;
  etag: string;
  brotli?: Uint8Array<ArrayBuffer>;
}

/**
 * The built files by their path in the public folder (`embed.js`, `assets/…`, `.vite/manifest.json`). Loaders of earlier
 * builds, if they are kept, are under `loaders/`. Null: no such file.
 */
export interface RelayAssets {
  read(path: string): Promise<RelayAsset | null>;
}

/** Milliseconds since the epoch. */
export interface RelayClock {
  now(): number;
}

/** Logs one line for each change of a session's lifecycle, and one for each failure. */
export type RelayLog = Pick<Logger, "info" | "warn">;

/** Limits for visitors: counts for one minute, and sessions live at once. Infinity turns a limit off. */
export interface RelayLimits {
  /** Requests for contexts and viewer pages, before any session. */
  readsPerMinutePerAddress: number;
  startsPerMinutePerAddress: number;
  startsPerMinutePerVisitor: number;
  startsPerMinutePerContext: number;
  livePerAddress: number;
  livePerVisitor: number;
  livePerContext: number;
  /** How many visitors' daily quota (`sessions_per_visitor`) one address may use. */
  visitorsPerAddress: number;
}

/** The default limits: generous for an office behind one address, tight for one browser. */
export const defaultRelayLimits: RelayLimits = {
  readsPerMinutePerAddress: 600,
  startsPerMinutePerAddress: 60,
  startsPerMinutePerVisitor: 20,
  startsPerMinutePerContext: 240,
  livePerAddress: 20,
  livePerVisitor: 3,
  livePerContext: 100,
  visitorsPerAddress: 20,
};

/** What a relay depends on. */
export interface RelayDeps {
  service: ServiceCall;
  /** Default: the service's own list of contexts (`serviceContexts`). */
  contexts?: ContextSource;
  /** Signs session tokens. At least 32 bytes, the same on every instance. */
  tokenSecret: Uint8Array;
  assets: RelayAssets;
  /** Where browsers reach the relay (`https://talk.example/visavis`). Default: the address of each request. */
  publicUrl?: string;
  defaults?: { llmType: string };
  limits?: Partial<RelayLimits>;
  counter?: Counter;
  clock?: RelayClock;
  log?: RelayLog;
  /**
   * Fetches a picture from an address that a tenant named. It must refuse private networks. Default: only pictures of the
   * relay and the service are shown.
   */
  fetchPicture?(address: string, signal: AbortSignal): Promise<Response>;
  /** The visitor's address, if it can be trusted. Null or absent: no limits by address. */
  clientAddress?(request: Request, environment: unknown): string | null;
  /** The memory for request bodies. Share it with a service in the same process. Default: one with `defaultBodyLimits`. */
  bodyBudget?: BodyBudget;
  /** False if browsers can reach the service's media only through relay candidates. Default true. */
  direct?: boolean;
}
