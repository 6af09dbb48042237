/** The server's clock is set back or forth by an hour while visitors talk. */
import { describe, expect, test } from "vitest";
import { MemoryCounter } from "../../src/relay/index.ts";
import { machine } from "../service/set-clock.ts";
import { runRelay } from "./relay-fixture.ts";

async function run() {
  const { clock, pass, set } = machine();
  const counter = new MemoryCounter(() => clock.nowMs());
  const relay = await runRelay({ clock: { now: () => clock.nowMs() }, counter }, { clock, counter });
  return { relay, pass, set };
}

describe.each([1, -1])("by %i h", (hours) => {
  test("the session goes on with its token, ends by its lease as before, and has its own minutes", async () => {
    const { relay, pass, set } = await run();
    const { id, event } = await relay.open();
    const beat = async (times: number): Promise<void> => {
      for (let number = 0; number < times; number += 1) {
        pass(10);
        expect((await event("SESSION_DURING")).status).toBe(201);
        expect(await relay.running.service.sweep()).toBe(0);
      }
    };
    expect((await event("SESSION_START")).status).toBe(201);
    await beat(6);
    set(hours * 3_600);
    await beat(6);
    const { duration_sec: duration } = await relay.running.status(id);
    expect(Math.abs(duration - 120)).toBeLessThan(13);
    // Nobody is there any more.
    pass(200);
    expect(await relay.running.service.sweep()).toBe(1);
  });

  test("a limit that is used up is over after its window", async () => {
    const { relay, pass, set } = await run();
    const ask = async (): Promise<number> =>
      (await relay.get("/embed/v1/contexts/ctx_nobody", { "x-test-address": "203.0.113.9" })).status;
    let asked = 0;
    while ((await ask()) !== 429 && asked < 1_000) asked += 1;
    expect(asked).toBeGreaterThan(5);
    expect(asked).toBeLessThan(1_000);
    set(hours * 3_600);
    expect(await ask()).toBe(429);
    pass(70);
    expect(await ask()).not.toBe(429);
  });
});
