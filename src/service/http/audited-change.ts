import type { Caller } from "./identity.ts";

/** What was changed. `name` is the name that people know. */
export interface AuditTarget {
  id: string;
  name?: string;
}

/** Somebody who did not prove who they are. What they tried belongs to an organization. */
interface Stranger {
  by: "unknown";
  organizationId: string;
}

/** What is written for a login with a wrong password, in place of an operation's id. */
export const failedLogin = "logInFailed";

/** A change that a caller made, or what else owners want to know of: logins, downloads of conversations. */
export interface AuditedChange {
  caller: Caller | Stranger;
  /** The id of the operation, or `failedLogin`. */
  operation: string;
  target: AuditTarget | null;
}

/** Writes a change to the audit log, with the address of the request and of its server's environment. */
export type RecordChange = (request: Request, environment: unknown, change: AuditedChange) => Promise<void>;
