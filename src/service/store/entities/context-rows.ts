import { type Kysely, type Selectable, sql } from "kysely";
import type { ContextSettings } from "../../../protocol/settings/embed-context.ts";
import { readConfig } from "../../../protocol/settings/read-config.ts";
import { ask, compiledOnce, type Queries, storedJson, type Unit } from "../database/queries.ts";
import { inPage, pageOf } from "../database/paging.ts";
import { keptVersions } from "./context-store.ts";
import type { ContextChange, ContextRecord, ContextStore, PageRequest } from "../store.ts";
import type { Tables } from "../database/tables.ts";

type SettingColumns = Pick<Selectable<Tables["embed_context"]>, keyof ReturnType<typeof toColumns>>;

/** The settings in the columns of a context or of one of its versions. */
export function toSettings(row: SettingColumns): ContextSettings {
  return {
    name: row.name,
    tts_type: row.tts_type,
    model_style: row.model_style,
    greeting: row.greeting,
    instructions: row.instructions,
    background_image: row.background_image,
    max_session_sec: row.max_session_sec,
    is_active: row.is_active === 1,
    embed_config: storedJson<unknown>(row.embed_config),
  };
}

function toRecord(row: Selectable<Tables["embed_context"]>): ContextRecord {
  const settings = toSettings(row);
  return {
    ...settings,
    config: readConfig(settings.embed_config),
    id: row.id,
    organizationId: row.organization_id,
    contextId: row.context_id,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    revision: row.revision,
  };
}

/** The columns of settings. */
export function toColumns(settings: ContextSettings) {
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

const dayMs = 24 * 60 * 60 * 1000;

type ContextRow = Selectable<Tables["embed_context"]>;

function contextReads(
  database: Kysely<Tables>,
  queries: Queries,
): Pick<ContextStore, "byUuid" | "byContextId" | "list" | "page" | "version"> {
  const owned = (organizationId: string) =>
    database
      .selectFrom("embed_context")
      .selectAll()
      .where("organization_id", "=", organizationId)
      .where("deleted_at_ms", "is", null);
  const selectByUuid = compiledOnce<{ organizationId: string; id: string }, ContextRow>(
    (parameter) => owned(parameter("organizationId")).where("id", "=", parameter("id")),
    { isSingle: true },
  );
  const selectByContextId = compiledOnce<{ organizationId: string; id: string }, ContextRow>(
    (parameter) => owned(parameter("organizationId")).where("context_id", "=", parameter("id")),
    { isSingle: true },
  );
  const page = async (organizationId: string, request: PageRequest) =>
    pageOf(await inPage(owned(organizationId), request).execute(), request, toRecord);
  return {
    async byUuid(organizationId, id) {
      const [row] = (await queries.run(selectByUuid({ organizationId, id }))).rows;
      return row ? toRecord(row) : null;
    },
    async byContextId(organizationId, contextId) {
      const [row] = (await queries.run(selectByContextId({ organizationId, id: contextId }))).rows;
      return row ? toRecord(row) : null;
    },
    list: async (organizationId) => (await page(organizationId, {})).items,
    page,
    async version() {
      // A sum and not the latest time, because the clocks of several processes may differ.
      const { count, times } = await database
        .selectFrom("embed_context")
        .select((select) => [
          select.fn.countAll<number>().as("count"),
          sql<string | null>`cast(sum(updated_at_ms) as text)`.as("times"),
        ])
        .where("deleted_at_ms", "is", null)
        .executeTakeFirstOrThrow();
      return `${count} ${times ?? ""}`;
    },
  };
}

/** A shorter retention applies to conversations that are kept already; a longer one does not. */
function wordsWithin(database: Kysely<Tables>, { embed_config }: ContextSettings, id: string) {
  const { retention_days: days = 0 } = readConfig(embed_config);
  const expiry = sql<number>`started_at_ms + ${days * dayMs}`;
  return database
    .updateTable("conversation")
    .set({ expires_at_ms: expiry })
    .where("context_uuid", "=", id)
    .where(sql<boolean>`expires_at_ms > ${expiry}`)
    .compile();
}

/** The units that write a context together with its versions. */
function contextUnits(database: Kysely<Tables>) {
  const version = (row: ContextRow, by: string) =>
    database.insertInto("context_version").values({
      context_uuid: row.id,
      revision: row.revision,
      ...toColumns(toSettings(row)),
      saved_at_ms: row.updated_at_ms,
      saved_by: by,
    });

  function* insertion(context: Omit<ContextRecord, "config">, by: string): Unit<void> {
    const row = {
      id: context.id,
      organization_id: context.organizationId,
      context_id: context.contextId,
      ...toColumns(context),
      created_at_ms: context.createdAtMs,
      updated_at_ms: context.updatedAtMs,
      revision: context.revision,
      deleted_at_ms: null,
    };
    yield* ask(database.insertInto("embed_context").values(row).compile());
    // The sequence is no part of a version.
    yield* ask(version({ ...row, sequence: 0 }, by).compile());
  }

  function* replacement(
    { organizationId, id, settings, nowMs }: ReplacedContext,
    { by = "", revision }: ContextChange,
  ): Unit<ContextRow | null> {
    const update = database
      .updateTable("embed_context")
      .set((column) => ({
        ...toColumns(settings),
        updated_at_ms: nowMs,
        revision: column("revision", "+", 1),
      }))
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .where("deleted_at_ms", "is", null);
    const seen = revision === undefined ? update : update.where("revision", "=", revision);
    const [row] = (yield* ask<ContextRow>(seen.returningAll().compile())).rows;
    if (!row) return null;
    yield* ask(version(row, by).compile());
    yield* ask(wordsWithin(database, settings, id));
    yield* ask(
      database
        .deleteFrom("context_version")
        .where("context_uuid", "=", id)
        .where("revision", "<=", row.revision - keptVersions)
        .compile(),
    );
    return row;
  }

  return { insertion, replacement };
}

interface ReplacedContext {
  organizationId: string;
  id: string;
  settings: ContextSettings;
  nowMs: number;
}

function contextWrites(
  database: Kysely<Tables>,
  queries: Queries,
): Pick<ContextStore, "insert" | "remove" | "replace" | "setDeleted" | "removeDeleted"> {
  const { insertion, replacement } = contextUnits(database);
  return {
    insert: (context, by = "") => queries.unit(() => insertion(context, by)),
    async remove(organizationId, id) {
      const { numDeletedRows } = await database
        .deleteFrom("embed_context")
        .where("organization_id", "=", organizationId)
        .where("id", "=", id)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
    async replace(organizationId, id, settings, nowMs, change = {}) {
      const replaced = { organizationId, id, settings, nowMs };
      const row = await queries.unit(() => replacement(replaced, change));
      return row ? toRecord(row) : null;
    },
    async setDeleted(organizationId, id, deletedAtMs) {
      const { numUpdatedRows } = await database
        .updateTable("embed_context")
        .set({ deleted_at_ms: deletedAtMs })
        .where("organization_id", "=", organizationId)
        .where("id", "=", id)
        .where("deleted_at_ms", deletedAtMs === null ? "is not" : "is", null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async removeDeleted(beforeMs) {
      const { numDeletedRows } = await database
        .deleteFrom("embed_context")
        .where("deleted_at_ms", "<=", beforeMs)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function contextHistory(database: Kysely<Tables>): Pick<ContextStore, "versions"> {
  return {
    async versions(id) {
      const rows = await database
        .selectFrom("context_version")
        .selectAll()
        .where("context_uuid", "=", id)
        .orderBy("revision", "desc")
        .execute();
      return rows.map((row) => ({
        revision: row.revision,
        settings: toSettings(row),
        savedAtMs: row.saved_at_ms,
        savedBy: row.saved_by,
      }));
    },
  };
}

/** Embed contexts in SQL. */
export function contextRows(database: Kysely<Tables>, queries: Queries): ContextStore {
  return {
    ...contextReads(database, queries),
    ...contextWrites(database, queries),
    ...contextHistory(database),
  };
}
