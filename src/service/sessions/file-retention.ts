import type { SessionDependencies } from "./session-dependencies.ts";
import { measureEventFiles, removeOldEventFiles } from "./event-files.ts";

const intervalMs = 60 * 60 * 1000;

/** Removes event files whose retention time is over. */
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
      dependencies.log.error("old event files could not be removed", { error: String(error) });
    }
  }

  return {
    removeOld: () => removeOldEventFiles(dependencies),
    start() {
      if (timer) return;
      timer = setInterval(() => void work(() => removeOldEventFiles(dependencies)), intervalMs).unref();
      void work(async () => {
        await measureEventFiles(dependencies);
        await removeOldEventFiles(dependencies);
      });
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
