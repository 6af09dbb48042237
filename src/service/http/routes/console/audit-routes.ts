import { auditEntryListSchema, auditQuerySchema } from "../../../../protocol/console/audit.ts";
import type { AuditEntry } from "../../../../protocol/console/audit.ts";
import type { AuditRecord, Store } from "../../../store/store.ts";
import { failedLogin } from "../../audited-change.ts";
import { listOperation } from "../../operations/list-operation.ts";
import type { Operation } from "../../operations/operation.ts";
import { isoTime } from "./console-access.ts";

function entryView(record: AuditRecord & { id: string }, summaries: ReadonlyMap<string, string>): AuditEntry {
  return {
    id: record.id,
    at: isoTime(record.atMs),
    by: { type: record.actorKind, id: record.actorId, name: record.actorName },
    address: record.address,
    operation: record.operation,
    summary: summaries.get(record.operation) ?? "",
    target: record.targetId === null ? null : { id: record.targetId, name: record.targetName },
  };
}

/** Who changed what. `operations`: all of the app, whose summaries say what was done. */
export function auditRoutes(
  { audit }: Pick<Store, "audit">,
  operations: () => readonly Operation[],
): Operation[] {
  let summaries: ReadonlyMap<string, string> | undefined;
  return [
    listOperation({
      path: "/api/console/audit-log/",
      id: "listAuditLog",
      tag: "Accounts",
      summary: "List who changed what, the newest first",
      auth: "operator",
      role: "owner",
      query: auditQuerySchema,
      description: "The changes",
      schema: auditEntryListSchema,
      async read({ caller, query }, page) {
        const known = (summaries ??= new Map([
          ...operations().map(({ id, summary }) => [id, summary] as const),
          [failedLogin, "A wrong password was given"],
        ]));
        const { items, next } = await audit.page(caller.organizationId, page, query.account);
        return { items: items.map((item) => entryView(item, known)), next };
      },
    }),
  ];
}
