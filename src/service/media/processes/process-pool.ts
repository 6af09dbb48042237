import type { Logger } from "../../../logging/logger.ts";
import type { MediaProcessSettings } from "./media-ipc.ts";
import { SupervisedProcess, type ProcessEvents, type ProcessNews } from "./supervised-process.ts";

/** A process that ran this long is restarted at once. A shorter life suggests a fault that will repeat. */
const healthyLifeMs = 10_000;
const firstDelayMs = 250;
const longestDelayMs = 10_000;

/** The most lines of a process's standard error that are logged. */
const loggedLines = 50;

/** Dependencies and settings of a pool. */
export interface ProcessPoolOptions {
  processUrl: URL;
  /** How many processes serve sessions. One more is a spare that replaces a dead one. */
  size: number;
  settings: MediaProcessSettings;
  /** How many times their usual time limits the processes get. Default: 1. */
  patience?: number | undefined;
  log: Pick<Logger, "info" | "warn">;
  onNews(child: SupervisedProcess, news: ProcessNews): void;
  onDied(child: SupervisedProcess): void;
}

/** Keeps a number of media processes alive, and one spare. */
export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  readonly #processes: SupervisedProcess[] = [];
  /** In the order in which they became ready: the first `size` serve, the last is the spare. */
  readonly #ready: SupervisedProcess[] = [];
  /** Those that know that they serve. */
  readonly #serving = new WeakSet<SupervisedProcess>();
  #shortLives = 0;
  #restartTimer: NodeJS.Timeout | undefined;
  isStopped = false;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
    for (let count = 0; count <= options.size; count++) this.#start();
  }

  /** The process for a new session: the ready one with the least load, the spare excluded. */
  pick(load: (child: SupervisedProcess) => number): SupervisedProcess {
    if (this.#processes.length === 0) this.#start();
    const candidates = (this.#ready.length > 0 ? this.#ready : this.#processes).slice(0, this.#options.size);
    return candidates.reduce((best, child) => (load(child) < load(best) ? child : best));
  }

  /** How many processes are ready, with the spare. */
  get readyCount(): number {
    return this.#ready.length;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.#restartTimer);
    await Promise.all([...this.#processes].map((child) => child.stop()));
  }

  #start(): void {
    const { processUrl, settings, patience, log } = this.#options;
    const startedAtMs = performance.now();
    let lines = 0;
    const events: ProcessEvents = {
      onReady: () => {
        this.#ready.push(child);
        this.#tellServing();
        log.info("media process ready", { pid: child.pid ?? null });
      },
      onErrorLine: (line) => {
        if (line !== "" && lines++ < loggedLines)
          log.warn("media process wrote", { pid: child.pid ?? null, detail: line });
      },
      onNews: (news) => this.#options.onNews(child, news),
      onDied: (detail, isClean) => {
        if (this.isStopped && !isClean)
          log.warn("media process did not stop by itself", { pid: child.pid ?? null, detail });
        this.#handleDeath(child, performance.now() - startedAtMs, detail);
      },
    };
    const child = new SupervisedProcess(processUrl, settings, events, patience);
    this.#processes.push(child);
  }

  #tellServing(): void {
    for (const child of this.#ready.slice(0, this.#options.size)) {
      if (this.#serving.has(child)) continue;
      this.#serving.add(child);
      child.send({ type: "serve" });
    }
  }

  #handleDeath(child: SupervisedProcess, lifeMs: number, detail: string): void {
    this.#processes.splice(this.#processes.indexOf(child), 1);
    if (this.#ready.includes(child)) this.#ready.splice(this.#ready.indexOf(child), 1);
    this.#tellServing();
    this.#options.onDied(child);
    if (this.isStopped) return;
    this.#options.log.warn("media process died", { pid: child.pid ?? null, detail });
    this.#shortLives = lifeMs < healthyLifeMs ? this.#shortLives + 1 : 0;
    // A single short life can be an accident: the spare serves meanwhile, and the replacement starts at once.
    if (this.#shortLives <= 1) this.#start();
    else this.#startLater(Math.min(longestDelayMs, firstDelayMs * 2 ** (this.#shortLives - 2)));
  }

  #startLater(delayMs: number): void {
    clearTimeout(this.#restartTimer);
    this.#restartTimer = setTimeout(() => {
      while (this.#processes.length <= this.#options.size) this.#start();
    }, delayMs);
  }
}
