import type { Caller } from "./identity.ts";

/** What was changed. `name` is the name that people know. */
export interface AuditTarget {
  id: string;
  name?: string;
}

/** A change that a caller made. */
export interface AuditedChange {
  caller: Caller;
  /** The id of the operation. */
  operation: string;
  target: AuditTarget | null;
}

/** Writes a change to the audit log, with the address of the request and of its server's environment. */
export type RecordChange = (request: Request, environment: unknown, change: AuditedChange) => Promise<void>;
