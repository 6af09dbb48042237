import pg from "pg";
import type { Logger } from "../../../logging/logger.ts";
import { localNotices, type SessionNotices } from "../../sessions/life/session-notices.ts";
import { connectionSettings, databaseFault } from "../database/postgres-pool.ts";

const channel = "visavis_session";
const reconnectAfterMs = 1_000;

/** Notices to all processes with the same database. */
export interface PostgresNotices extends SessionNotices {
  close(): Promise<void>;
}

/** A connection that only listens, and reconnects whenever it breaks. */
class Listener {
  readonly #url: string;
  readonly #onNotice: (payload: string) => void;
  #client: pg.Client | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, onNotice: (payload: string) => void) {
    this.#url = url;
    this.#onNotice = onNotice;
  }

  /** Rejects when the database does not answer. */
  async listen(): Promise<void> {
    const client = new pg.Client(connectionSettings(this.#url));
    client.on("notification", ({ payload }) => payload !== undefined && this.#onNotice(payload));
    // The pool logs outages. The regular check of peers finds what was missed during one.
    client.on("error", () => undefined);
    client.once("end", () => this.#listenLater());
    this.#client = client;
    await client.connect();
    await client.query(`listen ${channel}`);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#client?.end().catch(() => undefined);
  }

  #listenLater(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.listen().catch(() => this.#listenLater());
    }, reconnectAfterMs).unref();
  }
}

/** Notices by LISTEN and NOTIFY. Rejects if the database does not answer; after later outages it reconnects. */
export async function openPostgresNotices(url: string, pool: pg.Pool, log: Logger): Promise<PostgresNotices> {
  const local = localNotices();
  const listener = new Listener(url, (sessionId) => local.publish(sessionId));
  await listener.listen();
  return {
    publish(sessionId) {
      pool.query("select pg_notify($1, $2)", [channel, sessionId]).catch((error: unknown) => {
        log.warn("session notice failed", { error: databaseFault(error) });
      });
    },
    subscribe: (handler) => local.subscribe(handler),
    close: () => listener.close(),
  };
}
