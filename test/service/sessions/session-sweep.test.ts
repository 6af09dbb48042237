import Database from "libsql";
import { expect, test, vi } from "vitest";
import { runService, temporaryFolder } from "../service-fixture.ts";
import type { RunningService } from "../service-fixture.ts";

const plain = { capability: ["TTS"], tts_type: "visavis-slt" };
/** More than two batches of the sweep. */
const many = 250;

async function newSessions(run: RunningService, count: number): Promise<void> {
  await run.store.organizations.setQuotas(run.organizationId, { activeSessions: null });
  await Promise.all(Array.from({ length: count }, () => run.newSession(plain)));
}

test("one sweep ends all sessions that are due, and lets other work run in between", async () => {
  const run = await runService();
  await newSessions(run, many);
  run.pass(60);
  const turns: number[] = [];
  const swept = run.service.sweep();
  const counting = setInterval(() => turns.push(run.media.closed.length), 0);
  expect(await swept).toBe(many);
  clearInterval(counting);
  expect(turns.some((ended) => ended > 0 && ended < many)).toBe(true);
  expect(await run.store.organizations.usage(run.organizationId, "2026-01")).toMatchObject({
    activeSessions: 0,
  });
  expect(await run.service.sweep()).toBe(0);
});

test("sessions that may be lost do not hide due quota ends right after a restart", async () => {
  const folder = temporaryFolder();
  const first = await runService({ folder });
  await newSessions(first, many);
  await first.store.organizations.setQuotas(first.organizationId, {
    activeSessions: null,
    minutesPerSession: 1,
    minutesPerMonth: null,
    credits: null,
  });
  const limited = await first.newSession(plain);
  await first.event(limited, "SESSION_START");
  await first.store.close();
  const second = await runService({ folder, startMs: Date.UTC(2026, 0, 1) + 61_000 });
  second.service.start();
  expect(await second.service.sweep()).toBe(1);
  expect(await second.status(limited)).toMatchObject({
    termination_reason: "MAX_MIN_PER_SESSION_QUOTA_EXCEEDED",
  });
  await second.service.stop();
});

test("queries of heartbeats, retrieves and sweeps use an index", async () => {
  const folder = temporaryFolder();
  const prepared = vi.spyOn(Database.prototype, "prepare");
  const run = await runService({ folder });
  await newSessions(run, 101);
  const session = await run.newSession(plain);
  await run.event(session, "SESSION_START");
  run.pass(60);
  await run.event(session, "SESSION_DURING");
  await run.status(session);
  await run.service.sweep();
  const fresh = new Database(`${folder}/visavis.db`);
  const seen = prepared.mock.calls.map(([sql]) => sql).filter((sql) => /session/.test(sql));
  prepared.mockRestore();
  expect(seen.some((sql) => sql.includes("deadline_at_ms"))).toBe(true);
  for (const sql of seen) {
    const parameters = Array.from(sql.matchAll(/\?/g), () => 1);
    const plan = fresh.prepare(`explain query plan ${sql}`).all(parameters) as { detail: string }[];
    for (const { detail } of plan) expect(detail).not.toMatch(/^SCAN|TEMP B-TREE/);
  }
  fresh.close();
});
