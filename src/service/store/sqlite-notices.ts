import { localNotices, type SessionNotices } from "../sessions/session-notices.ts";

/** How often it is asked whether another process wrote, in ms. A question takes 5 µs. */
const askEveryMs = 250;

/** Notices to the processes with the same database file. */
export interface SqliteNotices extends SessionNotices {
  close(): void;
}

/**
 * Notices by what is in the file: SQLite tells nobody of anything, but counts what other connections wrote. So whoever listens
 * hears, of whatever another process writes, that something may have happened to any session. `foreignWrites` changes with
 * each such writing; it may throw where the database is busy.
 */
export function openSqliteNotices(foreignWrites: () => number): SqliteNotices {
  const local = localNotices();
  let listeners = 0;
  let known: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  function ask(): void {
    let found: number;
    try {
      found = foreignWrites();
    } catch {
      return;
    }
    if (known !== undefined && found !== known) local.publish(null);
    known = found;
  }

  function close(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    publish: (sessionId) => local.publish(sessionId),
    subscribe(handler) {
      const unsubscribe = local.subscribe(handler);
      listeners++;
      ask();
      timer ??= setInterval(ask, askEveryMs).unref();
      return () => {
        unsubscribe();
        if (--listeners === 0) close();
      };
    },
    close,
  };
}
