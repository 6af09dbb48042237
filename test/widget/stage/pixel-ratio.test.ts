import { afterEach, expect, it, vi } from "vitest";
import { watchPixelRatio } from "../../../src/widget/stage/adapt-picture.ts";

/** The queries that somebody listens to, by their text. */
const listened = new Map<string, () => void>();

function setRatio(ratio: number): void {
  vi.stubGlobal("devicePixelRatio", ratio);
  for (const listener of [...listened.values()]) listener();
}

afterEach(() => vi.unstubAllGlobals());

it("tells of each change, and listens to one query at a time until it is ended", () => {
  vi.stubGlobal("matchMedia", (query: string) => ({
    addEventListener: (_type: string, listener: () => void) => listened.set(query, listener),
    removeEventListener: () => listened.delete(query),
  }));
  setRatio(1);
  const handle = vi.fn();
  const stop = watchPixelRatio(handle);
  expect([...listened.keys()]).toEqual(["(resolution: 1dppx)"]);
  setRatio(2);
  setRatio(1.25);
  expect(handle).toHaveBeenCalledTimes(2);
  expect([...listened.keys()]).toEqual(["(resolution: 1.25dppx)"]);
  stop();
  expect(listened.size).toBe(0);
});
