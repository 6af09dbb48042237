import { describe, expect } from "vitest";
import { jsonOf, statusOf } from "../answers.ts";
import { addOtherOrganization, apiKey, type RunningService, runService } from "../service-fixture.ts";
import { testWith } from "./shared-service.ts";

const test = testWith(runService);

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
    const pairs = [...labels.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, key, label]) => [key!, label!]);
    samples.push({ name, labels: Object.fromEntries(pairs) as Sample["labels"], value: Number(value) });
  }
  return samples;
}

/** The metrics, and the value of the one sample that has a name and labels. */
async function scrape(run: RunningService) {
  const response = await run.get("/metrics");
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const samples = samplesOf(await response.text());
  const valueOf = (name: string, labels: Record<string, string> = {}): number => {
    const found = samples.filter(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    );
    expect(found.length, `${name} ${JSON.stringify(labels)}`).toBe(1);
    return found[0]!.value;
  };
  return { samples, valueOf };
}

/** The figures of sessions. */
async function sessions(run: RunningService) {
  const { valueOf } = await scrape(run);
  const live = (status: string) => valueOf("visavis_sessions", { status });
  const ended = (reason: string) => valueOf("visavis_sessions_ended_total", { reason });
  return {
    created: valueOf("visavis_sessions_created_total"),
    live: ["CREATED", "EXCHANGED", "IN_PROGRESS"].map(live),
    peers: valueOf("visavis_media_peers"),
    ended: ["GRACEFUL_TERMINATION", "SESSION_EXPIRED_BEFORE_CONNECTION"].map(ended),
    deaths: valueOf("visavis_media_process_deaths_total"),
  };
}

test("sessions are counted: created, live by status and with a peer, ended by reason; apart for each service", async ({
  own: run,
}) => {
  const other = await runService();
  const none = { created: 0, live: [0, 0, 0], peers: 0, ended: [0, 0], deaths: 0 };
  expect(await sessions(run)).toEqual(none);
  const one = await run.newSession();
  await run.newSession();
  const offer = { type: "offer", sdp: "v=0\r\n" };
  await jsonOf(run.send("POST", `/api/v1/session/${one}/exchange/`, { client_sdp: offer }));
  await run.event(one, "SESSION_START");
  expect(await sessions(run)).toEqual({ ...none, created: 2, live: [1, 0, 1], peers: 1 });
  await run.event(one, "SESSION_END");
  run.pass(61);
  await run.service.sweep();
  run.hooks.onProcessDied();
  expect(await sessions(run)).toEqual({ ...none, created: 2, ended: [1, 1], deaths: 1 });
  expect(await sessions(other)).toEqual(none);
});

test("a session over the quota is counted as refused, not as created or ended", async ({ own: run }) => {
  await run.store.organizations.setQuotas(run.organizationId, { activeSessions: 0 });
  await run.newSession();
  const { valueOf } = await scrape(run);
  const reason = "MAX_ACTIVE_SESSION_QUOTA_EXCEEDED";
  expect(valueOf("visavis_sessions_refused_total", { reason })).toBe(1);
  expect(valueOf("visavis_sessions_ended_total", { reason })).toBe(0);
  expect(valueOf("visavis_sessions_created_total")).toBe(0);
});

test("requests are counted by the pattern of their path and their status", async ({ own: run }) => {
  const session = await run.newSession();
  const path = `/api/v1/session/${session}/`;
  for (const event of ["SESSION_START", "SESSION_DURING", "SESSION_DURING"]) await run.event(session, event);
  await run.send("POST", `${path}event/create/`, {});
  for (const method of ["DELETE", "INVENTED", "OPTIONS"]) await run.request(path, { method });
  // Refused by the middleware, before its route is reached.
  await run.request(path, { headers: { "XP-API-KEY": "vv_nobody_has_this_key" } });
  await run.request(`/wherever/${session}/`);
  const { valueOf } = await scrape(run);
  const requests = "visavis_http_request_duration_seconds";
  const [one, events] = ["/api/v1/session/:session/", "/api/v1/session/:session/event/create/"];
  for (const [method, route, status, count] of [
    ["POST", "/api/v1/session/", "201", 1],
    ["POST", events, "201", 3],
    ["POST", events, "400", 1],
    ["DELETE", one, "405", 1],
    ["other", one, "405", 1],
    ["GET", one, "404", 1],
    ["GET", "unmatched", "404", 1],
  ] as const)
    expect(valueOf(`${requests}_count`, { method, route, status })).toBe(count);
  const labels = { method: "POST", route: events, status: "201" };
  expect(valueOf(`${requests}_bucket`, { ...labels, le: "+Inf" })).toBe(3);
  expect(valueOf(`${requests}_sum`, labels)).toBeGreaterThan(0);
});

test("calls of engines are counted by their outcome", async () => {
  const recognize = () => Promise.reject(new Error("The engine is away."));
  const run = await runService({ recognizer: () => ({ recognize, close: () => Promise.resolve() }) });
  await run.put("stt_type", "away", { name: "away", service: "onpremise", options: null });
  const session = await run.newSession({ stt_type: "away" });
  const say = (text: string) => statusOf(run.send("POST", `/api/v1/session/${session}/tts/`, { text }));
  expect([await say("Good morning."), await say("…")]).toEqual([200, 400]);
  const turn = { messages: [{ role: "user", content: "What does the chair cost?" }] };
  await (await run.send("POST", `/api/v1/session/${session}/llm/v2/`, turn)).text();
  const recording = { pcm: new Int16Array(160), sampleRateHz: 16_000 };
  await run.hooks.recognize(session, recording, new AbortController().signal);
  const { valueOf } = await scrape(run);
  const count = (engine: string, outcome: string) =>
    valueOf("visavis_engine_call_duration_seconds_count", { engine, outcome });
  expect(count("tts", "ok")).toBeGreaterThanOrEqual(1);
  expect([count("tts", "refused"), count("tts", "failed")]).toEqual([1, 0]);
  expect([count("llm", "ok"), count("stt", "failed")]).toEqual([1, 1]);
});

test("the process is measured, with names and labels that no visitor can choose", async ({ run }) => {
  await run.event(await run.newSession(), "SESSION_START");
  await run.request("/api/v1/session/x'%22%0Aevil/?evil=evil", { headers: { "X-Evil": "evil" } });
  const { samples, valueOf } = await scrape(run);
  expect(valueOf("process_cpu_seconds_total")).toBeGreaterThan(0);
  expect(valueOf("process_resident_memory_bytes")).toBeGreaterThan(1e7);
  expect(Math.abs(valueOf("process_start_time_seconds") - Date.now() / 1000)).toBeLessThan(3_600);
  const known = /^(?:|other|unmatched|[A-Z_]+|[a-z]+|\d+|[\d.]+|\+Inf|\/[a-z0-9_/:.-]*)$/;
  for (const { labels } of samples)
    for (const [label, value] of Object.entries(labels)) {
      expect(["method", "route", "status", "reason", "engine", "outcome", "le"]).toContain(label);
      expect(value).toMatch(known);
      expect(value).not.toMatch(/[0-9a-f]{12}|evil/);
    }
});

test("when the store cannot count its sessions, the other metrics are returned", async ({ own: run }) => {
  run.store.sessions.countLive = () => Promise.reject(new Error("away"));
  const { samples, valueOf } = await scrape(run);
  expect(samples.filter(({ name }) => name === "visavis_sessions")).toEqual([]);
  expect(valueOf("visavis_sessions_created_total")).toBe(0);
});

describe("access to the metrics", () => {
  test.for(["127.0.0.1", "::1", "172.17.0.1", "203.0.113.7"])(
    "needs a key, also from %s",
    async (address) => {
      const run = await runService({ clientAddress: () => address });
      const response = await run.request("/metrics");
      expect(response.status).toBe(401);
      expect(await response.text()).not.toContain("visavis_");
    },
  );

  test.for<[headers: Record<string, string>, status: number]>([
    [{ "XP-API-KEY": apiKey }, 200],
    [{ Authorization: `Bearer ${apiKey}` }, 200],
    [{ Authorization: `bearer ${apiKey}` }, 200],
    [{ Authorization: "Bearer vv_nobody_has_this_key" }, 404],
    [{ Authorization: `Basic ${apiKey}` }, 401],
    [{ Cookie: "visavis_console=forged.signature" }, 401],
  ])("with %j is answered with %i", async ([headers, status], { run }) => {
    expect(await statusOf(run.request("/metrics", { headers }))).toBe(status);
  });

  test("is the only place where a bearer token counts as a key", async ({ run }) => {
    const headers = { Authorization: `Bearer ${apiKey}` };
    expect(await statusOf(run.request("/api/v1/settings/tts_type/", { headers }))).toBe(401);
  });

  test("is not given with another organization's key, because the figures are about all", async ({
    own: run,
  }) => {
    await addOtherOrganization(run, "vv_other_organization_key");
    const headers = { "XP-API-KEY": "vv_other_organization_key" };
    expect(await statusOf(run.request("/metrics", { headers }))).toBe(403);
  });
});
