import { describe, expect, test, vi } from "vitest";
import { authErrorBodySchema, errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { sessionEventKinds, sessionEventSchema } from "../../../src/protocol/session/session-event.ts";
import { hashApiKey } from "../../../src/service/api-key.ts";
import { addOtherOrganization, apiKey, type RunningService, runService } from "../service-fixture.ts";

const megabyte = 1024 * 1024;

function upload(run: RunningService, session: string, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.append("event", "SESSION_LOG");
  form.append("file", new File([bytes], "../../log.txt", { type: "text/html" }));
  return run.request(`/api/v1/session/${session}/event/create/`, { method: "POST", body: form });
}

/** Kinds that end a session, with the reasons that their answers name. */
const endings: Record<string, string> = {
  SESSION_END: "SESSION_EVENT_GRACEFUL_TERMINATION",
  SESSION_ERROR: "SESSION_EVENT_MISC_ERROR",
};

test.each(sessionEventKinds)("%s is stored with its detail", async (event) => {
  const run = await runService();
  const session = await run.newSession();
  const response = await run.send("POST", `/api/v1/session/${session}/event/create/`, {
    event,
    detail: `about ${event}`,
  });
  expect(response.status).toBe(201);
  const answer = sessionEventSchema.parse(await response.json());
  expect(answer).toMatchObject({
    event,
    detail: `about ${event}`,
    file: null,
    terminate: event in endings,
    terminate_reason: endings[event] ?? null,
  });
  expect(answer.sessionevent_id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(await run.store.events.list(session)).toMatchObject([{ kind: event, detail: `about ${event}` }]);
});

test("there are the eleven kinds of the specification", () => {
  expect(sessionEventKinds).toEqual([
    "SESSION_START",
    "SESSION_DURING",
    "SESSION_END",
    "SESSION_ERROR",
    "SESSION_LOG",
    "SESSION_TTS",
    "SESSION_STT",
    "SESSION_LLM",
    "SESSION_DASHBOARD",
    "SESSION_WS_LOG",
    "SESSION_WS_ERROR",
  ]);
});

test("detail and file may be null or left out; a detail has at most 10,000 characters", async () => {
  const run = await runService();
  const session = await run.newSession();
  const report = (fields: object) =>
    run.send("POST", `/api/v1/session/${session}/event/create/`, { event: "SESSION_LOG", ...fields });
  for (const fields of [{}, { detail: null, file: null }]) {
    const response = await report(fields);
    expect(sessionEventSchema.parse(await response.json())).toMatchObject({ detail: "", file: null });
  }
  expect((await report({ detail: "x".repeat(10_000) })).status).toBe(201);
  const refused = await report({ detail: "x".repeat(10_001) });
  expect(errorBodySchema.parse(await refused.json()).errors).toMatchObject([
    { attr: "detail", code: "max_length" },
  ]);
});

test.each([
  ["a form", new URLSearchParams({ event: "SESSION_LOG", detail: "by form" })],
  [
    "a multipart body without a file",
    Object.entries({ event: "SESSION_LOG", detail: "by form" }).reduce((form, [name, value]) => {
      form.append(name, value);
      return form;
    }, new FormData()),
  ],
])("%s reports an event too", async (_, body) => {
  const run = await runService();
  const session = await run.newSession();
  const response = await run.request(`/api/v1/session/${session}/event/create/`, { method: "POST", body });
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ event: "SESSION_LOG", detail: "by form", file: null });
});

test("a file of 10 MB is accepted, and served with its own type, never as a page", async () => {
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

test("a file is served without reading all events of its session: there may be very many", async () => {
  const run = await runService();
  const session = await run.newSession();
  const uploaded = await upload(run, session, Uint8Array.of(1, 2, 3));
  const { pathname } = new URL(sessionEventSchema.parse(await uploaded.json()).file!);
  const list = vi.spyOn(run.store.events, "list");
  const served = await run.request(pathname);
  expect(new Uint8Array(await served.arrayBuffer())).toEqual(Uint8Array.of(1, 2, 3));
  expect(list).not.toHaveBeenCalled();
  const other = await run.newSession();
  expect((await run.request(pathname.replace(session, other))).status).toBe(404);
});

test("a file above 10 MB is refused and nothing is stored", async () => {
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

test("an upload that never ends is refused while it is read", async () => {
  const run = await runService();
  const session = await run.newSession();
  const piece = new Uint8Array(256 * 1024);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += piece.length;
      controller.enqueue(piece);
    },
  });
  const response = await run.request(`/api/v1/session/${session}/event/create/`, {
    method: "POST",
    body: endless,
    headers: { "Content-Type": "multipart/form-data; boundary=x" },
    duplex: "half",
  } as RequestInit);
  expect(response.status).toBe(400);
  expect(errorBodySchema.parse(await response.json()).errors[0]).toMatchObject({ code: "max_length" });
  expect(sent).toBeLessThan(12 * megabyte);
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

test("events can be read only with the organization's key", async () => {
  const run = await runService();
  const session = await run.newSession();
  await run.event(session, "SESSION_LOG");
  expect((await run.request(`/api/v1/session/${session}/event/`)).status).toBe(401);
  expect(await (await run.get(`/api/v1/session/${session}/event/`)).json()).toHaveLength(1);
});

describe("a key in a call of a session's operation", () => {
  async function statusWith(run: RunningService, key: string): Promise<number> {
    const session = await run.newSession();
    const response = await run.request(`/api/v1/session/${session}/event/create/`, {
      method: "POST",
      body: JSON.stringify({ event: "SESSION_LOG" }),
      headers: { "Content-Type": "application/json", "ServicePlatform-APIKey": key },
    });
    if (response.status === 403)
      expect(errorBodySchema.parse(await response.json()).errors[0]?.code).toBe("permission_denied");
    else if (response.status !== 201) authErrorBodySchema.parse(await response.json());
    return response.status;
  }

  test.each([
    ["the organization's own", apiKey, 201],
    ["none that could be one", "no key", 401],
    ["an empty one", "", 401],
    ["unknown", "vv_nobody_has_this_key", 404],
    ["revoked", "vv_revoked_key", 401],
    ["another organization's", "vv_other_key", 403],
  ])("%s", async (_, key, status) => {
    const run = await runService();
    await run.store.organizations.insert({ id: "other", name: "Other", createdAtMs: Date.UTC(2027, 0, 1) });
    const insert = (name: string, organizationId: string, revokedAtMs: number | null) =>
      run.store.apiKeys.insert({
        id: name,
        organizationId,
        name,
        hash: hashApiKey(`vv_${name}_key`),
        createdAtMs: 0,
        expiresAtMs: null,
        revokedAtMs,
      });
    await insert("revoked", run.organizationId, 1);
    await insert("other", "other", null);
    expect(await statusWith(run, key)).toBe(status);
  });

  test("of another organization gives no access to the session", async () => {
    const run = await runService();
    await addOtherOrganization(run, "vv_other_key");
    const session = await run.newSession();
    // A percent-encoded path is the same path.
    const written = [session, `%${session.charCodeAt(0).toString(16)}${session.slice(1)}`];
    for (const part of written.flatMap((name) =>
      ["", "ice-servers/", "event/"].map((end) => `${name}/${end}`),
    ))
      expect(
        (
          await run.request(`/api/v1/session/${part}`, {
            headers: { "XP-API-KEY": "vv_other_key" },
          })
        ).status,
      ).toBe(403);
  });
});

test("a server error while an event is stored is a 500 in the documented format", async () => {
  const run = await runService();
  const session = await run.newSession();
  await run.store.close();
  const response = await run.send("POST", `/api/v1/session/${session}/event/create/`, {
    event: "SESSION_LOG",
  });
  expect(response.status).toBe(500);
  expect(errorBodySchema.parse(await response.json())).toMatchObject({ type: "server_error" });
});
