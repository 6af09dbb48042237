import { randomBytes } from "node:crypto";
import type pg from "pg";
import { StorageError, storageError, theDatabase } from "../../faults/storage-error.ts";

/** What is tried: more than a page of the database has left, of bytes that cannot be compressed. */
const triedBytes = 64 * 1024;

/** How long the answer to "can it store anything" counts: everybody may ask. */
const triedForMs = 1_000;

/**
 * Whether the database has room. Nothing is written to find out while all goes well, because rows that are written for nothing
 * remain until a vacuum; so it is known from the first statement for which there was none.
 */
export class PostgresRoom {
  readonly #pool: pg.Pool;
  #fault: StorageError | null = null;
  #triedAtMs = -Infinity;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** The same work. Rejects with StorageError if the database takes no more data. */
  async watch<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (thrown) {
      const error = storageError(thrown, theDatabase);
      if (error instanceof StorageError) this.#fault = error;
      throw error;
    }
  }

  /** Rejects while the database takes no more data. */
  async check(): Promise<void> {
    if (this.#fault === null) return;
    if (performance.now() - this.#triedAtMs < triedForMs) throw this.#fault;
    this.#triedAtMs = performance.now();
    await this.watch(this.#try());
    this.#fault = null;
  }

  async #try(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query("begin");
      await client.query("insert into stored_file (name, bytes) values ($1, $2)", [
        ".try",
        randomBytes(triedBytes),
      ]);
    } finally {
      const isOver = await client.query("rollback").then(
        () => true,
        () => false,
      );
      client.release(!isOver);
    }
  }
}
