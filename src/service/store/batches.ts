/** An item that waits for its result. */
export interface Task<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Settles every task. If it rejects, the tasks that it has not settled are rejected with the same error. */
export type BatchWork<Item, Result> = (tasks: readonly Task<Item, Result>[]) => Promise<void>;

/** A larger batch would make every task wait for the last one. */
const maxTasks = 200;

/** Processes concurrent items in batches. One batch runs at a time; items that arrive meanwhile form the next one. */
export class Batches<Item, Result> {
  readonly #work: BatchWork<Item, Result>;
  #waiting: Task<Item, Result>[] = [];
  #isRunning = false;

  constructor(work: BatchWork<Item, Result>) {
    this.#work = work;
  }

  /** Adds an item to the next batch. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      // Items of the same event loop turn share a batch.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const tasks = this.#waiting.splice(0, maxTasks);
      try {
        await this.#work(tasks);
      } catch (error) {
        for (const task of tasks) task.reject(error);
      }
    }
    this.#isRunning = false;
  }
}
