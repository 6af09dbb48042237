import { describe, expect, test } from "vitest";
import { MemoryCounter } from "../../../../src/relay/limits/memory-counter.ts";
import { LoginGuard, type LoginSource } from "../../../../src/service/http/console/login-guard.ts";
import { statusOf } from "../../answers.ts";
import { silentLog, type RunningService } from "../../service-fixture.ts";
import { logIn as logInTo, own, password, runConsole } from "./console-fixture.ts";

const right = () => Promise.resolve(true);
const wrong = () => Promise.resolve(false);

function runGuard(attemptsPerMinute = 1_000) {
  let nowMs = 1_000;
  const pauses: number[] = [];
  const guard = new LoginGuard({
    counter: new MemoryCounter(() => nowMs),
    clock: { nowMs: () => nowMs },
    log: silentLog,
    attemptsPerMinute,
    pause: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
  });
  const from = (address: string, device: string | null = null): LoginSource => ({ address, device });
  return { guard, pauses, from, pass: (ms: number) => void (nowMs += ms), now: () => nowMs };
}

describe("a source that guesses passwords", () => {
  test("waits twice as long after each failure, up to a quarter of an hour", async () => {
    const { guard, from, pass, now } = runGuard();
    const waits: number[] = [];
    while (waits.length < 12) {
      const outcome = await guard.attempt(from("a"), wrong);
      if (outcome.type !== "wait") continue;
      waits.push((outcome.window.resetAtMs - now()) / 1_000);
      pass(outcome.window.resetAtMs - now());
    }
    expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 16]);
    expect(Math.max(...waits)).toBe(900);
  });

  test("cannot log in with the right password before its wait is over, and starts again after a login", async () => {
    const { guard, from, pass } = runGuard();
    for (let failure = 0; failure < 6; failure += 1) await guard.attempt(from("a"), wrong);
    expect((await guard.attempt(from("a"), right)).type).toBe("wait");
    pass(1_000);
    expect((await guard.attempt(from("a"), right)).type).toBe("right");
    for (let failure = 0; failure < 5; failure += 1)
      expect((await guard.attempt(from("a"), wrong)).type).toBe("wrong");
  });
});

describe("an attacker with any number of addresses", () => {
  const attack = async ({ guard, from }: ReturnType<typeof runGuard>, addresses = 400) => {
    for (let index = 0; index < addresses; index += 1) await guard.attempt(from(`attacker-${index}`), wrong);
  };

  test("cannot lock out the operator anywhere, and delays the operator by five seconds at most", async () => {
    const run = runGuard();
    await attack(run);
    run.pauses.length = 0;
    expect((await run.guard.attempt(run.from("new place"), right)).type).toBe("right");
    expect(run.pauses).toEqual([5_000]);
  });

  test("does not delay logins from the address or browser of an earlier login", async () => {
    const run = runGuard();
    await run.guard.attempt(run.from("office"), right);
    await attack(run);
    run.pauses.length = 0;
    expect((await run.guard.attempt(run.from("office"), right)).type).toBe("right");
    expect((await run.guard.attempt(run.from("attacker-1", "device"), right)).type).toBe("right");
    expect(run.pauses).toEqual([]);
  });

  test("gets its attempts checked one after the other, with at most a hundred waiting", async () => {
    const { guard, from } = runGuard();
    let checking = 0;
    let most = 0;
    const slow = async () => {
      most = Math.max(most, ++checking);
      await new Promise((resolve) => setTimeout(resolve, 1));
      checking -= 1;
      return false;
    };
    const outcomes = await Promise.all(
      Array.from({ length: 150 }, (_, index) => guard.attempt(from(`attacker-${index}`), slow)),
    );
    expect(most).toBe(1);
    expect(outcomes.filter(({ type }) => type === "wait")).toHaveLength(50);
  });
});

const runLimited = (addressWrites = 600) =>
  runConsole(
    {
      rateLimits: {
        key: { reads: 6_000, writes: 1_800 },
        session: { reads: 600, writes: 600 },
        address: { reads: 600, writes: addressWrites },
        loginsPerMinute: 10,
      },
    },
    { clientAddress: (request) => request.headers.get("x-test-address") },
  );

const logIn = (run: RunningService, given: string, address: string, cookie?: string): Promise<Response> => {
  const from = { "x-test-address": address, ...(cookie !== undefined && { Cookie: cookie }) };
  return logInTo(run, { password: given }, { ...own, ...from });
};

const deviceCookie = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith("visavis_device="))!
    .split(";")[0]!;

describe("over HTTP", () => {
  test("an attacker from many addresses cannot stop the operator from logging in", async () => {
    const run = await runLimited();
    const guess = (index: number) => statusOf(logIn(run, "wrong", `203.0.113.${index}`));
    const statuses = await Promise.all(Array.from({ length: 24 }, (_, index) => guess(index)));
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(await statusOf(logIn(run, password, "198.51.100.1"))).toBe(200);
  });

  test("an attacker at the operator's address cannot stop a browser that logged in there before", async () => {
    const run = await runLimited(40);
    const first = await logIn(run, password, "198.51.100.1");
    const device = deviceCookie(first);
    for (const attribute of ["HttpOnly", "SameSite=Strict", "Secure", "Path=/api/console/login/"])
      expect(first.headers.getSetCookie().join()).toContain(attribute);
    for (let guess = 0; guess < 50; guess += 1) await logIn(run, "wrong", "198.51.100.1");
    expect(await statusOf(logIn(run, password, "198.51.100.1"))).toBe(429);
    expect(await statusOf(logIn(run, password, "198.51.100.1", device))).toBe(200);
    expect(await statusOf(logIn(run, password, "198.51.100.1", `${device}x`))).toBe(429);
  });

  test("a known browser has a limit of its own, from any address", async () => {
    const run = await runLimited();
    const device = deviceCookie(await logIn(run, password, "198.51.100.1"));
    for (let guess = 0; guess < 6; guess += 1)
      expect(await statusOf(logIn(run, "wrong", `203.0.113.${guess}`, device))).toBe(401);
    const refused = await logIn(run, password, "203.0.113.99", device);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBe(1);
    run.pass(1);
    expect(await statusOf(logIn(run, password, "203.0.113.99", device))).toBe(200);
  });

  test("addresses of one /64 share a limit", async () => {
    const run = await runLimited();
    for (let guess = 0; guess < 6; guess += 1)
      expect(await statusOf(logIn(run, "wrong", `2001:db8:1:2::${guess}`))).toBe(401);
    expect(await statusOf(logIn(run, password, "2001:db8:1:2::99"))).toBe(429);
    expect(await statusOf(logIn(run, password, "2001:db8:1:3::99"))).toBe(200);
  });
});
