import { join } from "node:path";
import Database from "libsql";
import type { Server } from "./stack.ts";

/** Kinds of the events that the service has stored of a session, oldest first. */
export function storedEvents(server: Server, sessionId: string): string[] {
  const database = new Database(join(server.dataFolder, "visavis.db"), { readonly: true });
  try {
    const rows = database
      .prepare("select event from session_event where session_id = ? order by created_at, rowid")
      .all(sessionId) as { event: string }[];
    return rows.map((row) => row.event);
  } finally {
    database.close();
  }
}
