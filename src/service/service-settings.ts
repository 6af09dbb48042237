import type { IceServer } from "../protocol/ice.ts";
import type { EventFileLimits } from "./store/store.ts";

/** Requests a minute: GET and HEAD are reads, POST, PUT, PATCH and DELETE writes. */
export interface RateLimit {
  reads: number;
  writes: number;
}

/** How much each kind of caller may ask (interface specification, Limits). */
export interface RateLimits {
  /** An API key, or an operator who is logged in. */
  key: RateLimit;
  /** Calls without a key on one session. */
  session: RateLimit;
  /** Everybody else, by client address. */
  address: RateLimit;
  /** Attempts to log in from one client address. */
  loginsPerMinute: number;
}

/** How much of the files that come with events is kept, and how long. */
export interface EventFileSettings extends EventFileLimits {
  retentionDays: number;
}

/** Who may call the paths of a session. */
export type SessionAccess = "open" | "key";

/** What a session, or all sessions of an embed context together, may ask of engines. Infinity turns a limit off. */
export interface EngineBudgets {
  session: {
    /** Answers of the language model that are under way at the same time. */
    turnsAtOnce: number;
    turnsPerMinute: number;
    /** Characters of the texts that are spoken. */
    charactersPerMinute: number;
    /** Files and recordings that are written down, and files that are spoken from. */
    recognitionsPerMinute: number;
  };
  /** Where the context's own `embed_config.limits` say nothing. */
  context: { turnsPerDay: number; charactersPerDay: number };
}

/** What an operator may set of the service. */
export interface ServiceSettings {
  /** The address under which browsers reach this server, without a slash at its end. */
  publicUrl: string;
  /** Absolute path of the folder that is served under `publicUrl` (`characters/`, `backgrounds/`). */
  publicFolder: string;
  /** STUN and TURN servers that clients are given: some as they are, others with credentials made for each session. */
  ice: {
    servers: readonly IceServer[];
    /** `secret` is shared with the TURN servers and never leaves the service; credentials hold for `ttlSec`. */
    turn?: { urls: readonly string[]; secret: string; ttlSec: number } | undefined;
  };
  /** How long a session may stay without a connection, from its creation. */
  connectWithinSec: number;
  /** How long a session in progress may stay without a sign of life. */
  lostAfterSec: number;
  /** How often leases are looked at. */
  sweepIntervalMs: number;
  /**
   * Who may call the paths of a session: `open`, whoever knows its id, from pages of every origin too; `key`, the holder of
   * an API key or of the relay token.
   */
  sessionAccess: SessionAccess;
  /**
   * Origins whose pages may call with an API key, exactly as browsers send them. Default: none. A key in a page is readable
   * by everybody who opens it.
   */
  apiOrigins?: readonly string[];
  /** What the installation's relay shows with calls on a session. Default: no relay is known. */
  relayToken?: string | undefined;
  /** Default: `defaultEventFileLimits`. */
  eventFiles?: EventFileSettings;
  /** Default: `defaultRateLimits`. */
  rateLimits?: RateLimits;
  /** Default: `defaultEngineBudgets`. */
  engineBudgets?: EngineBudgets;
  /** Signs console sessions and links to files. Default: a new one, which other processes and restarts do not know. */
  signingSecret?: string;
  /** The operator's password as `hashPassword` makes it. Default: nobody can log in. */
  operatorPasswordHash?: string;
  /** Whether other processes serve the same sessions, and go on with them when this one ends. */
  sharesSessions: boolean;
}

/** The limits of the interface for keys; the others where the operator says nothing. */
export const defaultRateLimits: RateLimits = {
  key: { reads: 6_000, writes: 1_800 },
  session: { reads: 600, writes: 600 },
  address: { reads: 600, writes: 600 },
  loginsPerMinute: 10,
};

/** How much of event files is kept where the operator says nothing. */
export const defaultEventFileLimits: EventFileSettings = {
  maxFiles: 20,
  maxBytes: 50 * 1024 * 1024,
  storeMaxBytes: 1024 * 1024 * 1024,
  retentionDays: 30,
};

/** Budgets where the operator says nothing: far beyond what a conversation needs. */
export const defaultEngineBudgets: EngineBudgets = {
  session: { turnsAtOnce: 1, turnsPerMinute: 20, charactersPerMinute: 6_000, recognitionsPerMinute: 30 },
  context: { turnsPerDay: 5_000, charactersPerDay: 2_000_000 },
};

/** The settings where the operator says nothing (wire conventions, States). */
export const defaultServiceSettings = {
  ice: { servers: [] },
  connectWithinSec: 60,
  lostAfterSec: 30,
  sweepIntervalMs: 1_000,
  sessionAccess: "open",
  sharesSessions: false,
} as const satisfies Partial<ServiceSettings>;
