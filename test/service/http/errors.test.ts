import { describe, expect, test as plainTest } from "vitest";
import { authErrorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { hashApiKey } from "../../../src/service/api-key.ts";
import { errorsOf, jsonOf, refusalOf, statusOf } from "../answers.ts";
import { addOtherOrganization, apiKey, type RunningService, runService } from "../service-fixture.ts";
import { testWith } from "./shared-service.ts";

const test = testWith(async (given) => {
  const run = await runService(given);
  await addOtherOrganization(run, "vv_other_key");
  const { organizationId } = run;
  for (const [id, expiresAtMs, revokedAtMs] of [
    ["expired", Date.UTC(2026, 0, 1), null],
    ["revoked", null, 1],
  ] as const) {
    const hash = hashApiKey(`vv_${id}_key`);
    await run.store.apiKeys.insert({
      ...{ id, name: id, organizationId, hash, createdAtMs: 0, expiresAtMs, revokedAtMs },
    });
  }
  return run;
});

const json = { "Content-Type": "application/json" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };

/** Reports an event of a new session. */
async function report(run: RunningService, body: BodyInit, headers: Record<string, string>) {
  const path = `/api/v1/session/${await run.newSession()}/event/create/`;
  return run.request(path, { method: "POST", body, headers, duplex: "half" } as RequestInit);
}

describe("API keys", () => {
  const path = "/api/v1/settings/tts_type/";

  test.for(["ServicePlatform-APIKey", "XP-API-KEY", "xp-api-key"])(
    "the header %s is accepted",
    async (name, { run }) => {
      expect(await statusOf(run.request(path, { headers: { [name]: apiKey } }))).toBe(200);
    },
  );

  test.for([
    ["no key", undefined, 401, "A0010", "Send it in the header ServicePlatform-APIKey."],
    ["an empty key", "", 401, "A0010", "as it was shown"],
    ["a key with a space", "not a key at all", 401, "A0010", "as it was shown"],
    ["an unknown key", "vv_unknown_key_00000", 404, "A0009", "not found"],
    ["an expired key", "vv_expired_key", 401, "A0011", "deactivated"],
    ["a revoked key", "vv_revoked_key", 401, "A0011", "deactivated"],
  ] as const)("%s is refused", async ([, key, status, code, message], { run }) => {
    const headers: Record<string, string> = key === undefined ? {} : { "XP-API-KEY": key };
    const response = await run.request(path, { headers });
    expect(response.status).toBe(status);
    const told = authErrorBodySchema.parse(await response.json());
    expect(told).toMatchObject({ code, message: expect.stringContaining(message) as string });
  });

  test("the store keeps no key, only its hash", async ({ run }) => {
    expect(JSON.stringify(await run.store.apiKeys.list(run.organizationId))).not.toContain(apiKey);
  });

  test.for([
    ["the organization's own", apiKey, 201],
    ["none that could be one", "no key", 401],
    ["an empty one", "", 401],
    ["unknown", "vv_nobody_has_this_key", 404],
    ["revoked", "vv_revoked_key", 401],
    ["another organization's", "vv_other_key", 403],
  ] as const)("in a call of a session's operation: %s", async ([, key, status], { run }) => {
    const headers = { ...json, "ServicePlatform-APIKey": key };
    const response = await report(run, '{"event":"SESSION_LOG"}', headers);
    expect(response.status).toBe(status);
    if (status === 403) expect(await refusalOf(response)).toEqual([403, "- permission_denied"]);
  });

  test("of another organization give no access to a session", async ({ run }) => {
    const session = await run.newSession();
    // A percent-encoded path is the same path.
    for (const name of [session, `%${session.charCodeAt(0).toString(16)}${session.slice(1)}`])
      for (const end of ["", "ice-servers/", "event/"]) {
        const headers = { "XP-API-KEY": "vv_other_key" };
        const answer = run.request(`/api/v1/session/${name}/${end}`, { headers });
        expect(await statusOf(answer), end).toBe(403);
      }
  });
});

test.for<[what: string, body: BodyInit, headers: Record<string, string>, refusal: string]>([
  ["an unknown event", '{"event":"SESSION_X"}', json, "400 event invalid_choice"],
  ["no event", "{}", json, "400 event required"],
  ["a null event", '{"event":null}', json, "400 event null"],
  ["a detail with NUL", '{"event":"SESSION_LOG","detail":"a\\u0000"}', json, "400 detail invalid"],
  ["a text as file", '{"event":"SESSION_LOG","file":"hello"}', json, "400 file invalid"],
  ["broken JSON", '{"event":', json, "400 - parse_error"],
  ["a list", "[]", json, "400 - invalid"],
  ["JSON that is not UTF-8", Buffer.from('{"event":"\xff"}', "latin1"), json, "400 - parse_error"],
  ["a form that is not UTF-8", Buffer.from("event=\xff", "latin1"), form, "400 - parse_error"],
  ["a form whose escapes are not UTF-8", "event=SESSION_LOG&detail=caf%E9", form, "400 - parse_error"],
  ["XML", "<a/>", { "Content-Type": "text/xml" }, "415 - unsupported_media_type"],
  ["no JSON accepted", '{"event":"SESSION_LOG"}', { ...json, Accept: "image/png" }, "406 - not_acceptable"],
])("%s is refused: %4$s", async ([, body, headers, refusal], { run }) => {
  expect((await refusalOf(report(run, body, headers))).join(" ")).toBe(refusal);
});

test("a percent sign of a form that begins no escape stands for itself", async ({ run }) => {
  const answer = report(run, "event=SESSION_LOG&detail=100%+of+caf%C3%A9s%2", form);
  expect(await jsonOf(answer)).toMatchObject({ detail: "100% of cafés%2" });
});

test.for([
  [{ ...json, "Content-Encoding": "gzip" }, "without compression"],
  [{ "Content-Type": "application/json; charset=latin1" }, "UTF-8"],
  [{ "Content-Type": "text/plain" }, "application/json"],
] as const)("a body with %j is refused with what to send: %s", async ([headers, hint], { run }) => {
  const response = await report(run, "{}", headers);
  expect(response.status).toBe(415);
  expect((await errorsOf(response))[0]?.detail).toContain(hint);
});

test("a body may say that it is not compressed", async ({ run }) => {
  const answer = report(run, '{"event":"SESSION_LOG"}', { ...json, "Content-Encoding": "identity" });
  expect(await statusOf(answer)).toBe(201);
});

test.for([
  ["JSON above 256 KiB", "application/json", 600_000],
  ["an upload above 10 MB", "multipart/form-data; boundary=x", 12 * 1024 * 1024],
] as const)("%s is refused while it is read, for any length header", async ([, type, most], { run }) => {
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
  });
  expect((await refusalOf(report(run, endless, { "Content-Type": type })))[0]).toBe(400);
  expect(sent).toBeLessThan(most);
});

test("64 levels of nesting are accepted, and not more", async ({ run }) => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const session = (levels: number) =>
    run.request("/api/v1/session/", {
      method: "POST",
      body: `{"capability":["TTS"],"tts_type":"visavis-slt","extra_data":${nested(levels)}}`,
      headers: { ...json, "XP-API-KEY": apiKey },
    });
  // The body itself is the first level.
  expect(await statusOf(session(63))).toBe(201);
  for (const levels of [65, 50_000]) expect(await refusalOf(session(levels))).toEqual([400, "- parse_error"]);
});

test("HEAD is answered as GET, and other wrong methods and paths with what there is", async ({ run }) => {
  const path = `/api/v1/session/${await run.newSession()}`;
  const head = await run.request(`${path}/`, { method: "HEAD" });
  expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
    ...[200, "application/json", ""],
  ]);
  for (const method of ["POST", "PATCH", "OPTIONS"]) {
    const context = `/api/console/b2c/contexts/${run.demo.id}/`;
    const wrong = await run.request(context, { method, headers: { "XP-API-KEY": apiKey } });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, PUT, DELETE"]);
  }
  const [slash] = await errorsOf(run.request(path));
  expect(slash?.detail).toBe(`Not found. The path ends with a slash: ${path}/`);
  expect(await refusalOf(run.request("/api/v1/nothing/"))).toEqual([404, "- not_found"]);
  expect(await run.event("0".repeat(40), "SESSION_LOG")).toMatchObject({ errors: [{ code: "not_found" }] });
});

test("manipulated paths find nothing and cause no server error", async ({ run }) => {
  const ids = ["%00", "%E0%A4%A", "..%2f..", "%2e%2e", "a".repeat(5_000), "'%20or%201=1--", "%F0%9F%98%80"];
  for (const id of ids)
    for (const path of ["v1/session", "console/b2c/contexts", "v1/background_image"])
      expect([404, 405]).toContain(await statusOf(run.get(`/api/${path}/${id}/`)));
});

plainTest("an error of the server is a 500 without internal details", async () => {
  const run = await runService();
  const session = await run.newSession();
  await run.store.close();
  for (const response of [
    await run.request(`/api/v1/session/${session}/`),
    await run.send("POST", `/api/v1/session/${session}/event/create/`, { event: "SESSION_LOG" }),
  ]) {
    expect(response.status).toBe(500);
    const errors = [{ code: "error", detail: "An unexpected error occurred.", attr: null }];
    expect(await response.json()).toEqual({ type: "server_error", errors });
  }
  const line = run.lines.find(({ level }) => level === "error");
  expect(line).toMatchObject({ message: "request failed", route: "/api/v1/session/:session/" });
  expect(JSON.stringify(run.lines)).not.toContain(session);
});
