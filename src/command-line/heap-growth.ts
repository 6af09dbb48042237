import { setFlagsFromString } from "node:v8";
import { collectGarbage } from "../service/collect-garbage.ts";

/**
 * How far memory may grow between two full collections, in percent of the live memory. By default, Node collects every few
 * seconds under load. On a machine with one core, requests then wait for about a tenth of a second each time.
 */
const growthPercent = 300;

/** When the start is over, in ms. What it leaves in memory would stay there until there is load. */
const startMs = 8_000;

/**
 * Lets this process use more memory under load, for more even response times, and collects the garbage of the start. Call it
 * once, before there is any load.
 */
export function allowHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
  setTimeout(collectGarbage, startMs).unref();
}
