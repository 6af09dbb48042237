import type { Kysely, Selectable } from "kysely";
import type { MessageState } from "../../../protocol/console/inbox.ts";
import { inPage, pageOf } from "../database/paging.ts";
import type { Tables } from "../database/tables.ts";
import type { InboxMessageColumns, InboxStore, MessageRecord } from "./inbox-store.ts";

function toMessage(row: Selectable<Tables["inbox_message"]>): MessageRecord {
  return {
    id: row.id,
    sessionId: row.session_id,
    requestId: row.request_id,
    organizationId: row.organization_id,
    contextUuid: row.context_uuid,
    atMs: row.at_ms,
    state: row.state,
    stateBy: row.state_by,
    text: row.text,
    name: row.name,
    email: row.email,
    phone: row.phone,
    page: row.page,
    agreedTo: row.agreed_to,
  };
}

type Reads = Pick<InboxStore, "page" | "byId" | "ofSession" | "counts">;

function messageReads(database: Kysely<Tables>): Reads {
  const present = database
    .selectFrom("inbox_message")
    .where("deleted_at_ms", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("conversation")
            .select("conversation.session_id")
            .whereRef("conversation.session_id", "=", "inbox_message.session_id")
            .where("conversation.deleted_at_ms", "is not", null),
        ),
      ),
    );
  return {
    async page(organizationId, { state, contextUuid }, request) {
      let query = present.selectAll().where("organization_id", "=", organizationId);
      if (state !== undefined) query = query.where("state", "=", state);
      if (contextUuid !== undefined) query = query.where("context_uuid", "=", contextUuid);
      return pageOf(await inPage(query, request, "newest first").execute(), request, toMessage);
    },
    async byId(organizationId, id) {
      const query = present.selectAll().where("organization_id", "=", organizationId).where("id", "=", id);
      const row = await query.executeTakeFirst();
      return row ? toMessage(row) : null;
    },
    async ofSession(sessionId) {
      const rows = await present
        .selectAll()
        .where("session_id", "=", sessionId)
        .orderBy("sequence")
        .execute();
      return rows.map(toMessage);
    },
    async counts(organizationId) {
      const rows = await present
        .select(({ fn }) => ["state", fn.countAll<string | number>().as("count")])
        .where("organization_id", "=", organizationId)
        .groupBy("state")
        .execute();
      const of = (state: MessageState): number => Number(rows.find((row) => row.state === state)?.count ?? 0);
      return { new: of("new"), answered: of("answered"), done: of("done") };
    },
  };
}

type Changes = Pick<InboxStore, "setState" | "setDeleted" | "removeOld">;

function messageChanges(database: Kysely<Tables>): Changes {
  /** Changes one message; resolves with whether there is one. */
  async function change(
    organizationId: string,
    id: string,
    set: Partial<Pick<InboxMessageColumns, "state" | "state_by" | "deleted_at_ms">>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await database
      .updateTable("inbox_message")
      .set(set)
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .where("deleted_at_ms", "is", null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }
  return {
    setState: (organizationId, id, state, by) => change(organizationId, id, { state, state_by: by }),
    async setDeleted(organizationId, id, deletedAtMs) {
      const isDeleted = await change(organizationId, id, { deleted_at_ms: deletedAtMs });
      if (isDeleted)
        // What webhooks were told of it goes too.
        await database
          .updateTable("webhook_delivery")
          .set({ words: null })
          .where("type", "=", "message.left")
          .where("session_id", "in", (rows) =>
            rows.selectFrom("inbox_message").select("session_id").where("id", "=", id),
          )
          .execute();
      return isDeleted;
    },
    async removeOld(beforeMs, limit) {
      const rows = await database
        .selectFrom("inbox_message")
        .select("id")
        .where(({ or, eb }) => or([eb("at_ms", "<", beforeMs), eb("deleted_at_ms", "is not", null)]))
        .limit(limit)
        .execute();
      const ids = rows.map((row) => row.id);
      if (ids.length > 0) await database.deleteFrom("inbox_message").where("id", "in", ids).execute();
      return ids.length;
    },
  };
}

/** Visitors' messages, in SQL. */
export function inboxRows(database: Kysely<Tables>): InboxStore {
  return {
    ...messageReads(database),
    ...messageChanges(database),
    async add(message, limit) {
      const known = await database
        .selectFrom("inbox_message")
        .select("request_id")
        .where("session_id", "=", message.sessionId)
        .limit(limit)
        .execute();
      if (known.some((row) => row.request_id === message.requestId)) return "known";
      if (known.length >= limit) return "full";
      const { numInsertedOrUpdatedRows } = await database
        .insertInto("inbox_message")
        .values({
          id: message.id,
          session_id: message.sessionId,
          request_id: message.requestId,
          organization_id: message.organizationId,
          context_uuid: message.contextUuid,
          at_ms: message.atMs,
          state: message.state,
          state_by: message.stateBy,
          text: message.text,
          name: message.name,
          email: message.email,
          phone: message.phone,
          page: message.page,
          agreed_to: message.agreedTo,
          deleted_at_ms: null,
        })
        .onConflict((conflict) => conflict.columns(["session_id", "request_id"]).doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n ? "added" : "known";
    },
  };
}
