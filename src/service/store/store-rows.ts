import type { Kysely } from "kysely";
import { apiKeyRows } from "./api-key-rows.ts";
import { catalogueRows } from "./catalogue-rows.ts";
import { contextRows } from "./context-rows.ts";
import { eventFileRows } from "./event-file-rows.ts";
import { eventRows } from "./event-rows.ts";
import { organizationRows } from "./organization-rows.ts";
import { peerRows } from "./peer-rows.ts";
import type { Queries } from "./queries.ts";
import { catalogueSeal } from "./sealed-catalogue.ts";
import type { SecretBox } from "./secret-box.ts";
import { sessionRows } from "./session-rows.ts";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";

/**
 * The rows of a store, by queries that every database of ours understands: built as they are needed, or, where they run with
 * every request, run by the short way.
 */
export function storeRows(
  database: Kysely<Tables>,
  queries: Queries,
  box?: SecretBox,
): Omit<Store, "alone" | "ping" | "close"> {
  return {
    organizations: organizationRows(database, queries),
    apiKeys: apiKeyRows(database, queries),
    catalogue: catalogueRows(database, queries, catalogueSeal(box)),
    contexts: contextRows(database, queries),
    sessions: sessionRows(database, queries),
    events: eventRows(database, queries),
    eventFiles: eventFileRows(database, queries),
    peers: peerRows(database),
  };
}
