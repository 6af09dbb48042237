import { waitingPerSession } from "../../faults/fault.ts";
import type { Serializable } from "node:child_process";
import { TimeLimit } from "../../../timing/time-limit.ts";
import { abortReason } from "../../faults/error-message.ts";
import { FairQueue, type JobShare } from "./fair-queue.ts";
import type { PoolWorker } from "./pool-worker.ts";

/** A session has reached its maximum number of waiting jobs. */
export class SessionQueueFull extends Error {
  override readonly name = "SessionQueueFull";

  constructor() {
    super(`${waitingPerSession} jobs of this session wait already.`);
  }
}

/** Options for running a job. */
export interface JobOptions extends JobShare {
  signal?: AbortSignal | undefined;
}

/** Options of a pool of workers. */
export interface WorkerPoolOptions {
  /** Starts a worker: a thread or a process. */
  start(): PoolWorker;
  /** The maximum number of workers. They start when needed. */
  size: number;
  /** A job that takes longer fails, and its worker is replaced. */
  jobTimeoutMs: number;
}

interface Job<Request, Answer> {
  request: Request;
  /** Why it was abandoned. */
  abandoned: () => Error;
  resolve: (answer: Answer) => void;
  reject: (reason: Error) => void;
}

/** Runs jobs in workers, one at a time in each. Sessions are served in turn, and the jobs of a session in order. */
export class WorkerPool<Request extends Serializable, Answer> {
  readonly #options: WorkerPoolOptions;
  readonly #queue = new FairQueue<Job<Request, Answer>>();
  readonly #idle: PoolWorker[] = [];
  readonly #all = new Set<PoolWorker>();
  #closed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /**
   * Runs one job. Rejects with the signal's reason when it is aborted (a running job continues, and its result is discarded),
   * with SessionQueueFull, and with an Error when its worker crashes, times out, or the pool is closed.
   */
  run(request: Request, { signal, session, cost }: JobOptions = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (this.#closed) throw new Error("The worker pool is closed.");
      if (session !== undefined && this.#queue.lengthOf(session) >= waitingPerSession)
        throw new SessionQueueFull();
      const abandon = (): void => this.#abandon(job);
      const job: Job<Request, Answer> = {
        request,
        resolve(answer) {
          signal?.removeEventListener("abort", abandon);
          resolve(answer);
        },
        reject(reason) {
          signal?.removeEventListener("abort", abandon);
          reject(reason);
        },
        abandoned: () => (signal ? abortReason(signal) : new Error("The job was abandoned.")),
      };
      signal?.addEventListener("abort", abandon);
      this.#queue.add(job, { session, cost });
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#queue.clear()) job.reject(new Error("The worker pool is closed."));
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #abandon(job: Job<Request, Answer>): void {
    this.#queue.remove(job);
    job.reject(job.abandoned());
  }

  #next(): void {
    if (this.#queue.isEmpty) return;
    const worker = this.#idle.pop() ?? this.#start();
    const job = worker && this.#queue.take();
    if (job) this.#work(worker, job);
  }

  #start(): PoolWorker | undefined {
    if (this.#all.size >= this.#options.size) return undefined;
    const worker = this.#options.start();
    worker.unref();
    this.#all.add(worker);
    worker.on("exit", () => this.#forget(worker));
    return worker;
  }

  /** Removes a worker that ended while it was idle. */
  #forget(worker: PoolWorker): void {
    this.#all.delete(worker);
    const index = this.#idle.indexOf(worker);
    if (index >= 0) this.#idle.splice(index, 1);
  }

  #work(worker: PoolWorker, job: Job<Request, Answer>): void {
    worker.ref();
    const done = (settle: () => void): void => {
      limit.end();
      worker.removeAllListeners("message").removeAllListeners("error").off("exit", onExit);
      settle();
    };
    const fail = (error: Error): void => {
      this.#all.delete(worker);
      void worker.terminate();
      done(() => job.reject(error));
      this.#next();
    };
    const onExit = (): void => fail(new Error("A worker exited during a job."));
    const limit = new TimeLimit(this.#options.jobTimeoutMs, () =>
      fail(new Error(`A worker took longer than ${this.#options.jobTimeoutMs} ms.`)),
    );
    worker.on("message", (answer) => {
      worker.unref();
      this.#idle.push(worker);
      // eslint-disable-next-line no-restricted-syntax -- the pool's own workers answer, and each pool has one kind
      done(() => job.resolve(answer as Answer));
      this.#next();
    });
    worker.on("error", fail).on("exit", onExit);
    worker.postMessage(job.request);
  }
}
