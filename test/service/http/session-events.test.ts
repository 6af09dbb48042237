import { expect, test } from "vitest";
import { errorBodySchema } from "../../../src/protocol/error-body.ts";
import { sessionEventKinds, sessionEventSchema } from "../../../src/protocol/session-event.ts";
import { runService } from "../service-fixture.ts";
import type { RunningService } from "../service-fixture.ts";

const megabyte = 1024 * 1024;

function upload(run: RunningService, session: string, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.append("event", "SESSION_LOG");
  form.append("file", new File([bytes], "../../log.txt", { type: "text/html" }));
  return run.request(`/api/v1/session/${session}/event/create/`, { method: "POST", body: form });
}

test("every kind of event is stored with its detail", async () => {
  const run = await runService();
  const ending = new Set(["SESSION_END", "SESSION_ERROR"]);
  const kinds = sessionEventKinds.filter((kind) => !ending.has(kind));
  const session = await run.newSession();
  for (const event of kinds) {
    const response = await run.send("POST", `/api/v1/session/${session}/event/create/`, {
      event,
      detail: `about ${event}`,
    });
    expect(response.status).toBe(201);
    expect(sessionEventSchema.parse(await response.json())).toMatchObject({
      event,
      detail: `about ${event}`,
      file: null,
      terminate: false,
      terminate_reason: null,
    });
  }
  expect((await run.store.events.list(session)).map(({ kind }) => kind)).toEqual(kinds);
});

test("a file of 10 MB is taken and served back as what it is, never as a page", async () => {
  const run = await runService();
  const session = await run.newSession();
  const bytes = new Uint8Array(10 * megabyte).map((_, index) => index % 251);
  const response = await upload(run, session, bytes);
  expect(response.status).toBe(201);
  const { file } = sessionEventSchema.parse(await response.json());
  const url = new URL(file!);
  expect(url.origin).toBe("https://relay.example");
  const served = await run.request(url.pathname);
  expect(served.headers.get("content-type")).toBe("application/octet-stream");
  expect(served.headers.get("content-disposition")).toBe("attachment");
  expect(Buffer.from(await served.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
});

test("a file beyond 10 MB is refused and nothing is stored", async () => {
  const run = await runService();
  const session = await run.newSession();
  const response = await upload(run, session, new Uint8Array(10 * megabyte + 1));
  expect(response.status).toBe(400);
  expect(errorBodySchema.parse(await response.json()).errors[0]).toMatchObject({
    code: "max_length",
    attr: "file",
  });
  expect(await run.store.events.list(session)).toEqual([]);
});

test("text in place of a file is refused", async () => {
  const run = await runService();
  const session = await run.newSession();
  const response = await run.send("POST", `/api/v1/session/${session}/event/create/`, {
    event: "SESSION_LOG",
    file: "hello",
  });
  expect(errorBodySchema.parse(await response.json()).errors[0]).toMatchObject({ attr: "file" });
});

test("events are read back only with the organization's key", async () => {
  const run = await runService();
  const session = await run.newSession();
  await run.event(session, "SESSION_LOG");
  expect((await run.request(`/api/v1/session/${session}/event/`)).status).toBe(401);
  expect(await (await run.get(`/api/v1/session/${session}/event/`)).json()).toHaveLength(1);
});
