/**
 * How processes on the same store tell each other that something happened to a session: it ended, or its peer was made in another
 * process. A notice only says which session to check; the truth is in the store. A notice may arrive twice, late or never.
 */
export interface SessionNotices {
  /** Notifies every process, including this one. Never rejects. */
  publish(sessionId: string): void;
  /** Calls the handler for every notice until the returned function is called. */
  subscribe(handler: NoticeHandler): () => void;
}

/** Receives the id of a session; null means that any session may have changed. */
export type NoticeHandler = (sessionId: string | null) => void;

/** Notices within one process. */
export interface LocalNotices extends SessionNotices {
  publish(sessionId: string | null): void;
}

/** Notices within this process, for a process that is alone on its store. */
export function localNotices(): LocalNotices {
  const handlers = new Set<NoticeHandler>();
  return {
    publish(sessionId) {
      for (const handler of handlers) handler(sessionId);
    },
    subscribe(handler) {
      handlers.add(handler);
      return () => void handlers.delete(handler);
    },
  };
}
