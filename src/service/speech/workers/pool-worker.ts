import { fork, type ChildProcess, type Serializable } from "node:child_process";
import { EventEmitter } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

/** A worker of a pool, a thread or a process. It answers every message with one message, and may end by itself. */
export interface PoolWorker {
  postMessage(request: Serializable): void;
  on(event: "message", listen: (answer: unknown) => void): this;
  on(event: "error", listen: (error: Error) => void): this;
  on(event: "exit", listen: () => void): this;
  off(event: "exit", listen: () => void): this;
  removeAllListeners(event: "message" | "error"): this;
  /** Keeps the program running, or no longer keeps it running. */
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
      // Its output may contain a visitor's words.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child.on("message", (answer) => this.emit("message", answer));
    this.#ended = new Promise((resolve) => {
      const end = (): void => {
        resolve();
        this.emit("exit");
      };
      this.#child.once("exit", end);
      // A process that failed to start has no exit event.
      this.#child.on("error", () => this.#child.pid === undefined && end());
    });
  }

  postMessage(request: Serializable): void {
    // If the process has ended, its exit event reports that.
    if (this.#child.connected) this.#child.send(request, () => undefined);
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
    // Otherwise a program with nothing else to do ends here, before it has said what it found.
    this.ref();
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}

/** Starts a process that runs a script, for work that may crash its process. */
export function startProcess(processUrl: URL, args: readonly string[]): PoolWorker {
  return new ProcessWorker(processUrl, args);
}
