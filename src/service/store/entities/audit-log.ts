import { inPage, type Page, pageOf, type PageRequest } from "../database/paging.ts";
import type { Kysely, Selectable } from "kysely";
import type { Tables } from "../database/tables.ts";

/** A change that somebody made. It contains no value of any setting, and so no secret. */
export interface AuditRecord {
  organizationId: string;
  atMs: number;
  /** `unknown`: somebody who did not prove who they are. */
  actorKind: "operator" | "key" | "unknown";
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

function toRecord(row: Selectable<Tables["audit_entry"]>): AuditRecord & { id: string } {
  return {
    id: String(row.sequence),
    organizationId: row.organization_id,
    atMs: row.at_ms,
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    actorName: row.actor_name,
    address: row.address,
    operation: row.operation,
    targetId: row.target_id,
    targetName: row.target_name,
  };
}

/** The audit log in SQL. */
export function auditRows(database: Kysely<Tables>): AuditStore {
  return {
    async add(entry) {
      await database
        .insertInto("audit_entry")
        .values({
          organization_id: entry.organizationId,
          at_ms: entry.atMs,
          actor_kind: entry.actorKind,
          actor_id: entry.actorId,
          actor_name: entry.actorName,
          address: entry.address,
          operation: entry.operation,
          target_id: entry.targetId,
          target_name: entry.targetName,
        })
        .execute();
    },
    async page(organizationId, request, actorId) {
      const all = database
        .selectFrom("audit_entry")
        .selectAll()
        .where("organization_id", "=", organizationId);
      const meant = actorId === undefined ? all : all.where("actor_id", "=", actorId);
      return pageOf(await inPage(meant, request, "newest first").execute(), request, toRecord);
    },
  };
}
