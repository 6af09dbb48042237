import type {
  WebsiteReason,
  WebsiteReport,
  WebsiteSchedule,
  WebsiteState,
} from "../../protocol/console/websites.ts";

/** A website that avatars answer from. */
export interface WebsiteRecord {
  /** Also the id of its document. */
  id: string;
  organizationId: string;
  address: string;
  every: WebsiteSchedule;
  /** UUIDs of the contexts that will answer from it, until its document is there and says so. */
  contexts: string[];
  state: WebsiteState;
  problem: WebsiteReason | null;
  report: WebsiteReport;
  /** Whether its document was made. */
  hasDocument: boolean;
  createdAtMs: number;
  startedAtMs: number | null;
  finishedAtMs: number | null;
  /** When it is read again; null: never. */
  nextAtMs: number | null;
}

/** How a reading ended. */
export type WebsiteOutcome = Pick<
  WebsiteRecord,
  "state" | "problem" | "report" | "hasDocument" | "nextAtMs"
> & { finishedAtMs: number };

/** The reading of a website by one process. */
export interface WebsiteReadingLease {
  id: string;
  /** Unique for each reading. */
  run: string;
}

/** Websites that avatars answer from. One process reads a website at a time. */
export interface WebsiteStore {
  insert(website: WebsiteRecord): Promise<void>;
  /** In the order in which they were added. */
  list(organizationId: string): Promise<WebsiteRecord[]>;
  find(organizationId: string, id: string): Promise<WebsiteRecord | null>;
  /** Removes a website; a process that reads it stops. Resolves with whether there was one. */
  remove(id: string): Promise<boolean>;
  /** Changes how often and when it is read again. Resolves with whether there is one. */
  schedule(
    organizationId: string,
    id: string,
    change: Pick<WebsiteRecord, "every" | "nextAtMs">,
  ): Promise<boolean>;
  /** Lets a website be read now. Resolves with whether nobody was reading it. */
  order(organizationId: string, id: string, nowMs: number): Promise<boolean>;
  /** Stops the reading in the process that does it. Resolves with whether it was running or waiting. */
  stop(organizationId: string, id: string, nextAtMs: number | null): Promise<boolean>;
  /** Takes a website whose time has come, until `untilMs`; null: there is none. */
  take(run: string, nowMs: number, untilMs: number): Promise<WebsiteRecord | null>;
  /** Notes how far a reading is, and keeps the website until `untilMs`. False: it was stopped or removed. */
  progress(lease: WebsiteReadingLease, report: WebsiteReport, untilMs: number): Promise<boolean>;
  /** Ends a reading. False: it was stopped or removed before. */
  finish(lease: WebsiteReadingLease, outcome: WebsiteOutcome): Promise<boolean>;
}
