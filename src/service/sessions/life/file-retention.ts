import type { SessionDependencies } from "../session-dependencies.ts";
import { measureEventFiles, removeOldEventFiles, removeOldEvents } from "../events/event-files.ts";

const intervalMs = 60 * 60 * 1000;

/** Removes events and their files when their retention time is over. */
export interface FileRetention {
  /** Removes the files and resolves with how many. `start` runs it every hour. */
  removeOld(): Promise<number>;
  start(): void;
  stop(): void;
}

/** The retention of a store's event files. When there are several processes, only one works at a time. */
export function createFileRetention(
  dependencies: Pick<SessionDependencies, "store" | "files" | "clock" | "settings" | "log">,
): FileRetention {
  let timer: NodeJS.Timeout | undefined;

  async function work(step: () => Promise<unknown>): Promise<void> {
    try {
      await step();
    } catch (error) {
      dependencies.log.error("old events could not be removed", { error: String(error) });
    }
  }

  async function removeOld(): Promise<number> {
    const removed = await removeOldEventFiles(dependencies);
    await removeOldEvents(dependencies);
    return removed;
  }

  return {
    removeOld,
    start() {
      if (timer) return;
      timer = setInterval(() => void work(removeOld), intervalMs).unref();
      void work(async () => {
        await measureEventFiles(dependencies);
        await removeOld();
      });
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
