import { describe, expect, test } from "vitest";
import { defaultServiceSettings } from "../../../src/service/service-settings.ts";
import { addOtherOrganization, apiKey, runService } from "../service-fixture.ts";
import type { RunningService } from "../service-fixture.ts";

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

const sampleLine = /^([a-z_]+)(?:\{((?:[a-z_]+="[^"\\]*",?)*)\})? (\S+)$/;

/** Parses the Prometheus text format. Fails on an invalid line, and on a metric without help and type. */
function samplesOf(text: string): Sample[] {
  const described = { HELP: new Set<string>(), TYPE: new Set<string>() };
  const samples: Sample[] = [];
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, comment, of = ""] = /^# (HELP|TYPE) ([a-z_]+) \S/.exec(line) ?? [];
    if (comment === "HELP" || comment === "TYPE") {
      expect(described[comment], `${of} is described once`).not.toContain(of);
      described[comment].add(of);
      continue;
    }
    const [, name = "", labels = "", value] = sampleLine.exec(line) ?? expect.fail(`no sample: ${line}`);
    const family = described.TYPE.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, "");
    expect([described.HELP.has(family), described.TYPE.has(family)], name).toEqual([true, true]);
    samples.push({
      name,
      labels: Object.fromEntries(
        [...labels.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, key, text]) => [key!, text!]),
      ),
      value: Number(value),
    });
  }
  return samples;
}

async function scrape(run: RunningService): Promise<Sample[]> {
  const response = await run.get("/metrics");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  return samplesOf(await response.text());
}

/** The value of the one sample of that name that has the labels. */
function valueOf(samples: readonly Sample[], name: string, labels: Record<string, string> = {}): number {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  expect(found.length, `${name} ${JSON.stringify(labels)}`).toBe(1);
  return found[0]!.value;
}

const requests = "visavis_http_request_duration_seconds";
const engines = "visavis_engine_call_duration_seconds";

describe("the metrics count", () => {
  test("sessions that were created, that are live by status and with a peer, and that ended by reason", async () => {
    const run = await runService();
    const before = await scrape(run);
    expect(valueOf(before, "visavis_sessions_created_total")).toBe(0);
    expect(valueOf(before, "visavis_sessions_ended_total", { reason: "GRACEFUL_TERMINATION" })).toBe(0);
    const [one] = [await run.newSession(), await run.newSession()];
    const offer = { type: "offer", sdp: "v=0\r\n" };
    await run.send("POST", `/api/v1/session/${one}/exchange/`, { client_sdp: offer });
    await run.event(one, "SESSION_START");
    const during = await scrape(run);
    expect(valueOf(during, "visavis_sessions_created_total")).toBe(2);
    expect(valueOf(during, "visavis_sessions", { status: "CREATED" })).toBe(1);
    expect(valueOf(during, "visavis_sessions", { status: "EXCHANGED" })).toBe(0);
    expect(valueOf(during, "visavis_sessions", { status: "IN_PROGRESS" })).toBe(1);
    expect(valueOf(during, "visavis_media_peers")).toBe(1);
    await run.event(one, "SESSION_END");
    run.pass(61);
    await run.service.sweep();
    run.hooks.onProcessDied();
    const after = await scrape(run);
    expect(valueOf(after, "visavis_sessions", { status: "IN_PROGRESS" })).toBe(0);
    expect(valueOf(after, "visavis_sessions", { status: "CREATED" })).toBe(0);
    expect(valueOf(after, "visavis_media_peers")).toBe(0);
    const ended = (reason: string) => valueOf(after, "visavis_sessions_ended_total", { reason });
    expect(ended("GRACEFUL_TERMINATION")).toBe(1);
    expect(ended("SESSION_EXPIRED_BEFORE_CONNECTION")).toBe(1);
    expect(valueOf(after, "visavis_media_process_deaths_total")).toBe(1);
  });

  test("a session over the quota as refused, not as created or ended", async () => {
    const run = await runService();
    await run.store.organizations.setQuotas(run.organizationId, { activeSessions: 0 });
    await run.newSession();
    const samples = await scrape(run);
    const reason = "MAX_ACTIVE_SESSION_QUOTA_EXCEEDED";
    expect(valueOf(samples, "visavis_sessions_refused_total", { reason })).toBe(1);
    expect(valueOf(samples, "visavis_sessions_ended_total", { reason })).toBe(0);
    expect(valueOf(samples, "visavis_sessions_created_total")).toBe(0);
  });

  test("requests, by the pattern of their path and their status", async () => {
    const run = await runService();
    const session = await run.newSession();
    for (const event of ["SESSION_START", "SESSION_DURING", "SESSION_DURING"])
      await run.event(session, event);
    await run.send("POST", `/api/v1/session/${session}/event/create/`, {});
    await run.request(`/api/v1/session/${session}/`, { method: "DELETE" });
    await run.request(`/api/v1/session/${session}/`, { method: "INVENTED" });
    await run.request(`/api/v1/session/${session}/`, { method: "OPTIONS" });
    // Refused by the middleware, before its route is reached.
    await run.request(`/api/v1/session/${session}/`, { headers: { "XP-API-KEY": "vv_nobody_has_this_key" } });
    await run.request(`/wherever/${session}/`);
    const samples = await scrape(run);
    const count = (method: string, route: string, status: number) =>
      valueOf(samples, `${requests}_count`, { method, route, status: String(status) });
    const [one, events] = ["/api/v1/session/:session/", "/api/v1/session/:session/event/create/"];
    expect(count("POST", "/api/v1/session/", 201)).toBe(1);
    expect(count("POST", events, 201)).toBe(3);
    expect(count("POST", events, 400)).toBe(1);
    expect(count("DELETE", one, 405)).toBe(1);
    expect(count("other", one, 405)).toBe(1);
    expect(count("GET", one, 404)).toBe(1);
    expect(count("GET", "unmatched", 404)).toBe(1);
    const labels = { method: "POST", route: events, status: "201" };
    expect(valueOf(samples, `${requests}_bucket`, { ...labels, le: "+Inf" })).toBe(3);
    expect(valueOf(samples, `${requests}_sum`, labels)).toBeGreaterThan(0);
  });

  test("calls of engines, by their outcome", async () => {
    const run = await runService({
      recognizer: () => ({
        recognize: () => Promise.reject(new Error("The engine is away.")),
        close: () => Promise.resolve(),
      }),
    });
    const sttType = {
      kind: "stt_type" as const,
      id: "away",
      name: "away",
      createdAtMs: 1,
      organizationId: null,
    };
    await run.store.catalogue.put({ ...sttType, body: { name: "away" } as never });
    const session = await run.newSession({ stt_type: "away" });
    const say = (text: string) => run.send("POST", `/api/v1/session/${session}/tts/`, { text });
    expect((await say("Good morning.")).status).toBe(200);
    expect((await say("…")).status).toBe(400);
    const turn = { messages: [{ role: "user", content: "What does the chair cost?" }] };
    await (await run.send("POST", `/api/v1/session/${session}/llm/v2/`, turn)).text();
    await run.hooks.recognize(
      session,
      { pcm: new Int16Array(160), sampleRateHz: 16_000 },
      new AbortController().signal,
    );
    const samples = await scrape(run);
    const count = (engine: string, outcome: string) =>
      valueOf(samples, `${engines}_count`, { engine, outcome });
    expect(count("tts", "ok")).toBeGreaterThanOrEqual(1);
    expect(count("tts", "refused")).toBe(1);
    expect(count("tts", "failed")).toBe(0);
    expect(count("llm", "ok")).toBe(1);
    expect(count("stt", "failed")).toBe(1);
  });

  test("the process, with names and labels that no visitor can choose", async () => {
    const run = await runService();
    const session = await run.newSession();
    await run.event(session, "SESSION_START");
    await run.request("/api/v1/session/x'%22%0Aevil/?evil=evil", { headers: { "X-Evil": "evil" } });
    const samples = await scrape(run);
    expect(valueOf(samples, "process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(valueOf(samples, "process_resident_memory_bytes")).toBeGreaterThan(1e7);
    expect(Math.abs(valueOf(samples, "process_start_time_seconds") - Date.now() / 1000)).toBeLessThan(3_600);
    const known = /^(?:|other|unmatched|[A-Z_]+|[a-z]+|\d+|[\d.]+|\+Inf|\/[a-z0-9_/:.-]*)$/;
    for (const { labels } of samples)
      for (const [label, value] of Object.entries(labels)) {
        expect(["method", "route", "status", "reason", "engine", "outcome", "le"]).toContain(label);
        expect(value).toMatch(known);
        expect(value).not.toMatch(/[0-9a-f]{12}|evil/);
      }
  });
});

test("services in one process count separately", async () => {
  const [one, other] = [await runService(), await runService()];
  await one.newSession();
  expect(valueOf(await scrape(one), "visavis_sessions_created_total")).toBe(1);
  expect(valueOf(await scrape(other), "visavis_sessions_created_total")).toBe(0);
});

test("when the store cannot count its sessions, the other metrics are returned", async () => {
  const run = await runService();
  run.store.sessions.countLive = () => Promise.reject(new Error("away"));
  const samples = await scrape(run);
  expect(samples.filter(({ name }) => name === "visavis_sessions")).toEqual([]);
  expect(valueOf(samples, "visavis_sessions_created_total")).toBe(0);
});

describe("access to the metrics", () => {
  const from = (address: string) => runService({ clientAddress: () => address });

  test.each(["127.0.0.1", "::1", "172.17.0.1", "203.0.113.7"])(
    "needs a key, also from %s",
    async (address) => {
      const response = await (await from(address)).request("/metrics");
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain("visavis_");
    },
  );

  test("is given with a key in the usual header, or as Prometheus sends it", async () => {
    const run = await runService();
    const status = async (headers: Record<string, string>) =>
      (await run.request("/metrics", { headers })).status;
    expect(await status({ "XP-API-KEY": apiKey })).toBe(200);
    expect(await status({ Authorization: `Bearer ${apiKey}` })).toBe(200);
    expect(await status({ Authorization: `bearer ${apiKey}` })).toBe(200);
    expect(await status({ Authorization: "Bearer vv_nobody_has_this_key" })).toBe(404);
    expect(await status({ Authorization: `Basic ${apiKey}` })).toBe(401);
    expect(await status({ Cookie: "visavis_console=forged.signature" })).toBe(401);
  });

  test("is the only place where a bearer token counts as a key", async () => {
    const run = await runService();
    const headers = { Authorization: `Bearer ${apiKey}` };
    expect((await run.request("/api/v1/settings/tts_type/", { headers })).status).toBe(401);
  });

  test("is not given with another organization's key, because the figures are about all organizations", async () => {
    const run = await runService();
    const otherKey = "vv_other_organization_key";
    await addOtherOrganization(run, otherKey);
    const response = await run.request("/metrics", { headers: { "XP-API-KEY": otherKey } });
    expect(response.status).toBe(403);
  });

  test("is limited for callers who guess keys, as everywhere", async () => {
    const run = await runService({
      settings: {
        ...defaultServiceSettings,
        publicUrl: "https://relay.example",
        publicFolder: "/srv/public",
        rateLimits: {
          key: { reads: 9, writes: 9 },
          session: { reads: 9, writes: 9 },
          address: { reads: 2, writes: 2 },
          loginsPerMinute: 9,
        },
      },
    });
    const attempt = () => run.request("/metrics", { headers: { "XP-API-KEY": "vv_nobody_has_this_key" } });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await attempt()).status);
    expect(statuses).toEqual([404, 404, 429]);
    expect((await run.get("/metrics")).status).toBe(200);
  });
});
