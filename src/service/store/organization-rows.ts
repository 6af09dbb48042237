import type { Kysely } from "kysely";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";

/** Organizations in SQL. */
export function organizationRows(database: Kysely<Tables>): Store["organizations"] {
  return {
    async insert({ id, name, createdAtMs }) {
      await database.insertInto("organization").values({ id, name, created_at_ms: createdAtMs }).execute();
    },
    async first() {
      const row = await database
        .selectFrom("organization")
        .select(["id", "name"])
        .orderBy("created_at_ms")
        .limit(1)
        .executeTakeFirst();
      return row ?? null;
    },
  };
}
