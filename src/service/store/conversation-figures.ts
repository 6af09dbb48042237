import { sql, type Kysely } from "kysely";
import type { ConversationStore } from "./store.ts";
import type { Tables } from "./tables.ts";

/** Places of one millisecond. The place orders conversations by their start, and is also the cursor of their list. */
export const placesPerMs = 1_000;

/** Every time zone's day begins at one of these. */
const quarterMs = 15 * 60_000;

/** The most values from which a median is computed. */
const maxTimes = 5_000;

/** Postgres answers sums and counts as texts. */
type Count = string | number;

/** Figures over many conversations. */
export function conversationFigures(
  database: Kysely<Tables>,
): Pick<ConversationStore, "figures" | "count" | "connectionTimes"> {
  return {
    async figures({ organizationId, contextUuid }, fromMs) {
      const quarter = sql<Count>`started_at_ms / ${sql.lit(quarterMs)}`;
      let query = database
        .selectFrom("conversation")
        .select((column) => [
          quarter.as("quarter"),
          column.fn.countAll<Count>().as("conversations"),
          column.fn.sum<Count>("questions").as("questions"),
          column.fn.sum<Count>("unanswered").as("unanswered"),
          column.fn.sum<Count>("duration_sec").as("talking_sec"),
          sql<Count>`sum(case when unanswered > 0 then 1 else 0 end)`.as("with_unanswered"),
        ])
        .where("organization_id", "=", organizationId)
        .where("sequence", ">=", fromMs * placesPerMs)
        .where("deleted_at_ms", "is", null);
      if (contextUuid !== undefined) query = query.where("context_uuid", "=", contextUuid);
      const rows = await query.groupBy(quarter).execute();
      return rows.map((row) => ({
        atMs: Number(row.quarter) * quarterMs,
        conversations: Number(row.conversations),
        questions: Number(row.questions),
        unanswered: Number(row.unanswered),
        talkingSec: Number(row.talking_sec),
        withUnanswered: Number(row.with_unanswered),
      }));
    },
    async count(organizationId) {
      const row = await database
        .selectFrom("conversation")
        .select((column) => [
          column.fn.countAll<Count>().as("all"),
          sql<Count>`count(expires_at_ms)`.as("with_words"),
        ])
        .where("organization_id", "=", organizationId)
        .where("deleted_at_ms", "is", null)
        .executeTakeFirst();
      return { all: Number(row?.all ?? 0), withWords: Number(row?.with_words ?? 0) };
    },
    async connectionTimes({ organizationId, contextUuid }, fromMs) {
      let query = database
        .selectFrom("session")
        .innerJoin("session_detail", "session_detail.session_id", "session.id")
        .select(sql<Count>`in_progress_at_ms - created_at_ms`.as("ms"))
        .where("organization_id", "=", organizationId)
        .where("created_at_ms", ">=", fromMs)
        .where("in_progress_at_ms", "is not", null)
        // Conversations in writing have no picture.
        .where("session_detail.request", "like", '%"STF_WEBRTC"%');
      if (contextUuid !== undefined) query = query.where("context_uuid", "=", contextUuid);
      return (await query.limit(maxTimes).execute()).map(({ ms }) => Number(ms));
    },
  };
}
