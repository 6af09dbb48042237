import type { Kysely } from "kysely";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";

/** The holders of peers in SQL. */
export function peerRows(database: Kysely<Tables>): Store["peers"] {
  return {
    async take(sessionId, process) {
      await database
        .insertInto("session_peer")
        .values({ session_id: sessionId, process })
        .onConflict((conflict) => conflict.column("session_id").doUpdateSet({ process }))
        .execute();
    },
    async held(process, sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await database
        .selectFrom("session_peer")
        .innerJoin("session", "session.id", "session_peer.session_id")
        .select("session.id")
        .where("session.id", "in", sessionIds)
        .where("session_peer.process", "=", process)
        .where("session.status", "!=", "TERMINATED")
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}
