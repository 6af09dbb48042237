import type { Kysely } from "kysely";
import type { PeerStore } from "../store.ts";
import type { Tables } from "../database/tables.ts";

/** Which process has each peer connection, in SQL. */
export function peerRows(database: Kysely<Tables>): PeerStore {
  return {
    async take(sessionId, processId) {
      await database
        .insertInto("session_peer")
        .values({ session_id: sessionId, process: processId })
        .onConflict((conflict) => conflict.column("session_id").doUpdateSet({ process: processId }))
        .execute();
    },
    async held(processId, sessionIds) {
      if (sessionIds.length === 0) return [];
      const rows = await database
        .selectFrom("session_peer")
        .innerJoin("session", "session.id", "session_peer.session_id")
        .select("session.id")
        .where("session.id", "in", sessionIds)
        .where("session_peer.process", "=", processId)
        .where("session.status", "!=", "TERMINATED")
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}
