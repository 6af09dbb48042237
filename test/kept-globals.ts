import { afterAll } from "vitest";

/**
 * Gives the next file in the same process the classes that this one began with: a server that `@hono/node-server` starts
 * replaces them for good, also one in a package.
 */
const names = ["Request", "Response"] as const;
const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name)!);

afterAll(() => {
  names.forEach((name, index) => Object.defineProperty(globalThis, name, before[index]!));
});
