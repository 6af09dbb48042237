import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects all garbage of this thread, once. For moments after which nothing may happen for long: without work, garbage
 * stays where it is. Node has no other way to ask for a collection without a flag on its command line.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
}
