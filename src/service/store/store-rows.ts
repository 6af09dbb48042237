import type { Kysely } from "kysely";
import { apiKeyRows } from "./api-key-rows.ts";
import { catalogueRows } from "./catalogue-rows.ts";
import { contextRows } from "./context-rows.ts";
import { eventRows } from "./event-rows.ts";
import { organizationRows } from "./organization-rows.ts";
import { peerRows } from "./peer-rows.ts";
import { sessionRows } from "./session-rows.ts";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";

/** The rows of a store, by queries that every database of ours understands. */
export function storeRows(database: Kysely<Tables>): Omit<Store, "alone" | "ping" | "close"> {
  return {
    organizations: organizationRows(database),
    apiKeys: apiKeyRows(database),
    catalogue: catalogueRows(database),
    contexts: contextRows(database),
    sessions: sessionRows(database),
    events: eventRows(database),
    peers: peerRows(database),
  };
}
