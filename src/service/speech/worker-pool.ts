import { waitingPerSession } from "../limit-exceeded.ts";
import { FairQueue, type JobShare } from "./fair-queue.ts";
import type { PoolWorker } from "./pool-worker.ts";

/** A session has as many jobs waiting as it may have. */
export class SessionQueueFull extends Error {
  override readonly name = "SessionQueueFull";

  constructor() {
    super(`${waitingPerSession} jobs of this session wait already.`);
  }
}

/** How a job is run. */
export interface JobOptions extends JobShare {
  signal?: AbortSignal | undefined;
}

/** What a pool of workers is made from. */
export interface WorkerPoolOptions {
  /** Starts a worker: a thread or a process. */
  start(): PoolWorker;
  /** How many workers there are at most; they start as they are needed. */
  size: number;
  /** A job that takes longer is given up, and its worker replaced. */
  jobTimeoutMs: number;
}

interface Job<Request, Answer> {
  request: Request;
  /** Why it was abandoned, once it was. */
  abandoned: () => Error;
  resolve: (answer: Answer) => void;
  reject: (reason: Error) => void;
}

/** Runs jobs in workers, one at a time in each. Sessions are served in turn; the jobs of each in the order they came. */
export class WorkerPool<Request, Answer> {
  readonly #options: WorkerPoolOptions;
  readonly #queue = new FairQueue<Job<Request, Answer>>();
  readonly #idle: PoolWorker[] = [];
  readonly #all = new Set<PoolWorker>();
  #closed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /**
   * Runs one job. Rejects with the signal's reason when it is aborted (a job that has begun goes on, unheard), with
   * SessionQueueFull, and with an Error when its worker dies, times out, or the pool is closed.
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
        abandoned: () => signal?.reason as Error,
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

  /** One that ends while it has no work is never given any. */
  #forget(worker: PoolWorker): void {
    this.#all.delete(worker);
    const index = this.#idle.indexOf(worker);
    if (index >= 0) this.#idle.splice(index, 1);
  }

  #work(worker: PoolWorker, job: Job<Request, Answer>): void {
    worker.ref();
    const done = (settle: () => void): void => {
      clearTimeout(timer);
      worker.removeAllListeners("message").removeAllListeners("error").off("exit", onExit);
      settle();
    };
    const fail = (error: Error): void => {
      this.#all.delete(worker);
      void worker.terminate();
      done(() => job.reject(error));
      this.#next();
    };
    const onExit = (): void => fail(new Error("A worker ended while it had work."));
    const timer = setTimeout(
      () => fail(new Error(`A worker took longer than ${this.#options.jobTimeoutMs} ms.`)),
      this.#options.jobTimeoutMs,
    );
    worker.on("message", (answer) => {
      worker.unref();
      this.#idle.push(worker);
      done(() => job.resolve(answer as Answer));
      this.#next();
    });
    worker.on("error", fail).on("exit", onExit);
    worker.postMessage(job.request);
  }
}
