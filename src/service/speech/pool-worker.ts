import { fork, type ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

/** What a pool gives its jobs to: answers every message with one message, and may end by itself. */
export interface PoolWorker {
  postMessage(request: unknown): void;
  on(event: "message", listen: (answer: unknown) => void): this;
  on(event: "error", listen: (error: Error) => void): this;
  on(event: "exit", listen: () => void): this;
  off(event: "exit", listen: () => void): this;
  removeAllListeners(event: "message" | "error"): this;
  /** Whether the program stays for it. */
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
}

/** A thread that runs a script. */
export function startThread(workerUrl: URL, workerData: unknown): PoolWorker {
  return new Worker(workerUrl, { workerData });
}

class ProcessWorker extends EventEmitter implements PoolWorker {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  constructor(processUrl: URL, args: readonly string[]) {
    super();
    this.#child = fork(fileURLToPath(processUrl), args, {
      serialization: "advanced",
      execArgv: [],
      // What it prints may hold what was said.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child.on("message", (answer) => this.emit("message", answer));
    this.#ended = new Promise((resolve) => {
      const end = (): void => {
        resolve();
        this.emit("exit");
      };
      this.#child.once("exit", end);
      // One that could not be started does not exit.
      this.#child.on("error", () => this.#child.pid === undefined && end());
    });
  }

  postMessage(request: unknown): void {
    // One that is gone tells so by its exit.
    if (this.#child.connected) this.#child.send(request as object, () => undefined);
  }

  ref(): void {
    this.#child.ref();
    this.#child.channel?.ref();
  }

  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  async terminate(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}

/** A process that runs a script, for work that may bring down the process it is in. */
export function startProcess(processUrl: URL, args: readonly string[]): PoolWorker {
  return new ProcessWorker(processUrl, args);
}
