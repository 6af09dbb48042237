import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { sessionEventListSchema } from "../../../src/protocol/session/session-event-request.ts";
import { sessionEventSchema } from "../../../src/protocol/session/session-event.ts";
import {
  defaultEventFileLimits,
  defaultServiceSettings,
  type EventFileSettings,
} from "../../../src/service/service-settings.ts";
import { EventBudget } from "../../../src/service/sessions/events/event-budget.ts";
import { openFolderFiles } from "../../../src/service/store/files/folder-files.ts";
import { runService, temporaryFolder, type RunningService } from "../service-fixture.ts";

const kilobyte = 1024;

async function run(limits: Partial<EventFileSettings> = {}, files?: ReturnType<typeof openFolderFiles>) {
  const folder = temporaryFolder();
  const running = await runService({
    folder,
    settings: {
      ...defaultServiceSettings,
      publicUrl: "https://relay.example",
      publicFolder: "/srv/public",
      eventFiles: { ...defaultEventFileLimits, ...limits },
    },
    ...(files && { files }),
  });
  return Object.assign(running, { stored: () => readdirSync(join(folder, "files")) });
}

async function upload(
  service: RunningService,
  session: string,
  bytes: number,
): Promise<{ status: number; fault?: { code: string; detail: string; attr: string | null }; file?: string }> {
  const form = new FormData();
  form.append("event", "SESSION_LOG");
  form.append("file", new File([new Uint8Array(bytes)], "log.txt"));
  const response = await service.request(`/api/v1/session/${session}/event/create/`, {
    method: "POST",
    body: form,
  });
  const body: unknown = await response.json();
  if (response.status === 201)
    return { status: 201, file: new URL(sessionEventSchema.parse(body).file!).pathname };
  return { status: response.status, fault: errorBodySchema.parse(body).errors[0]! };
}

/** An upload that never sends a byte: reading it would wait for ever. */
async function announced(service: RunningService, session: string, bytes: number): Promise<Response> {
  let pulls = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull() {
        pulls++;
        return new Promise<void>(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
  const response = await service.request(`/api/v1/session/${session}/event/create/`, {
    method: "POST",
    body,
    headers: { "Content-Type": "multipart/form-data; boundary=x", "Content-Length": String(bytes) },
    duplex: "half",
  } as RequestInit);
  expect(pulls).toBe(0);
  return response;
}

const refused = { code: "session_files_exceeded", attr: "file" };

test("a session accepts 20 files, and after that still events without a file", async () => {
  const service = await run();
  const session = await service.newSession();
  for (let count = 0; count < 20; count++) expect((await upload(service, session, 10)).status).toBe(201);
  const { status, fault } = await upload(service, session, 10);
  expect([status, fault]).toEqual([403, expect.objectContaining(refused)]);
  expect(fault!.detail).toBe(
    "A session accepts 20 files with 50 MB in total; send the event without a file.",
  );
  expect(service.stored()).toHaveLength(20);
  expect(await service.store.events.list(session)).toHaveLength(20);
  expect(await service.event(session, "SESSION_LOG")).toMatchObject({ terminate: false });
  expect((await upload(service, await service.newSession(), 10)).status).toBe(201);
});

test("a session's files may have 50 MB in total", async () => {
  const service = await run();
  const session = await service.newSession();
  for (let count = 0; count < 5; count++)
    expect((await upload(service, session, 10 * kilobyte * kilobyte)).status).toBe(201);
  expect((await upload(service, session, 1)).fault).toMatchObject(refused);
});

test("an upload for which there is no space is refused before it is read", async () => {
  const service = await run({ maxFiles: 1, maxBytes: kilobyte });
  const session = await service.newSession();
  const tooLarge = await announced(service, session, 400 * kilobyte);
  expect(tooLarge.status).toBe(403);
  await upload(service, session, 10);
  const tooMany = await announced(service, session, 300 * kilobyte);
  expect(errorBodySchema.parse(await tooMany.json()).errors[0]).toMatchObject(refused);
});

test("an ended session accepts events but no file", async () => {
  const service = await run();
  const session = await service.newSession();
  await service.event(session, "SESSION_END");
  expect((await upload(service, session, 10)).fault).toMatchObject({
    code: "session_ended",
    detail: expect.stringContaining("GRACEFUL_TERMINATION") as string,
    attr: "file",
  });
  const large = await announced(service, session, 5 * kilobyte * kilobyte);
  expect([large.status, errorBodySchema.parse(await large.json()).errors[0]!.code]).toEqual([
    403,
    "session_ended",
  ]);
  expect(service.stored()).toEqual([]);
  expect(await service.event(session, "SESSION_LOG")).toMatchObject({ terminate: true });
  expect(await service.store.events.list(session)).toHaveLength(2);
});

test("parallel uploads of a session do not exceed its limits", async () => {
  const service = await run();
  const session = await service.newSession();
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => upload(service, session, 100)));
  expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(20);
  for (const { fault } of outcomes.filter(({ status }) => status !== 201))
    expect(fault).toMatchObject(refused);
  expect(service.stored()).toHaveLength(20);
});

test("parallel uploads of many sessions do not exceed the store's budget", async () => {
  const service = await run({ storeMaxBytes: 10 * kilobyte });
  const sessions = await Promise.all(Array.from({ length: 25 }, () => service.newSession()));
  const outcomes = await Promise.all(sessions.map((session) => upload(service, session, kilobyte)));
  expect(outcomes.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(outcomes.find(({ status }) => status !== 201)).toMatchObject({
    status: 403,
    fault: { code: "file_storage_full", attr: "file" },
  });
  expect(service.stored()).toHaveLength(10);
  const early = await announced(service, sessions[0]!, 300 * kilobyte);
  expect(errorBodySchema.parse(await early.json()).errors[0]!.code).toBe("file_storage_full");
});

test("files are deleted after 30 days, which frees their space; their events stay without a file", async () => {
  const service = await run({ storeMaxBytes: 100 });
  const session = await service.newSession();
  const { file } = await upload(service, session, 100);
  service.pass(29 * 86_400);
  expect(await service.service.removeOldFiles()).toBe(0);
  expect((await service.request(file!)).status).toBe(200);
  service.pass(2 * 86_400);
  expect(await service.service.removeOldFiles()).toBe(1);
  expect((await service.request(file!)).status).toBe(404);
  const events = await service.get(`/api/v1/session/${session}/event/`);
  expect(sessionEventListSchema.parse(await events.json())).toMatchObject([
    { event: "SESSION_LOG", file: null },
  ]);
  expect(service.stored()).toEqual([]);
  expect(service.lines).toContainEqual({
    level: "info",
    message: "old event files were removed",
    files: 1,
    bytes: 100,
  });
  expect((await upload(service, await service.newSession(), 100)).status).toBe(201);
});

test("events are removed after 90 days", async () => {
  const service = await run();
  const session = await service.newSession();
  await service.event(session, "SESSION_LOG");
  service.pass(89 * 86_400);
  await service.event(session, "SESSION_LOG");
  await service.service.removeOldFiles();
  expect(await service.store.events.list(session)).toHaveLength(2);
  service.pass(2 * 86_400);
  await service.service.removeOldFiles();
  expect(await service.store.events.list(session)).toHaveLength(1);
});

test("a session's details have one budget: beyond it they are refused, and heartbeats go on without theirs", async () => {
  const service = await run();
  const session = await service.newSession();
  const detail = "x".repeat(10_000);
  const report = (event: string) =>
    service.send("POST", `/api/v1/session/${session}/event/create/`, { event, detail });
  let accepted = 0;
  while ((await report("SESSION_LOG")).status === 201) accepted += 1;
  expect(accepted).toBe(104);
  expect(errorBodySchema.parse(await (await report("SESSION_LOG")).json()).errors).toEqual([
    {
      code: "session_details_exceeded",
      detail: expect.stringContaining("1048576") as string,
      attr: "detail",
    },
  ]);
  expect(sessionEventSchema.parse(await (await report("SESSION_DURING")).json())).toMatchObject({
    detail: "",
    terminate: false,
  });
  expect(await service.event(session, "SESSION_LOG")).toMatchObject({ terminate: false });
});

test("the details of all sessions have one budget, which is free again when events are removed", async () => {
  const service = await run();
  const session = await service.newSession();
  const report = (event: string) =>
    service.send("POST", `/api/v1/session/${session}/event/create/`, { event, detail: "late" });
  // All but three characters of 256 Mi.
  expect(await service.store.events.reserveDetail(256 * 1_048_576 - 3, 256 * 1_048_576)).toBe(true);
  const refused = await report("SESSION_LOG");
  expect([refused.status, errorBodySchema.parse(await refused.json()).errors[0]!.code]).toEqual([
    403,
    "event_storage_full",
  ]);
  expect(await (await report("SESSION_DURING")).json()).toMatchObject({ detail: "", terminate: false });
  await service.service.removeOldFiles();
  expect((await report("SESSION_LOG")).status).toBe(201);
});

test("a session stores ten thousand events; those of its lifecycle still have their effect", async () => {
  const service = await run();
  const session = await service.newSession();
  const budget = new EventBudget(service.store);
  for (let index = 0; index < 10_000; index++)
    await budget.take(session, { event: "SESSION_LOG", detail: null }, false);
  await expect(budget.take(session, { event: "SESSION_LOG", detail: null }, false)).rejects.toMatchObject({
    status: 403,
    body: { errors: [{ code: "session_events_exceeded" }] },
  });
  expect(await budget.take(session, { event: "SESSION_END", detail: "bye" }, true)).toEqual({
    isStored: false,
    detail: null,
  });
  expect(await budget.take("another", { event: "SESSION_LOG", detail: null }, false)).toMatchObject({
    isStored: true,
  });
});

test("a file that cannot be written uses no space, and its event is not stored", async () => {
  const folder = temporaryFolder();
  const files = openFolderFiles(join(folder, "files"));
  let isFull = true;
  const service = await run(
    { maxFiles: 1 },
    {
      ...files,
      write: (name, bytes) =>
        isFull ? Promise.reject(new Error("ENOSPC: no space left on device")) : files.write(name, bytes),
    },
  );
  const session = await service.newSession();
  expect((await upload(service, session, 10)).status).toBe(500);
  expect(await service.store.events.list(session)).toEqual([]);
  isFull = false;
  expect((await upload(service, session, 10)).status).toBe(201);
});
