import { setMaxListeners } from "node:events";
import { afterEach, beforeEach, expect, vi } from "vitest";

/** Fails a test that writes to the console: product code logs through its logger, tests assert. */
const methods = ["log", "info", "warn", "error", "debug"] as const;

// More than ten parts of a live session end with one signal. Node warns of that, browsers do not.
setMaxListeners(30);

beforeEach(() => {
  for (const method of methods) vi.spyOn(console, method);
});

afterEach(() => {
  for (const method of methods) {
    const spy = vi.mocked(console[method]);
    const calls = spy.mock.calls;
    spy.mockRestore();
    expect(calls, `console.${method} was called`).toEqual([]);
  }
});
