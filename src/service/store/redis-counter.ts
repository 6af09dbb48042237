import { createClient } from "redis";
import type { Log } from "../log.ts";
import { counterScripts } from "./redis-scripts.ts";

/** What limits are counted with, as relay and service ask for it. */
interface SharedCounter {
  /** Adds `amount` to the key's fixed window and answers what it holds now. */
  add(key: string, amount: number, windowMs: number): Promise<{ total: number; resetAtMs: number }>;
  /** Takes one of `limit` places under the key for `ttlMs`, or renews the holder's own. False: all are taken. */
  hold(key: string, holder: string, limit: number, ttlMs: number): Promise<boolean>;
  /** Gives the holder's place back. Tells whether there was one. */
  release(key: string, holder: string): Promise<boolean>;
  /** At most `count` holders whose places end within `withinMs` unless they are renewed, the first to end first. */
  holders(key: string, withinMs: number, count: number): Promise<string[]>;
  /** Raises the key's mark to `value` and answers by how much it rose; forgets it after `ttlMs` without a rise. */
  raise(key: string, value: number, ttlMs: number): Promise<number>;
}

/** What a counter in Redis is made from. */
export interface RedisCounterOptions {
  /** `redis://…` or `rediss://…` */
  url: string;
  /** Counts while Redis does not answer: a limit then holds for each process alone. */
  meanwhile: SharedCounter;
  log: Log;
}

/** A counter that every process with the same Redis shares. */
export interface RedisCounter extends SharedCounter {
  close(): void;
}

const keyPrefix = "visavis:";
/** Counting stands in the way of every request: an answer that takes longer is none. */
const answerWithinMs = 500;
/** After a failure Redis is left alone for so long. */
const retryAfterMs = 1_000;
const longestReconnectMs = 2_000;

function newClient(url: string) {
  return createClient({
    url,
    scripts: counterScripts,
    // What waits for a connection waits in vain; it is counted meanwhile.
    disableOfflineQueue: true,
    // A connection whose other end is gone shows by pings that are not answered.
    pingInterval: 2_000,
    socket: {
      connectTimeout: 2_000,
      socketTimeout: 6_000,
      reconnectStrategy: (retries) => Math.min(longestReconnectMs, 50 * 2 ** Math.min(retries, 10)),
    },
  });
}

/** Whether Redis answers, told once for each outage. */
class Outage {
  readonly #log: Log;
  #isOn = false;
  #retryAtMs = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  begin(error: unknown): void {
    this.#retryAtMs = performance.now() + retryAfterMs;
    if (this.#isOn) return;
    this.#isOn = true;
    const reason = error instanceof Error ? error.message || error.name : String(error);
    this.#log.warn("redis does not answer; each process counts for itself", { error: reason });
  }

  end(): void {
    if (this.#isOn) this.#log.info("redis answers again");
    this.#isOn = false;
  }

  get isFresh(): boolean {
    return this.#isOn && performance.now() < this.#retryAtMs;
  }
}

async function inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), answerWithinMs);
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

/**
 * Counts in Redis, by fixed windows and places that expire. Never rejects: while Redis does not answer, `meanwhile`
 * counts. Resolves when the connection stands, or when it is clear that it does not yet.
 */
export async function openRedisCounter({ url, meanwhile, log }: RedisCounterOptions): Promise<RedisCounter> {
  const client = newClient(url);
  const outage = new Outage(log);
  client.on("error", (error: unknown) => outage.begin(error));

  async function ask<Answer>(redis: () => Promise<Answer>, other: () => Promise<Answer>): Promise<Answer> {
    if (outage.isFresh) return other();
    try {
      const answer = await inTime(redis());
      outage.end();
      return answer;
    } catch (error) {
      outage.begin(error);
      return other();
    }
  }

  const connecting = client.connect();
  // It goes on trying by itself; the outage is logged.
  await inTime(connecting).catch((error: unknown) => outage.begin(error));
  return {
    add: (key, amount, windowMs) =>
      ask(
        () => client.add(keyPrefix + key, amount, windowMs),
        () => meanwhile.add(key, amount, windowMs),
      ),
    hold: (key, holder, limit, ttlMs) =>
      ask(
        () => client.hold(keyPrefix + key, holder, limit, ttlMs),
        () => meanwhile.hold(key, holder, limit, ttlMs),
      ),
    release: (key, holder) =>
      ask(
        async () => (await client.zRem(keyPrefix + key, holder)) > 0,
        () => meanwhile.release(key, holder),
      ),
    holders: (key, withinMs, count) =>
      ask(
        () => client.holders(keyPrefix + key, withinMs, count),
        () => meanwhile.holders(key, withinMs, count),
      ),
    raise: (key, value, ttlMs) =>
      ask(
        () => client.raise(keyPrefix + key, value, ttlMs),
        () => meanwhile.raise(key, value, ttlMs),
      ),
    close() {
      if (client.isOpen) client.destroy();
    },
  };
}
