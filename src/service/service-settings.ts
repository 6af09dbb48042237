import type { PasswordHasher } from "./operator-password.ts";
import type { IceServer } from "../protocol/session/ice.ts";
import type { EventFileLimits } from "./store/store.ts";

/** Requests a minute. GET and HEAD are reads; POST, PUT, PATCH and DELETE are writes. */
export interface RateLimit {
  reads: number;
  writes: number;
}

/** The rate limits of each kind of caller (interface specification, Limits). */
export interface RateLimits {
  /** An API key, or an operator who is logged in. */
  key: RateLimit;
  /** Calls without a key, per session. */
  session: RateLimit;
  /** All other calls, per client address. */
  address: RateLimit;
  /** Login attempts from one client address. */
  loginsPerMinute: number;
}

/** How many of the files uploaded with events are stored, and for how long. */
export interface EventFileSettings extends EventFileLimits {
  retentionDays: number;
}

/** Who may call the paths of a session. */
export type SessionAccess = "open" | "key";

/** What a session, or all sessions of an embed context together, may use of engines. Infinity turns a limit off. */
export interface EngineBudgets {
  session: {
    /** Answers of the language model in progress at the same time. */
    turnsAtOnce: number;
    turnsPerMinute: number;
    /** Characters of spoken texts. */
    charactersPerMinute: number;
    /** Transcribed files and recordings, and uploaded files that the avatar speaks. */
    recognitionsPerMinute: number;
  };
  /** Applies when the context's own `embed_config.limits` set no limit. */
  context: { turnsPerDay: number; charactersPerDay: number };
}

/** The settings of the service. */
export interface ServiceSettings {
  /** The address under which browsers reach the relay, without a slash at its end. */
  publicUrl: string;
  /** The address under which clients reach this service. Default: the same. */
  serviceUrl?: string;
  /** Absolute path of the folder that is served under `publicUrl` (`characters/`, `backgrounds/`). */
  publicFolder: string;
  /** STUN and TURN servers for clients: some unchanged, others with credentials for each session. */
  ice: {
    servers: readonly IceServer[];
    /** `secret` is shared with the TURN servers and never leaves the service. Credentials are valid for `ttlSec`. */
    turn?: { urls: readonly string[]; secret: string; ttlSec: number } | undefined;
  };
  /** How long a session may stay without a connection after its creation. */
  connectWithinSec: number;
  /** How long a session in progress may stay without a sign of life. */
  lostAfterSec: number;
  /** How often leases are checked. */
  sweepIntervalMs: number;
  /**
   * Who may call the paths of a session. `open`: everyone who knows its id, from pages of every origin. `key`: only the holder of
   * an API key or of the relay token.
   */
  sessionAccess: SessionAccess;
  /**
   * Origins whose pages may call with an API key, exactly as browsers send them. Default: none, because everyone who opens a page
   * can read a key in it.
   */
  apiOrigins?: readonly string[];
  /** The token that the installation's relay sends with calls on a session. Default: no relay is accepted. */
  relayToken?: string | undefined;
  /** Default: `defaultEventFileLimits`. */
  eventFiles?: EventFileSettings;
  /** Default: `defaultRateLimits`. */
  rateLimits?: RateLimits;
  /** Default: `defaultEngineBudgets`. */
  engineBudgets?: EngineBudgets;
  /**
   * Signs console sessions and links to files. Default: a new secret, which is unknown to other processes and after a restart.
   */
  signingSecret?: string;
  /** Hashes the console's passwords. Default: at the usual cost. */
  passwords?: PasswordHasher;
  /** The operator's password as hashed by `passwords`. Default: nobody can log in. */
  operatorPasswordHash?: string;
  /** Whether other processes serve the same sessions and continue them when this process stops. */
  sharesSessions: boolean;
  /**
   * What becomes of the sessions of embed contexts when the only process stops. `resume`: they wait for its restart. `end`: they
   * end.
   */
  sessionsOnStop: "resume" | "end";
}

/** The default rate limits. The one for keys is the limit of the interface. */
export const defaultRateLimits: RateLimits = {
  key: { reads: 6_000, writes: 1_800 },
  session: { reads: 600, writes: 600 },
  address: { reads: 600, writes: 600 },
  loginsPerMinute: 10,
};

/** The default limits for stored event files. */
export const defaultEventFileLimits: EventFileSettings = {
  maxFiles: 20,
  maxBytes: 50 * 1024 * 1024,
  storeMaxBytes: 1024 * 1024 * 1024,
  retentionDays: 30,
};

/** The default engine budgets, far above what a conversation needs. */
export const defaultEngineBudgets: EngineBudgets = {
  session: { turnsAtOnce: 1, turnsPerMinute: 20, charactersPerMinute: 6_000, recognitionsPerMinute: 30 },
  context: { turnsPerDay: 5_000, charactersPerDay: 2_000_000 },
};

/** The default settings (wire conventions, States). */
export const defaultServiceSettings = {
  ice: { servers: [] },
  connectWithinSec: 60,
  lostAfterSec: 30,
  sweepIntervalMs: 1_000,
  sessionAccess: "open",
  sharesSessions: false,
  sessionsOnStop: "resume",
} as const satisfies Partial<ServiceSettings>;
