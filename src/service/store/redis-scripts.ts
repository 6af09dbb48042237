import { defineScript, type CommandParser } from "redis";

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
