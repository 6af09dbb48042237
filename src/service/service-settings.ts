import type { IceServer } from "../protocol/ice.ts";

/** What an operator may set of the service. */
export interface ServiceSettings {
  /** The address under which browsers reach this server, without a slash at its end. */
  publicUrl: string;
  /** Absolute path of the folder that is served under `publicUrl` (`characters/`, `backgrounds/`). */
  publicFolder: string;
  /** STUN and TURN servers given to clients and used by the service's own peers. */
  iceServers: readonly IceServer[];
  /** How long a session may stay without a connection, from its creation. */
  connectWithinSec: number;
  /** How long a session in progress may stay without a sign of life. */
  lostAfterSec: number;
  /** How often leases are looked at. */
  sweepIntervalMs: number;
  /** Whether pages of every origin may call session-scoped operations; off where a relay stands in front. */
  openCors: boolean;
  /** Whether other processes serve the same sessions, and go on with them when this one ends. */
  sharesSessions: boolean;
}

/** The settings where the operator says nothing (wire conventions, States). */
export const defaultServiceSettings = {
  iceServers: [],
  connectWithinSec: 60,
  lostAfterSec: 30,
  sweepIntervalMs: 1_000,
  openCors: true,
  sharesSessions: false,
} as const satisfies Partial<ServiceSettings>;
