import { setTimeout as pause } from "node:timers/promises";
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

async function untilNothing(remove: () => Promise<number>): Promise<void> {
  while ((await remove()) === batch) await pause(0);
}

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
    "alone" | "contexts" | "contextPreviews" | "conversations" | "deletedDocuments" | "websites"
  >;
  files: FileStore;
  clock: Clock;
  log: Logger;
}

/** The retention of a store's rows. When there are several processes, only one works at a time. */
export function createRetention({ store, files, clock, log }: RetentionParts): Retention {
  let timer: NodeJS.Timeout | undefined;

  async function sweep(): Promise<void> {
    await store.alone("retention", async () => {
      const nowMs = clock.nowMs();
      await store.contexts.removeDeleted(nowMs - undoMs);
      await removeDeletedTexts({ store, files }, nowMs - undoMs);
      await store.contextPreviews.removeOld(nowMs - previewMs);
      await untilNothing(() => store.conversations.removeDeleted(nowMs - undoMs, batch));
      await untilNothing(() => store.conversations.removeExpiredWords(nowMs, batch));
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
