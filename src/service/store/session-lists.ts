import type { Kysely } from "kysely";
import { toSession } from "./session-columns.ts";
import type { SessionStore } from "./store.ts";
import type { Tables } from "./tables.ts";

/** The queries over many sessions. */
export function sessionLists(
  database: Kysely<Tables>,
): Pick<SessionStore, "countLive" | "countByContext" | "withoutContext" | "due"> {
  return {
    async countLive() {
      const rows = await database
        .selectFrom("session")
        .select((select) => ["status", select.fn.countAll<number>().as("sessions")])
        .where("deadline_at_ms", "is not", null)
        .groupBy("status")
        .execute();
      return Object.fromEntries(rows.map(({ status, sessions }) => [status, sessions]));
    },
    async countByContext(organizationId, sinceMs) {
      const rows = await database
        .selectFrom("session")
        .select((select) => ["context_uuid", select.fn.countAll<number>().as("sessions")])
        .where("organization_id", "=", organizationId)
        .where("created_at_ms", ">=", sinceMs)
        .where("in_progress_at_ms", "is not", null)
        .where("context_uuid", "is not", null)
        .groupBy("context_uuid")
        .execute();
      return new Map(rows.map(({ context_uuid: context, sessions }) => [context ?? "", sessions]));
    },
    async withoutContext(limit) {
      const rows = await database
        .selectFrom("session")
        .leftJoin("embed_context", "embed_context.id", "session.context_uuid")
        .selectAll("session")
        .where("session.deadline_at_ms", "is not", null)
        .where("session.context_uuid", "is not", null)
        // An operator's preview may go on, whatever visitors may use.
        .where("session.context_uuid", "not in", (of) => of.selectFrom("context_preview").select("id"))
        .where((where) =>
          where.or([
            where("embed_context.id", "is", null),
            where("embed_context.is_active", "=", 0),
            where("embed_context.deleted_at_ms", "is not", null),
          ]),
        )
        .limit(limit)
        .execute();
      return rows.map(toSession);
    },
    async due(nowMs, limit, after) {
      let query = database.selectFrom("session").selectAll().where("deadline_at_ms", "<=", nowMs);
      if (after) {
        const { deadlineAtMs, id } = after;
        query = query.where((where) =>
          where.and([
            // A condition of its own, so that the index is used for it.
            where("deadline_at_ms", ">=", deadlineAtMs),
            where.or([where("deadline_at_ms", ">", deadlineAtMs), where("id", ">", id)]),
          ]),
        );
      }
      const rows = await query.orderBy("deadline_at_ms").orderBy("id").limit(limit).execute();
      return rows.map(toSession);
    },
  };
}
