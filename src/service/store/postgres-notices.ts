import pg from "pg";
import type { Log } from "../log.ts";
import type { SessionNotices } from "../sessions/session-notices.ts";
import { localNotices } from "../sessions/session-notices.ts";
import { connectionSettings, databaseFault } from "./postgres-pool.ts";

const channel = "visavis_session";
const reconnectAfterMs = 1_000;

/** Notices to every process with the same database. */
export interface PostgresNotices extends SessionNotices {
  close(): Promise<void>;
}

/** A connection that does nothing but listen, made anew whenever it breaks. */
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
    // The pool's log tells that the database is away. What is missed meanwhile the regular check finds.
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

/** Notices by LISTEN and NOTIFY. Rejects when the database does not answer; later it listens again by itself. */
export async function openPostgresNotices(url: string, pool: pg.Pool, log: Log): Promise<PostgresNotices> {
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
