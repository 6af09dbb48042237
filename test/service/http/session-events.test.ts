import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, vi } from "vitest";
import { sessionEventKinds, type SessionEvent } from "../../../src/protocol/session/session-event.ts";
import { defaultEventFileLimits, type EventFileSettings } from "../../../src/service/service-settings.ts";
import { EventBudget } from "../../../src/service/sessions/events/event-budget.ts";
import { openFolderFiles } from "../../../src/service/store/files/folder-files.ts";
import { errorsOf, filled, jsonOf, refusalOf, statusOf } from "../answers.ts";
import { type RunningService, runService, settingsWith, temporaryFolder } from "../service-fixture.ts";
import { testWith } from "./shared-service.ts";

const test = testWith(runService);

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

const report = (run: RunningService, session: string, fields: object) =>
  run.send("POST", `/api/v1/session/${session}/event/create/`, { event: "SESSION_LOG", ...fields });

const sendForm = (run: RunningService, session: string, body: FormData | URLSearchParams) =>
  run.request(`/api/v1/session/${session}/event/create/`, { method: "POST", body });

function upload(run: RunningService, session: string, bytes: number | Uint8Array<ArrayBuffer>) {
  const content = typeof bytes === "number" ? new Uint8Array(bytes) : bytes;
  const file = new File([content], "../../log.txt", { type: "text/html" });
  return sendForm(run, session, filled(new FormData(), { event: "SESSION_LOG", file }));
}

/** The path of the file of an event that was stored. */
const fileOf = async (answer: Promise<Response>): Promise<string> =>
  new URL((await jsonOf<SessionEvent>(answer)).file!).pathname;

/** Kinds that end a session, with the reasons that their answers name. */
const endings: Record<string, string> = {
  SESSION_END: "SESSION_EVENT_GRACEFUL_TERMINATION",
  SESSION_ERROR: "SESSION_EVENT_MISC_ERROR",
};

test.for([...sessionEventKinds])("%s is stored with its detail", async (event, { run }) => {
  const session = await run.newSession();
  const detail = `about ${event}`;
  const answer = await jsonOf<SessionEvent>(report(run, session, { event, detail }));
  const terminate_reason = endings[event] ?? null;
  expect(answer).toMatchObject({ event, detail, file: null, terminate: event in endings, terminate_reason });
  expect(answer.sessionevent_id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(await run.store.events.list(session)).toMatchObject([{ kind: event, detail }]);
});

test("there are the eleven kinds of the specification", () => {
  expect(sessionEventKinds.map((kind) => kind.replace("SESSION_", ""))).toEqual([
    ...["START", "DURING", "END", "ERROR", "LOG", "TTS", "STT", "LLM", "DASHBOARD", "WS_LOG", "WS_ERROR"],
  ]);
});

test("detail and file may be null or left out; a detail has at most 10,000 characters", async ({ run }) => {
  const session = await run.newSession();
  for (const fields of [{}, { detail: null, file: null }])
    expect(await jsonOf(report(run, session, fields))).toMatchObject({ detail: "", file: null });
  expect(await statusOf(report(run, session, { detail: "x".repeat(10_000) }))).toBe(201);
  const refused = refusalOf(report(run, session, { detail: "x".repeat(10_001) }));
  expect(await refused).toEqual([400, "detail max_length"]);
});

test.for([
  ["a form", () => new URLSearchParams()],
  ["a multipart body without a file", () => new FormData()],
] as const)("%s reports an event too", async ([, emptyForm], { run }) => {
  const fields = { event: "SESSION_LOG", detail: "by form" };
  const answer = jsonOf(sendForm(run, await run.newSession(), filled(emptyForm(), fields)));
  expect(await answer).toMatchObject({ ...fields, file: null });
});

test("events can be read only with the organization's key", async ({ run }) => {
  const session = await run.newSession();
  await run.event(session, "SESSION_LOG");
  expect(await statusOf(run.request(`/api/v1/session/${session}/event/`))).toBe(401);
  expect(await jsonOf(run.get(`/api/v1/session/${session}/event/`))).toHaveLength(1);
});

describe("a file of an event", () => {
  test("may have 10 MB, and is served with its own type, never as a page", async ({ run }) => {
    const bytes = new Uint8Array(10 * megabyte).map((_, index) => index % 251);
    const { file } = await jsonOf<SessionEvent>(upload(run, await run.newSession(), bytes));
    const url = new URL(file!);
    expect(url.origin).toBe("https://relay.example");
    const served = await run.request(url.pathname);
    expect(served.headers.get("content-type")).toBe("application/octet-stream");
    expect(served.headers.get("content-disposition")).toBe("attachment");
    expect(Buffer.from(await served.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
  });

  test("above 10 MB is refused and nothing is stored", async ({ run }) => {
    const session = await run.newSession();
    expect(await refusalOf(upload(run, session, 10 * megabyte + 1))).toEqual([400, "file max_length"]);
    expect(await run.store.events.list(session)).toEqual([]);
  });

  test("is served without reading all events of its session: there may be very many", async ({ run }) => {
    const session = await run.newSession();
    const path = await fileOf(upload(run, session, Uint8Array.of(1, 2, 3)));
    const list = vi.spyOn(run.store.events, "list");
    const served = await run.request(path);
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(Uint8Array.of(1, 2, 3));
    expect(list).not.toHaveBeenCalled();
    list.mockRestore();
    expect(await statusOf(run.request(path.replace(session, await run.newSession())))).toBe(404);
  });

  test("is refused for an ended session, which accepts events without one", async ({ run }) => {
    const session = await run.newSession();
    await run.event(session, "SESSION_END");
    const [fault] = await errorsOf(upload(run, session, 10));
    expect(fault).toMatchObject({ code: "session_ended", attr: "file" });
    expect(fault?.detail).toContain("GRACEFUL_TERMINATION");
    expect(await refusalOf(announced(run, session, 5 * megabyte))).toEqual([403, "file session_ended"]);
    expect(await run.event(session, "SESSION_LOG")).toMatchObject({ terminate: true });
    expect(await run.store.events.list(session)).toHaveLength(2);
  });
});

/** An upload that never sends a byte: reading it would wait for ever. */
async function announced(run: RunningService, session: string, bytes: number): Promise<Response> {
  let pulls = 0;
  const pull = () => {
    pulls++;
    return new Promise<void>(() => undefined);
  };
  const response = await run.request(`/api/v1/session/${session}/event/create/`, {
    method: "POST",
    body: new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 }),
    headers: { "Content-Type": "multipart/form-data; boundary=x", "Content-Length": String(bytes) },
    duplex: "half",
  } as RequestInit);
  expect(pulls).toBe(0);
  return response;
}

describe("limits of files", () => {
  async function start(limits: Partial<EventFileSettings> = {}, files?: ReturnType<typeof openFolderFiles>) {
    const folder = temporaryFolder();
    const settings = settingsWith({ eventFiles: { ...defaultEventFileLimits, ...limits } });
    const run = await runService({ folder, settings, ...(files && { files }) });
    return Object.assign(run, { stored: () => readdirSync(join(folder, "files")) });
  }

  const exceeded = [403, "file session_files_exceeded"];

  test("a session accepts 20 files, also at the same time, and after that events without a file", async () => {
    const run = await start();
    const session = await run.newSession();
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => upload(run, session, 10)));
    const refused = outcomes.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(20);
    for (const [index, response] of refused.entries())
      if (index > 0) expect(await refusalOf(response)).toEqual(exceeded);
    const detail = "A session accepts 20 files with 50 MB in total; send the event without a file.";
    expect(await errorsOf(refused[0]!)).toMatchObject([{ detail }]);
    expect(run.stored()).toHaveLength(20);
    expect(await run.store.events.list(session)).toHaveLength(20);
    expect(await run.event(session, "SESSION_LOG")).toMatchObject({ terminate: false });
    expect(await statusOf(upload(run, await run.newSession(), 10))).toBe(201);
  });

  test("a session's files may have 50 MB in total", async () => {
    const run = await start();
    const session = await run.newSession();
    for (let count = 0; count < 5; count++)
      expect(await statusOf(upload(run, session, 10 * megabyte))).toBe(201);
    expect(await refusalOf(upload(run, session, 1))).toEqual(exceeded);
  });

  test("an upload for which there is no space is refused before it is read", async () => {
    const run = await start({ maxFiles: 1, maxBytes: kilobyte });
    const session = await run.newSession();
    expect(await refusalOf(announced(run, session, 400 * kilobyte))).toEqual(exceeded);
    await upload(run, session, 10);
    expect(await refusalOf(announced(run, session, 300 * kilobyte))).toEqual(exceeded);
  });

  test("parallel uploads of many sessions do not exceed the store's budget", async () => {
    const run = await start({ storeMaxBytes: 10 * kilobyte });
    const sessions = await Promise.all(Array.from({ length: 25 }, () => run.newSession()));
    const outcomes = await Promise.all(sessions.map((session) => upload(run, session, kilobyte)));
    expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(10);
    const full = [403, "file file_storage_full"];
    expect(await refusalOf(outcomes.find(({ status }) => status !== 201)!)).toEqual(full);
    expect(run.stored()).toHaveLength(10);
    expect(await refusalOf(announced(run, sessions[0]!, 300 * kilobyte))).toEqual(full);
  });

  test("files are deleted after 30 days, which frees their space; their events stay without a file", async () => {
    const run = await start({ storeMaxBytes: 100 });
    const session = await run.newSession();
    const path = await fileOf(upload(run, session, 100));
    for (const [days, removed, status] of [[29, 0, 200] as const, [2, 1, 404] as const]) {
      run.pass(days * 86_400);
      expect(await run.service.removeOldFiles()).toBe(removed);
      expect(await statusOf(run.request(path))).toBe(status);
    }
    const events = await jsonOf(run.get(`/api/v1/session/${session}/event/`));
    expect(events).toMatchObject([{ event: "SESSION_LOG", file: null }]);
    expect(run.stored()).toEqual([]);
    const message = "old event files were removed";
    expect(run.lines).toContainEqual({ level: "info", message, files: 1, bytes: 100 });
    expect(await statusOf(upload(run, await run.newSession(), 100))).toBe(201);
  });

  test("a file that cannot be written uses no space, and its event is not stored", async () => {
    const files = openFolderFiles(join(temporaryFolder(), "files"));
    let isFull = true;
    const full = () => Promise.reject(new Error("ENOSPC: no space left on device"));
    const write: typeof files.write = (name, bytes) => (isFull ? full() : files.write(name, bytes));
    const run = await start({ maxFiles: 1 }, { ...files, write });
    const session = await run.newSession();
    expect(await statusOf(upload(run, session, 10))).toBe(500);
    expect(await run.store.events.list(session)).toEqual([]);
    isFull = false;
    expect(await statusOf(upload(run, session, 10))).toBe(201);
  });
});

test("events are removed after 90 days", async ({ own: run }) => {
  const session = await run.newSession();
  await run.event(session, "SESSION_LOG");
  run.pass(89 * 86_400);
  await run.event(session, "SESSION_LOG");
  await run.service.removeOldFiles();
  expect(await run.store.events.list(session)).toHaveLength(2);
  run.pass(2 * 86_400);
  await run.service.removeOldFiles();
  expect(await run.store.events.list(session)).toHaveLength(1);
});

test("a session's details have one budget: beyond it they are refused, and heartbeats go on without theirs", async ({
  run,
}) => {
  const session = await run.newSession();
  const detail = "x".repeat(10_000);
  let accepted = 0;
  while ((await statusOf(report(run, session, { detail }))) === 201) accepted += 1;
  expect(accepted).toBe(104);
  const code = "session_details_exceeded";
  const limit = expect.stringContaining("1048576") as string;
  const errors = await errorsOf(report(run, session, { detail }));
  expect(errors).toEqual([{ code, detail: limit, attr: "detail" }]);
  const beat = await jsonOf(report(run, session, { event: "SESSION_DURING", detail }));
  expect(beat).toMatchObject({ detail: "", terminate: false });
  expect(await run.event(session, "SESSION_LOG")).toMatchObject({ terminate: false });
});

test("the details of all sessions have one budget, which is free again when events are removed", async ({
  own: run,
}) => {
  const session = await run.newSession();
  // All but three characters of 256 Mi.
  expect(await run.store.events.reserveDetail(256 * 1_048_576 - 3, 256 * 1_048_576)).toBe(true);
  const late = { detail: "late" };
  expect(await refusalOf(report(run, session, late))).toEqual([403, "detail event_storage_full"]);
  const beat = await jsonOf(report(run, session, { event: "SESSION_DURING", ...late }));
  expect(beat).toMatchObject({ detail: "", terminate: false });
  await run.service.removeOldFiles();
  expect(await statusOf(report(run, session, late))).toBe(201);
});

test("a session stores ten thousand events; those of its lifecycle still have their effect", async ({
  run,
}) => {
  const session = await run.newSession();
  const budget = new EventBudget(run.store);
  const log = { event: "SESSION_LOG" as const, detail: null };
  for (let index = 0; index < 10_000; index++) await budget.take(session, log, false);
  const body = { errors: [{ code: "session_events_exceeded" }] };
  await expect(budget.take(session, log, false)).rejects.toMatchObject({ status: 403, body });
  const ending = await budget.take(session, { event: "SESSION_END", detail: "bye" }, true);
  expect(ending).toEqual({ isStored: false, detail: null });
  expect(await budget.take("another", log, false)).toMatchObject({ isStored: true });
});
