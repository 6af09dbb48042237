import { randomUUID } from "node:crypto";
import { type CommandParser, createClient, defineScript } from "@redis/client";
import type { Counter } from "../../../protocol/counter.ts";
import type { Logger } from "../../../logging/logger.ts";
import { within } from "../../../timing/time-limit.ts";

/** Each script is atomic. It uses the clock of Redis, which is the same for all processes. */
const nowMs = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Adds to a window, which begins with the first addition. Returns its total and when it ends. */
const add = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `${nowMs}
local total = redis.call("INCRBYFLOAT", KEYS[1], ARGV[1])
local left = redis.call("PTTL", KEYS[1])
if left < 0 then
  left = tonumber(ARGV[2])
  redis.call("PEXPIRE", KEYS[1], left)
end
return {total, now + left}
`,
  parseCommand(parser: CommandParser, key: string, amount: number, windowMs: number) {
    parser.pushKey(key);
    parser.push(String(amount), String(Math.ceil(windowMs)));
  },
  transformReply: ([total, resetAtMs]: [string, number]) => ({ total: Number(total), resetAtMs }),
});

/** Takes or renews a place in a sorted set of holders, whose scores are the times at which their places expire. */
const hold = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `${nowMs}
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now)
local limit = tonumber(ARGV[2])
if limit >= 0 and not redis.call("ZSCORE", KEYS[1], ARGV[1]) and redis.call("ZCARD", KEYS[1]) >= limit then
  return 0
end
local ttl = tonumber(ARGV[3])
redis.call("ZADD", KEYS[1], now + ttl, ARGV[1])
redis.call("PEXPIRE", KEYS[1], math.max(ttl, redis.call("PTTL", KEYS[1])))
return 1
`,
  parseCommand(parser: CommandParser, key: string, holder: string, limit: number, ttlMs: number) {
    parser.pushKey(key);
    // A negative limit means that there is none.
    parser.push(holder, String(limit === Infinity ? -1 : limit), String(Math.ceil(ttlMs)));
  },
  transformReply: (isTaken: number) => isTaken === 1,
});

/** The holders whose places expire within a time, the first to expire first. */
const holders = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `${nowMs}
return redis.call("ZRANGEBYSCORE", KEYS[1], "(" .. now, now + tonumber(ARGV[1]), "LIMIT", 0, tonumber(ARGV[2]))
`,
  parseCommand(parser: CommandParser, key: string, withinMs: number, count: number) {
    parser.pushKey(key);
    parser.push(String(Math.floor(withinMs)), String(count));
  },
  transformReply: (names: string[]) => names,
});

/** Raises a mark that only rises. Returns by how much. */
const raise = defineScript({
  NUMBER_OF_KEYS: 1,
  SCRIPT: `
local before = tonumber(redis.call("GET", KEYS[1]) or "0")
local value = tonumber(ARGV[1])
if value <= before then
  return "0"
end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return tostring(value - before)
`,
  parseCommand(parser: CommandParser, key: string, value: number, ttlMs: number) {
    parser.pushKey(key);
    parser.push(String(value), String(Math.ceil(ttlMs)));
  },
  transformReply: (rise: string) => Number(rise),
});

/** The scripts of the counter. */
export const counterScripts = { add, hold, holders, raise };

/** Options of a counter in Redis. */
export interface RedisCounterOptions {
  /** `redis://…` or `rediss://…` */
  url: string;
  /** Counts while Redis does not answer, with this process's share of each limit. */
  fallback: Counter;
  log: Logger;
  /** Every request waits for its count, so a slower answer counts as a failure. Default: 500 ms. */
  answerTimeoutMs?: number | undefined;
}

/** A counter that all processes with the same Redis share. */
export interface RedisCounter extends Counter {
  close(): void;
}

const keyPrefix = "visavis:";
/** Time after a failure during which Redis is not used. */
const retryAfterMs = 1_000;
/** So many late answers in a row are an outage. A single one may be a moment's work of Redis. */
const lateAnswersOfOutage = 2;
const maxReconnectDelayMs = 2_000;

const registerEveryMs = 10_000;
/** A process that has not renewed its place for so long has ended. */
const registeredMs = 30_000;
const mostProcesses = 10_000;

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

/** An answer of Redis did not come in time. */
class LateAnswer extends Error {
  override readonly name = "LateAnswer";
}

/** Whether Redis answers. Writes one warning per outage. */
class Outage {
  readonly #log: Logger;
  #isOn = false;
  #lateAnswers = 0;
  #retryAtMs = 0;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** A call has failed. */
  handle(error: unknown): void {
    if (error instanceof LateAnswer && ++this.#lateAnswers < lateAnswersOfOutage) return;
    this.#retryAtMs = performance.now() + retryAfterMs;
    if (this.#isOn) return;
    this.#isOn = true;
    const reason = error instanceof Error ? error.message || error.name : String(error);
    this.#log.warn("redis does not answer; each process counts for itself", { error: reason });
  }

  readonly end = (): void => {
    this.#lateAnswers = 0;
    if (this.#isOn) this.#log.info("redis answers again");
    this.#isOn = false;
  };

  get isRecent(): boolean {
    return this.#isOn && performance.now() < this.#retryAtMs;
  }
}

/** @throws LateAnswer */
const inTime = <Answer>(limitMs: number, answer: Promise<Answer>): Promise<Answer> =>
  within(limitMs, answer, () => {
    throw new LateAnswer("no answer in time");
  });

/** Which processes use the Redis: each renews its place in a set, and leaves it by staying away. */
class Processes {
  readonly #client: ReturnType<typeof newClient>;
  readonly #id = randomUUID();
  readonly #timer: NodeJS.Timeout;
  /** How many there were when Redis last answered. */
  known = 1;

  constructor(client: ReturnType<typeof newClient>) {
    this.#client = client;
    // Redis' silence is the outage's to tell.
    this.#timer = setInterval(() => void this.register().catch(() => undefined), registerEveryMs).unref();
  }

  async register(): Promise<void> {
    const key = `${keyPrefix}processes`;
    await this.#client.hold(key, this.#id, Infinity, registeredMs);
    const ids = await this.#client.holders(key, registeredMs, mostProcesses);
    this.known = Math.max(1, ids.length);
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

/**
 * Counts one process's share of limits: what it adds counts for every process, and of the places it gives its part. The first
 * addition counts once and one place is always there, because a small limit would otherwise admit nobody.
 */
function sharedOut(counter: Counter, processes: { known: number }): Pick<Counter, "add" | "hold"> {
  return {
    async add(key, amount, windowMs) {
      let { total, resetAtMs } = await counter.add(key, amount, windowMs);
      // What is taken back may have been counted in Redis, or for every process.
      if (total < 0) ({ total, resetAtMs } = await counter.add(key, -total, windowMs));
      return { total: total <= 1 ? total : 1 + (total - 1) * processes.known, resetAtMs };
    },
    hold: (key, holder, limit, ttlMs) => counter.hold(key, holder, Math.ceil(limit / processes.known), ttlMs),
  };
}

/**
 * Opens a counter in Redis. Its methods do not reject: while Redis does not answer, `fallback` counts. Resolves when the
 * connection is open, or when the first attempt has failed.
 */
export async function openRedisCounter({
  url,
  fallback,
  log,
  answerTimeoutMs = 500,
}: RedisCounterOptions): Promise<RedisCounter> {
  const client = newClient(url);
  const outage = new Outage(log);
  const processes = new Processes(client);
  const share = sharedOut(fallback, processes);
  client.on("error", (error: unknown) => outage.handle(error));

  async function withFallback<Answer>(
    inRedis: () => Promise<Answer>,
    inFallback: () => Promise<Answer>,
  ): Promise<Answer> {
    if (outage.isRecent) return inFallback();
    try {
      const counted = inRedis();
      // A late answer also shows that Redis is there.
      counted.then(outage.end, () => undefined);
      return await inTime(answerTimeoutMs, counted);
    } catch (error) {
      outage.handle(error);
      return inFallback();
    }
  }

  const connecting = client.connect().then(() => processes.register());
  // The client goes on trying to connect.
  await inTime(answerTimeoutMs, connecting).catch((error: unknown) => outage.handle(error));
  return {
    add: (key, amount, windowMs) =>
      withFallback(
        () => client.add(keyPrefix + key, amount, windowMs),
        () => share.add(key, amount, windowMs),
      ),
    hold: (key, holder, limit, ttlMs) =>
      withFallback(
        () => client.hold(keyPrefix + key, holder, limit, ttlMs),
        () => share.hold(key, holder, limit, ttlMs),
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
      processes.end();
      if (client.isOpen) client.destroy();
    },
  };
}
