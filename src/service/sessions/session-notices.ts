/**
 * How processes that serve one store tell each other that something happened to a session: it ended, or its peer was made
 * elsewhere. A notice only says where to look; what is true stands in the store. It may come twice, late or never.
 */
export interface SessionNotices {
  /** Tells every process, this one too. Never rejects. */
  publish(sessionId: string): void;
  /** Hears what is published, from now on until the answer is called. */
  subscribe(handler: NoticeHandler): () => void;
}

/** Hears of a session; null: of any session something may have happened. */
export type NoticeHandler = (sessionId: string | null) => void;

/** Notices within this process. */
export interface LocalNotices extends SessionNotices {
  publish(sessionId: string | null): void;
}

/** Notices within this process: for one that serves its store alone. */
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
