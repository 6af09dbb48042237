import { sql, type Kysely, type Selectable } from "kysely";
import type { EmbedConfig } from "../../protocol/embed-config.ts";
import type { EmbedContextPut } from "../../protocol/embed-context.ts";
import { compiledOnce } from "./compiled-once.ts";
import type { Queries } from "./queries.ts";
import type { ContextRecord, Store } from "./store.ts";
import type { Tables } from "./tables.ts";

function toRecord(row: Selectable<Tables["embed_context"]>): ContextRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    contextId: row.context_id,
    name: row.name,
    tts_type: row.tts_type,
    model_style: row.model_style,
    greeting: row.greeting,
    instructions: row.instructions,
    background_image: row.background_image,
    max_session_sec: row.max_session_sec,
    is_active: row.is_active === 1,
    embed_config: JSON.parse(row.embed_config) as EmbedConfig,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}

function toColumns(settings: EmbedContextPut) {
  return {
    name: settings.name,
    tts_type: settings.tts_type,
    model_style: settings.model_style,
    greeting: settings.greeting,
    instructions: settings.instructions,
    background_image: settings.background_image,
    max_session_sec: settings.max_session_sec,
    is_active: settings.is_active ? 1 : 0,
    embed_config: JSON.stringify(settings.embed_config),
  };
}

/** Embed contexts in SQL. */
export function contextRows(database: Kysely<Tables>, queries: Queries): Store["contexts"] {
  const owned = (organizationId: string) =>
    database.selectFrom("embed_context").selectAll().where("organization_id", "=", organizationId);
  type ContextRow = Selectable<Tables["embed_context"]>;
  const selectByUuid = compiledOnce<{ organizationId: string; id: string }, ContextRow>(
    (parameter) => owned(parameter("organizationId")).where("id", "=", parameter("id")),
    { isSingle: true },
  );
  const selectByContextId = compiledOnce<{ organizationId: string; id: string }, ContextRow>(
    (parameter) => owned(parameter("organizationId")).where("context_id", "=", parameter("id")),
    { isSingle: true },
  );
  return {
    async insert(context) {
      await database
        .insertInto("embed_context")
        .values({
          id: context.id,
          organization_id: context.organizationId,
          context_id: context.contextId,
          ...toColumns(context),
          created_at_ms: context.createdAtMs,
          updated_at_ms: context.updatedAtMs,
        })
        .execute();
    },
    async byUuid(organizationId, id) {
      const [row] = (await queries.run(selectByUuid({ organizationId, id }))).rows;
      return row ? toRecord(row) : null;
    },
    async byContextId(organizationId, contextId) {
      const [row] = (await queries.run(selectByContextId({ organizationId, id: contextId }))).rows;
      return row ? toRecord(row) : null;
    },
    async list(organizationId) {
      return (await owned(organizationId).orderBy("sequence").execute()).map(toRecord);
    },
    async version() {
      // A sum and not the latest: the clocks of several processes may differ.
      const { count, times } = await database
        .selectFrom("embed_context")
        .select((select) => [
          select.fn.countAll<number>().as("count"),
          sql<string | null>`cast(sum(updated_at_ms) as text)`.as("times"),
        ])
        .executeTakeFirstOrThrow();
      return `${count} ${times ?? ""}`;
    },
    async remove(organizationId, id) {
      const { numDeletedRows } = await database
        .deleteFrom("embed_context")
        .where("organization_id", "=", organizationId)
        .where("id", "=", id)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
    async replace(organizationId, id, settings, nowMs) {
      const row = await database
        .updateTable("embed_context")
        .set({ ...toColumns(settings), updated_at_ms: nowMs })
        .where("organization_id", "=", organizationId)
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row ? toRecord(row) : null;
    },
  };
}
