import { localNotices, type SessionNotices } from "../../sessions/life/session-notices.ts";

/** How often to check whether another process has written. A check takes 5 µs. */
const checkEveryMs = 250;

/** Notices to the processes with the same database file. */
export interface SqliteNotices extends SessionNotices {
  close(): void;
}

/**
 * Notices through the database file. SQLite has no notifications, but counts the writes of other connections. So after every
 * write of another process, listeners are told that any session may have changed. `foreignWrites` changes with each such
 * write; it may throw if the database is busy.
 */
export function openSqliteNotices(foreignWrites: () => number): SqliteNotices {
  const local = localNotices();
  let listeners = 0;
  let known: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  function check(): void {
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
      check();
      timer ??= setInterval(check, checkEveryMs).unref();
      return () => {
        unsubscribe();
        if (--listeners === 0) close();
      };
    },
    close,
  };
}
