import type { EmbedContext } from "../protocol/embed-context.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { Counter } from "./counter.ts";

/**
 * One request to the avatar service: a path from its root (`/api/v1/session/`) and what `fetch` takes. Whoever makes
 * it adds the API key; the relay itself never holds it.
 */
export type ServiceCall = (path: string, init?: RequestInit) => Promise<Response>;

/** Where embed contexts come from, by their public key. Null: there is none of that name. The relay keeps what it hears. */
export interface ContextSource {
  get(contextId: string): Promise<EmbedContext | null>;
}

/** A built file as the relay serves it. `etag` is a strong tag with its quotes; `brotli` the same bytes compressed. */
export interface RelayAsset {
  body: Uint8Array<ArrayBuffer>;
  contentType: string;
  etag: string;
  brotli?: Uint8Array<ArrayBuffer>;
}

/**
 * The built files, by path under the public folder (`embed.js`, `assets/…`, `.vite/manifest.json`); under `loaders/` those of
 * earlier builds, if they are kept. Null: no such file.
 */
export interface RelayAssets {
  read(path: string): Promise<RelayAsset | null>;
}

/** Milliseconds since the epoch. */
export interface RelayClock {
  now(): number;
}

/** One line a lifecycle change; fields hold no key, token, address or text of a conversation. */
export interface RelayLog {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
}

/** What a visitor may cost. Counts for one minute, and sessions live at once; Infinity turns a limit off. */
export interface RelayLimits {
  /** Requests for contexts and viewer pages, before any session. */
  readsPerMinutePerAddress: number;
  startsPerMinutePerAddress: number;
  startsPerMinutePerVisitor: number;
  startsPerMinutePerContext: number;
  livePerAddress: number;
  livePerVisitor: number;
  livePerContext: number;
  /** So many visitors' conversations of a day (`sessions_per_visitor`) one address may have. */
  visitorsPerAddress: number;
}

/** Limits where nobody says otherwise: generous to an office behind one address, tight for one browser. */
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

/** What a relay is made from. */
export interface RelayDeps {
  service: ServiceCall;
  /** Default: the service's own list of contexts (`serviceContexts`). */
  contexts?: ContextSource;
  /** Signs session tokens; at least 32 bytes, the same on every instance. */
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
   * Fetches a picture at an address that a tenant named; it must keep out of private networks. Default: pictures that
   * neither the relay nor the service keeps are not shown.
   */
  fetchPicture?(address: string, signal: AbortSignal): Promise<Response>;
  /** The visitor's address, as far as it can be trusted. Null or absent: no limits by address. */
  clientAddress?(request: Request, environment: unknown): string | null;
  /** The memory for request bodies; share one with a service in the same process. Default: one of `defaultBodyLimits`. */
  bodyBudget?: BodyBudget;
  /** False where browsers reach the service's media only through relay candidates. Default true. */
  direct?: boolean;
}
