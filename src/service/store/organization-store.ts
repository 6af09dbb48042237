import type { TerminationReason } from "../../protocol/session.ts";

/** A stored organization. */
export interface OrganizationRecord {
  id: string;
  name: string;
  createdAtMs: number;
}

/** How much an organization may use; null: no limit. */
export interface Quotas {
  /** Sessions that have not ended. */
  activeSessions: number | null;
  /** Length of one session, for sessions created from now on. */
  minutesPerSession: number | null;
  /** Started minutes in progress of all sessions together, in a calendar month (UTC). */
  minutesPerMonth: number | null;
  /** The credits that are left: every started minute in progress takes one. */
  credits: number | null;
}

/** How much an organization uses. */
export interface Usage {
  activeSessions: number;
  /** Started minutes in progress in the month. */
  minutes: number;
}

/** Why a quota refuses a session. */
export type QuotaReason = Extract<
  TerminationReason,
  "MAX_ACTIVE_SESSION_QUOTA_EXCEEDED" | "TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED" | "INSUFFICIENT_CREDITS"
>;

/** Organizations with their quotas. */
export interface OrganizationStore {
  /** Quotas that are not given do not limit the organization. */
  insert(organization: OrganizationRecord, quotas?: Partial<Quotas>): Promise<void>;
  /** The organization that was created first; the seed belongs to it. */
  first(): Promise<{ id: string; name: string } | null>;
  /** In order of creation. */
  list(): Promise<OrganizationRecord[]>;
  /** Null if there is no such organization. */
  quotas(id: string): Promise<Quotas | null>;
  /** Replaces the quotas that are given. Resolves with whether there is such an organization. */
  setQuotas(id: string, quotas: Partial<Quotas>): Promise<boolean>;
  /** `month` (`2026-01`, UTC) is the one whose minutes are returned. */
  usage(id: string, month: string): Promise<Usage>;
}
