import type { MediaLog } from "./media-log.ts";
import type { MediaProcessSettings } from "./media-ipc.ts";
import { SupervisedProcess, type ProcessNews } from "./supervised-process.ts";

/** A process that lived this long died by accident; a shorter life points to something that will happen again. */
const healthyLifeMs = 10_000;
const firstDelayMs = 250;
const longestDelayMs = 10_000;

/** What a fleet is made from. */
export interface ProcessFleetOptions {
  processUrl: URL;
  /** How many processes serve sessions; one more stands by to take a dead one's place. */
  size: number;
  settings: MediaProcessSettings;
  log: MediaLog;
  onNews(process: SupervisedProcess, news: ProcessNews): void;
  onDied(process: SupervisedProcess): void;
}

/** Keeps a number of media processes alive, and one spare. */
export class ProcessFleet {
  readonly #options: ProcessFleetOptions;
  readonly #processes: SupervisedProcess[] = [];
  /** In the order they became ready: the first ones serve, the last one is the spare. */
  readonly #ready: SupervisedProcess[] = [];
  #shortLives = 0;
  #restartTimer: NodeJS.Timeout | undefined;
  isStopped = false;

  constructor(options: ProcessFleetOptions) {
    this.#options = options;
    for (let count = 0; count <= options.size; count++) this.#start();
  }

  /** The process for a new session: of those that serve, the ready one with the least load. */
  pick(load: (process: SupervisedProcess) => number): SupervisedProcess {
    if (this.#processes.length === 0) this.#start();
    const candidates = (this.#ready.length > 0 ? this.#ready : this.#processes).slice(0, this.#options.size);
    return candidates.reduce((best, process) => (load(process) < load(best) ? process : best));
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.#restartTimer);
    await Promise.all([...this.#processes].map((process) => process.stop()));
  }

  #start(): void {
    const { processUrl, settings, log } = this.#options;
    const startedAtMs = performance.now();
    const process: SupervisedProcess = new SupervisedProcess(processUrl, settings, {
      onReady: () => {
        this.#ready.push(process);
        log.info("media process ready", { pid: process.pid ?? null });
      },
      onNews: (news) => this.#options.onNews(process, news),
      onDied: (detail, isClean) => {
        if (this.isStopped && !isClean)
          log.warn("media process did not stop by itself", { pid: process.pid ?? null, detail });
        this.#handleDeath(process, performance.now() - startedAtMs, detail);
      },
    });
    this.#processes.push(process);
  }

  #handleDeath(process: SupervisedProcess, lifeMs: number, detail: string): void {
    this.#processes.splice(this.#processes.indexOf(process), 1);
    if (this.#ready.includes(process)) this.#ready.splice(this.#ready.indexOf(process), 1);
    this.#options.onDied(process);
    if (this.isStopped) return;
    this.#options.log.warn("media process died", { pid: process.pid ?? null, detail });
    this.#shortLives = lifeMs < healthyLifeMs ? this.#shortLives + 1 : 0;
    // The first short life may be bad luck too: the spare serves meanwhile, its replacement comes at once.
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
