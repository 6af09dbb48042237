import type { Logger } from "../../logging/logger.ts";
import { BodyBudget, MemoryCounter, type Counter } from "../../relay/index.ts";
import { systemClock } from "../../service/clock.ts";
import { createClientAddress, type ClientAddress } from "./client-address.ts";
import type { Settings } from "../settings/settings.ts";

/** How callers are identified and counted, the same for relay and service. */
export interface CallerCount {
  counter: Counter;
  clientAddress: ClientAddress;
  /** The memory budget for the bodies of their requests. */
  bodyBudget: BodyBudget;
}

/** The counter behind the limits: in this process, or shared with others in Redis. */
async function openCounter({ redisUrl, redisTimeoutMs }: Settings, log: Logger): Promise<Counter> {
  const fallback = new MemoryCounter(() => systemClock.nowMs());
  if (!redisUrl) return fallback;
  // The client takes 24 MB, so it is loaded only when it is used.
  const { openRedisCounter } = await import("../../service/store/processes/redis-counter.ts");
  return openRedisCounter({ url: redisUrl, fallback, log, answerTimeoutMs: redisTimeoutMs });
}

/** Creates what the settings configure. Rejects when Redis cannot be used. */
export async function openCallerCount(settings: Settings, log: Logger): Promise<CallerCount> {
  const { trustedProxies: proxies, forwardedHeader: header } = settings;
  const clientAddress = createClientAddress({ proxies, header, log });
  const bodyBudget = new BodyBudget(settings.bodyLimits);
  return { counter: await openCounter(settings, log), clientAddress, bodyBudget };
}
