import type { TrialEngines } from "./administration/trials/entry-trial.ts";
import type { EngineMachine } from "./administration/check-place.ts";

/** What the service knows about the machine that it runs on. */
export interface Installation {
  machine: EngineMachine;
  /** The folder of what is stored and installed. */
  dataFolder: string;
  /** The address of the releases from which models are installed. */
  modelsUrl: string;
  version: string;
  nodeVersion: string;
  /** The memory of this process. */
  memoryBytes(): number;
  startedAtMs: number;
  /** Which database it uses: the one that comes with it, or a server. */
  database: "embedded" | "PostgreSQL";
  /** The media processes that should run. */
  mediaProcesses: number;
  /** The engines for tests: those that sessions use, with what they log about a failure. */
  trialEngines(): TrialEngines;
}

/** How much of the memory for request bodies one request uses. */
export interface BodyLease {
  /** Takes more bytes. Returns which limit is used up, or null when the bytes were taken. */
  take(bytes: number): "process" | "address" | null;
  /** Gives back all bytes that were taken. */
  release(): void;
}

/** Counts the bytes of request bodies in memory, for everything in a process that reads bodies. */
export interface BodyBudget {
  /** `address` is null when it is unknown. */
  open(address: string | null): BodyLease;
}
