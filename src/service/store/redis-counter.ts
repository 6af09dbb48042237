import { createClient } from "redis";
import type { Counter } from "../../protocol/counter.ts";
import type { Logger } from "../../logging/logger.ts";
import { counterScripts } from "./redis-scripts.ts";

/** Options of a counter in Redis. */
export interface RedisCounterOptions {
  /** `redis://…` or `rediss://…` */
  url: string;
  /** Counts while Redis does not answer. Limits then apply to each process alone. */
  fallback: Counter;
  log: Logger;
}

/** A counter that all processes with the same Redis share. */
export interface RedisCounter extends Counter {
  close(): void;
}

const keyPrefix = "visavis:";
/** Every request waits for its count, so a slower answer counts as a failure. */
const answerTimeoutMs = 500;
/** Time after a failure during which Redis is not used. */
const retryAfterMs = 1_000;
const maxReconnectDelayMs = 2_000;

function newClient(url: string) {
  return createClient({
    url,
    scripts: counterScripts,
    // Requests that wait for a connection get no answer in time; `fallback` counts them.
    disableOfflineQueue: true,
    // Detects a connection whose other end is gone.
    pingInterval: 2_000,
    socket: {
      connectTimeout: 2_000,
      socketTimeout: 6_000,
      reconnectStrategy: (retries) => Math.min(maxReconnectDelayMs, 50 * 2 ** Math.min(retries, 10)),
    },
  });
}

/** Whether Redis answers. Writes one warning per outage. */
class Outage {
  readonly #log: Logger;
  #isOn = false;
  #retryAtMs = 0;

  constructor(log: Logger) {
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

  get isRecent(): boolean {
    return this.#isOn && performance.now() < this.#retryAtMs;
  }
}

async function withTimeout<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), answerTimeoutMs);
  });
  return Promise.race([answer, timeout]).finally(() => clearTimeout(timer));
}

/**
 * Opens a counter in Redis. Its methods do not reject: while Redis does not answer, `fallback` counts. Resolves when the
 * connection is open, or when the first attempt has failed.
 */
export async function openRedisCounter({ url, fallback, log }: RedisCounterOptions): Promise<RedisCounter> {
  const client = newClient(url);
  const outage = new Outage(log);
  client.on("error", (error: unknown) => outage.begin(error));

  async function withFallback<Answer>(
    inRedis: () => Promise<Answer>,
    inFallback: () => Promise<Answer>,
  ): Promise<Answer> {
    if (outage.isRecent) return inFallback();
    try {
      const answer = await withTimeout(inRedis());
      outage.end();
      return answer;
    } catch (error) {
      outage.begin(error);
      return inFallback();
    }
  }

  const connecting = client.connect();
  // The client goes on trying to connect.
  await withTimeout(connecting).catch((error: unknown) => outage.begin(error));
  return {
    add: (key, amount, windowMs) =>
      withFallback(
        () => client.add(keyPrefix + key, amount, windowMs),
        () => fallback.add(key, amount, windowMs),
      ),
    hold: (key, holder, limit, ttlMs) =>
      withFallback(
        () => client.hold(keyPrefix + key, holder, limit, ttlMs),
        () => fallback.hold(key, holder, limit, ttlMs),
      ),
    release: (key, holder) =>
      withFallback(
        async () => (await client.zRem(keyPrefix + key, holder)) > 0,
        () => fallback.release(key, holder),
      ),
    holders: (key, withinMs, count) =>
      withFallback(
        () => client.holders(keyPrefix + key, withinMs, count),
        () => fallback.holders(key, withinMs, count),
      ),
    raise: (key, value, ttlMs) =>
      withFallback(
        () => client.raise(keyPrefix + key, value, ttlMs),
        () => fallback.raise(key, value, ttlMs),
      ),
    close() {
      if (client.isOpen) client.destroy();
    },
  };
}
