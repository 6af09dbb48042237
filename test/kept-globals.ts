import { afterAll, vi } from "vitest";

/**
 * Gives the next file in the same process the global scope that this one began with. Besides what tests replace, a server that
 * `@hono/node-server` starts replaces `Request` and `Response` for good, also one in a package.
 */
const before = Object.getOwnPropertyDescriptors(globalThis) as Record<string, PropertyDescriptor>;

/** Those of the test runner change with every file. */
const isOwn = (name: string): boolean => !name.startsWith("__vitest");

/** What runs later than a file would find no document. The window ends its own timers with the file, Node does not. */
const timers: NodeJS.Timeout[] = [];
if ("document" in globalThis)
  for (const name of ["setTimeout", "setInterval"] as const) {
    const start = globalThis[name] as (...given: unknown[]) => NodeJS.Timeout;
    const noted = (...given: unknown[]): NodeJS.Timeout => {
      const timer = start(...given);
      timers.push(timer);
      return timer;
    };
    Object.defineProperty(globalThis, name, { ...before[name], value: Object.assign(noted, start) });
  }

afterAll(async () => {
  vi.useRealTimers();
  await vi.dynamicImportSettled();
  for (const timer of timers) clearTimeout(timer);
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  const after = Object.getOwnPropertyDescriptors(globalThis) as Record<string, PropertyDescriptor>;
  for (const name of Object.keys(after).filter(isOwn)) {
    const [then, now] = [before[name], after[name]!];
    if (!then) Reflect.deleteProperty(globalThis, name);
    else if (now.configurable && (then.value !== now.value || then.get !== now.get))
      Object.defineProperty(globalThis, name, then);
  }
  for (const [name, then] of Object.entries(before))
    if (isOwn(name) && !(name in after)) Object.defineProperty(globalThis, name, then);
});
