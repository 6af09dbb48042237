import { defineScript, type CommandParser } from "redis";

/** Each runs whole, so that no other process counts in between; the time is Redis's own, the same for all. */
const nowMs = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Adds to a window, which begins with the first addition; answers what it holds, and when it is over. */
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

/** Takes or renews a place: a sorted set of holders, by when each one's place is free again. */
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
    // A negative limit stands for none.
    parser.push(holder, String(limit === Infinity ? -1 : limit), String(Math.ceil(ttlMs)));
  },
  transformReply: (isTaken: number) => isTaken === 1,
});

/** What limits need of Redis. */
export const counterScripts = { add, hold };
