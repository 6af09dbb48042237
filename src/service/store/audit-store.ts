import type { Page, PageRequest } from "./page.ts";

/** A change that somebody made. It contains no value of any setting, and so no secret. */
export interface AuditRecord {
  organizationId: string;
  atMs: number;
  actorKind: "operator" | "key";
  actorId: string;
  /** The name, at that time, of the person who made it. */
  actorName: string;
  address: string | null;
  /** The id of the operation. */
  operation: string;
  targetId: string | null;
  targetName: string;
}

/** Who changed what. Entries are only added. */
export interface AuditStore {
  add(entry: AuditRecord): Promise<void>;
  /** The newest first; of one actor if it is given. */
  page(
    organizationId: string,
    request: PageRequest,
    actorId?: string,
  ): Promise<Page<AuditRecord & { id: string }>>;
}
