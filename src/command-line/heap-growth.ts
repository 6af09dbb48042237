import { setFlagsFromString } from "node:v8";

/**
 * How far memory may grow between two full collections, in percent of what is alive. Left alone, Node collects every few
 * seconds under load, and on a machine of one core requests wait for about a tenth of a second each time.
 */
const growthPercent = 300;

/** Lets this process trade some memory under load for even response times. To be called once, before there is any load. */
export function allowHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
}
