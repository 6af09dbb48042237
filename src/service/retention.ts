import { setTimeout as pause } from "node:timers/promises";
import { messageDays } from "../protocol/session/message-fields.ts";
import type { Logger } from "../logging/logger.ts";
import type { Clock } from "./clock.ts";
import { removeDeletedTexts } from "./administration/knowledge/knowledge.ts";
import type { FileStore, Store } from "./store/store.ts";

const intervalMs = 30_000;

/** How long a deletion can be undone, in the console and through the interface. */
export const undoMs = 30_000;

/** How long a preview can be used after its last change. */
export const previewMs = 24 * 60 * 60 * 1000;

/** How many conversations one transaction removes: more would delay requests. */
const batch = 200;

/** Removes until nothing is left. Resolves with how much it was. */
async function untilNothing(remove: () => Promise<number>): Promise<number> {
  let removed = 0;
  for (;;) {
    const count = await remove();
    removed += count;
    if (count < batch) return removed;
    await pause(0);
  }
}

/** How long a conversation that is over stays in the list of those that go on, in ms. */
export const justOverMs = 5 * 60_000;

/** How long what was sent to webhooks is kept, in ms, and the most of one webhook. */
const deliveryLogMs = 7 * 24 * 60 * 60_000;
const deliveryLogMost = 500;
/** How long messages of visitors are kept, in ms. */
const messagesKeptMs = messageDays * 24 * 60 * 60_000;

/** Removes what was deleted or has expired. */
export interface Retention {
  /** Does it now; `start` does it regularly. */
  sweep(): Promise<void>;
  start(): void;
  stop(): void;
}

interface RetentionParts {
  store: Pick<
    Store,
    | "alone"
    | "forget"
    | "contexts"
    | "contextPreviews"
    | "conversations"
    | "live"
    | "inbox"
    | "deletedDocuments"
    | "websites"
    | "webhooks"
  >;
  files: FileStore;
  clock: Clock;
  log: Logger;
}

/** The retention of a store's rows. When there are several processes, only one works at a time. */
export function createRetention({ store, files, clock, log }: RetentionParts): Retention {
  let timer: NodeJS.Timeout | undefined;
  /** Whether something was removed whose traces are still in the files. */
  let hasTraces = false;

  async function sweep(): Promise<void> {
    await store.alone("retention", async () => {
      const nowMs = clock.nowMs();
      const removed = [
        await store.contexts.removeDeleted(nowMs - undoMs),
        await removeDeletedTexts({ store, files }, nowMs - undoMs),
        await untilNothing(() => store.conversations.removeDeleted(nowMs - undoMs, batch)),
        await untilNothing(() => store.conversations.removeExpiredWords(nowMs, batch)),
        await untilNothing(() => store.live.removeOver(nowMs - justOverMs, batch)),
        await store.webhooks.trim(nowMs - deliveryLogMs, deliveryLogMost),
        await untilNothing(() => store.inbox.removeOld(nowMs - messagesKeptMs, batch)),
      ];
      await store.contextPreviews.removeOld(nowMs - previewMs);
      hasTraces ||= removed.some((count) => count > 0);
      if (hasTraces) hasTraces = !(await store.forget());
    });
  }

  return {
    sweep,
    start() {
      timer ??= setInterval(() => {
        sweep().catch((error: unknown) => {
          log.error("expired rows could not be removed", { error: String(error) });
        });
      }, intervalMs).unref();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
