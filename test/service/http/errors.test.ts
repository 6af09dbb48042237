import { describe, expect, test } from "vitest";
import { authErrorBodySchema, errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { hashApiKey } from "../../../src/service/api-key.ts";
import { apiKey, runService } from "../service-fixture.ts";
import { sharedService } from "./shared-service.ts";

const shared = sharedService();

async function firstError(response: Response) {
  return errorBodySchema.parse(await response.json()).errors[0]!;
}

describe("API keys", () => {
  const path = "/api/v1/settings/tts_type/";

  test.each(["ServicePlatform-APIKey", "XP-API-KEY", "xp-api-key"])(
    "the header %s is accepted",
    async (name) => {
      const run = await shared();
      expect((await run.request(path, { headers: { [name]: apiKey } })).status).toBe(200);
    },
  );

  test.each([
    ["no key", {}, 401, "A0010", "Send it in the header ServicePlatform-APIKey."],
    ["an empty key", { "XP-API-KEY": "" }, 401, "A0010", "as it was shown"],
    ["a key with a space", { "XP-API-KEY": "not a key at all" }, 401, "A0010", "as it was shown"],
    ["an unknown key", { "XP-API-KEY": "vv_unknown_key_00000" }, 404, "A0009", "not found"],
  ])("%s is refused", async (_, headers, status, code, message) => {
    const run = await shared();
    const response = await run.request(path, { headers: headers as Record<string, string> });
    expect(response.status).toBe(status);
    expect(authErrorBodySchema.parse(await response.json())).toMatchObject({
      code,
      message: expect.stringContaining(message) as string,
    });
  });

  test("an expired and a revoked key are refused as deactivated", async () => {
    const run = await shared();
    const insert = (name: string, expiresAtMs: number | null, revokedAtMs: number | null) =>
      run.store.apiKeys.insert({
        id: name,
        organizationId: run.organizationId,
        name,
        hash: hashApiKey(`vv_${name}_key`),
        createdAtMs: 0,
        expiresAtMs,
        revokedAtMs,
      });
    await insert("expired", Date.UTC(2026, 0, 1), null);
    await insert("revoked", null, 1);
    for (const name of ["expired", "revoked"]) {
      const response = await run.request(path, { headers: { "XP-API-KEY": `vv_${name}_key` } });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ code: "A0011", status: "UNAUTHORIZED" });
    }
  });

  test("the store keeps no key, only its hash", async () => {
    const run = await shared();
    expect(JSON.stringify(await run.store.apiKeys.list(run.organizationId))).not.toContain(apiKey);
  });

  test("session-scoped operations need no key", async () => {
    const run = await shared();
    const session = await run.newSession();
    expect((await run.request(`/api/v1/session/${session}/`)).status).toBe(200);
    expect((await run.request(`/api/v1/session/${session}/ice-servers/`)).status).toBe(200);
  });
});

describe("error statuses of event create", () => {
  const json = { "Content-Type": "application/json" };

  test.each([
    ["an unknown event", { body: '{"event":"SESSION_X"}', headers: json }, 400, "invalid_choice", "event"],
    ["no event", { body: "{}", headers: json }, 400, "required", "event"],
    ["a null event", { body: '{"event":null}', headers: json }, 400, "null", "event"],
    ["broken JSON", { body: '{"event":', headers: json }, 400, "parse_error", null],
    ["a list", { body: "[]", headers: json }, 400, "invalid", null],
    ["XML", { body: "<a/>", headers: { "Content-Type": "text/xml" } }, 415, "unsupported_media_type", null],
    [
      "another charset",
      { body: "{}", headers: { "Content-Type": "application/json; charset=utf-16" } },
      415,
      "unsupported_media_type",
      null,
    ],
    [
      "an Accept without JSON",
      { body: '{"event":"SESSION_LOG"}', headers: { ...json, Accept: "image/png" } },
      406,
      "not_acceptable",
      null,
    ],
    [
      "an Accept that takes all but JSON",
      { body: '{"event":"SESSION_LOG"}', headers: { ...json, Accept: "*/*, application/json;q=0" } },
      406,
      "not_acceptable",
      null,
    ],
    [
      "a form whose escapes are not UTF-8",
      {
        body: "event=SESSION_LOG&detail=caf%E9",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
      },
      400,
      "parse_error",
      null,
    ],
    [
      "a detail with NUL",
      { body: '{"event":"SESSION_LOG","detail":"a\\u0000"}', headers: json },
      400,
      "invalid",
      "detail",
    ],
  ])("%s", async (_, init, status, code, attr) => {
    const run = await shared();
    const session = await run.newSession();
    const response = await run.request(`/api/v1/session/${session}/event/create/`, {
      method: "POST",
      body: init.body,
      headers: init.headers as Record<string, string>,
    });
    expect(response.status).toBe(status);
    expect(await firstError(response)).toMatchObject({ code, attr });
  });

  test.each(["application/*", "text/html, application/json;q=0.1", "*/*;q=0, application/json", "", "*/*"])(
    "an Accept of “%s” takes JSON",
    async (accept) => {
      const run = await shared();
      const path = `/api/v1/session/${await run.newSession()}/`;
      expect((await run.request(path, { headers: { Accept: accept } })).status).toBe(200);
    },
  );

  test("a percent sign of a form that begins no escape stands for itself", async () => {
    const run = await shared();
    const response = await run.request(`/api/v1/session/${await run.newSession()}/event/create/`, {
      method: "POST",
      body: "event=SESSION_LOG&detail=100%+of+caf%C3%A9s%2",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(await response.json()).toMatchObject({ detail: "100% of cafés%2" });
  });

  test("HEAD is answered as GET without a body, and every other wrong method with the allowed ones", async () => {
    const run = await shared();
    const path = `/api/v1/session/${await run.newSession()}/`;
    const head = await run.request(path, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
      200,
      "application/json",
      "",
    ]);
    expect((await run.request(path, { method: "DELETE" })).headers.get("allow")).toBe("GET");
    const keyed = { headers: { "XP-API-KEY": apiKey } };
    const context = `/api/console/b2c/contexts/${run.demo.id}/`;
    for (const method of ["POST", "PATCH", "OPTIONS"]) {
      const wrong = await run.request(context, { method, ...keyed });
      expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, PUT, DELETE"]);
    }
  });

  test("paths end with a slash, except for the voices", async () => {
    const run = await shared();
    const session = await run.newSession();
    const path = `/api/v1/session/${session}`;
    const wrong: [path: string, response: Response][] = [
      [path, await run.request(path)],
      ["/api/v1/session", await run.send("POST", "/api/v1/session", {})],
      ["/api/v1/prompt", await run.get("/api/v1/prompt")],
    ];
    for (const [asked, response] of wrong) {
      expect(response.status).toBe(404);
      expect((await firstError(response)).detail).toBe(`Not found. The path ends with a slash: ${asked}/`);
    }
    const { detail } = await firstError(await run.get("/api/speech/v2/voices/"));
    expect(detail).toBe("Not found. The path has no slash at its end: /api/speech/v2/voices");
    expect((await firstError(await run.get("/api/v1/promp"))).detail).toBe("Not found.");
  });

  test("an unknown session, a wrong method and a wrong path", async () => {
    const run = await shared();
    const unknown = await run.event("0".repeat(40), "SESSION_LOG");
    expect(unknown).toMatchObject({ type: "client_error", errors: [{ code: "not_found" }] });
    const session = await run.newSession();
    const wrongMethod = await run.request(`/api/v1/session/${session}/event/create/`, { method: "PUT" });
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.headers.get("allow")).toBe("POST");
    expect(await firstError(wrongMethod)).toMatchObject({ code: "method_not_allowed" });
    const wrongPath = await run.request("/api/v1/nothing/");
    expect(wrongPath.status).toBe(404);
    expect(await firstError(wrongPath)).toMatchObject({ code: "not_found" });
  });

  test("an error of the server is a 500 without internal details", async () => {
    const run = await runService();
    const session = await run.newSession();
    await run.store.close();
    const response = await run.request(`/api/v1/session/${session}/`);
    expect(response.status).toBe(500);
    const body = await response.text();
    expect(body).toBe(
      '{"type":"server_error","errors":[{"code":"error","detail":"An unexpected error occurred.","attr":null}]}',
    );
    const line = run.lines.find(({ level }) => level === "error");
    expect(line).toMatchObject({ message: "request failed", route: "/api/v1/session/:session/" });
    expect(JSON.stringify(run.lines)).not.toContain(session);
  });
});

test("operations that an ended session no longer allows say so; the session stays readable", async () => {
  const run = await shared();
  const session = await run.newSession({ stt_type: undefined });
  await run.event(session, "SESSION_END");
  const path = `/api/v1/session/${session}`;
  const audio = new FormData();
  audio.append("audio", new Blob(["RIFF"]), "a.wav");
  const answers = await Promise.all([
    run.request(`${path}/ice-servers/`),
    run.send("POST", `${path}/exchange/`, { client_sdp: { type: "offer", sdp: "v=0" } }),
    run.send("POST", `${path}/llm/v2/`, { messages: [{ role: "user", content: "Hi" }] }),
    run.send("POST", `${path}/tts/`, { text: "Hi" }),
    run.request(`${path}/stt/`, { method: "POST", body: audio }),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(400);
    expect(errorBodySchema.parse(await answer.json())).toMatchObject({
      type: "client_error",
      errors: [{ code: "invalid", detail: expect.stringContaining("GRACEFUL_TERMINATION") as string }],
    });
  }
  expect(await run.status(session)).toMatchObject({ status: "TERMINATED" });
});

describe("bodies", () => {
  test("a compressed body is refused, and every refusal of a body says what to send", async () => {
    const run = await shared();
    const send = async (headers: Record<string, string>) => {
      const init = { method: "POST", body: "{}", headers: { "XP-API-KEY": apiKey, ...headers } };
      const response = await run.request("/api/v1/session/", init);
      expect(response.status).toBe(415);
      return (await firstError(response)).detail;
    };
    const json = { "Content-Type": "application/json" };
    expect(await send({ ...json, "Content-Encoding": "gzip" })).toContain("without compression");
    expect(await send({ "Content-Type": "application/json; charset=latin1" })).toContain("UTF-8");
    expect(await send({ "Content-Type": "text/plain" })).toContain("application/json");
    const plain = {
      method: "POST",
      body: "{}",
      headers: { ...json, "XP-API-KEY": apiKey, "Content-Encoding": "identity" },
    };
    expect((await run.request("/api/v1/session/", plain)).status).toBe(400);
  });

  test("JSON above 256 KiB is refused while it is read, for any length header", async () => {
    const run = await shared();
    const session = await run.newSession();
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(0x20));
      },
    });
    const response = await run.request(`/api/v1/session/${session}/event/create/`, {
      method: "POST",
      body: endless,
      headers: { "Content-Type": "application/json" },
      duplex: "half",
    } as RequestInit);
    expect(response.status).toBe(400);
    expect(await firstError(response)).toMatchObject({ code: "max_length" });
    expect(sent).toBeLessThan(600_000);
  });

  test("very deep nesting is refused", async () => {
    const run = await shared();
    const deep = `{"extra_data":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    const response = await run.request("/api/v1/session/", {
      method: "POST",
      body: deep,
      headers: { "Content-Type": "application/json", "XP-API-KEY": apiKey },
    });
    expect(response.status).toBe(400);
    expect(await firstError(response)).toMatchObject({ code: "parse_error" });
  });

  test("64 levels of nesting are accepted, and not more", async () => {
    const run = await shared();
    const session = (levels: number) =>
      run.request("/api/v1/session/", {
        method: "POST",
        body: `{"capability":["TTS"],"tts_type":"visavis-slt","extra_data":${"[".repeat(levels)}${"]".repeat(levels)}}`,
        headers: { "Content-Type": "application/json", "XP-API-KEY": apiKey },
      });
    // The body itself is the first level.
    expect((await session(63)).status).toBe(201);
    expect(await firstError(await session(65))).toMatchObject({ code: "parse_error" });
  });

  test.each(["application/json", "application/x-www-form-urlencoded"])(
    "%s that is not UTF-8 is refused",
    async (type) => {
      const run = await shared();
      const session = await run.newSession();
      const text = type.endsWith("json")
        ? '{"event":"SESSION_LOG","detail":"?"}'
        : "event=SESSION_LOG&detail=?";
      const body = new Uint8Array(Buffer.from(text));
      body[body.indexOf(0x3f)] = 0xff;
      const response = await run.request(`/api/v1/session/${session}/event/create/`, {
        method: "POST",
        body,
        headers: { "Content-Type": type },
      });
      expect(response.status).toBe(400);
      expect(await firstError(response)).toMatchObject({ code: "parse_error", attr: null });
    },
  );

  test("an offer above 64 KiB is refused", async () => {
    const run = await shared();
    const session = await run.newSession();
    const response = await run.send("POST", `/api/v1/session/${session}/exchange/`, {
      client_sdp: { type: "offer", sdp: "x".repeat(65_537) },
    });
    expect(await firstError(response)).toMatchObject({ code: "max_length", attr: "client_sdp.sdp" });
  });
});

describe("CORS", () => {
  const preflight = {
    method: "OPTIONS",
    headers: { Origin: "https://shop.example", "Access-Control-Request-Method": "POST" },
  };

  test("session-scoped operations answer every origin without credentials, errors too", async () => {
    const run = await shared();
    const response = await run.request(`/api/v1/session/${"0".repeat(40)}/`, {
      headers: { Origin: "https://shop.example" },
    });
    expect(response.status).toBe(404);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.has("access-control-allow-credentials")).toBe(false);
    const asked = await run.request(`/api/v1/session/${"0".repeat(40)}/exchange/`, preflight);
    expect(asked.status).toBe(204);
  });

  test("operations with a key do not, and a setting blocks all origins", async () => {
    const run = await shared();
    const keyed = await run.request("/api/v1/session/", preflight);
    expect(keyed.headers.has("access-control-allow-origin")).toBe(false);
    const closed = await runService({
      settings: {
        publicUrl: "https://relay.example",
        publicFolder: "/srv/public",
        ice: { servers: [] },
        connectWithinSec: 60,
        lostAfterSec: 30,
        sweepIntervalMs: 1000,
        sessionAccess: "key",
        sharesSessions: false,
        sessionsOnStop: "resume",
      },
    });
    const response = await closed.request(`/api/v1/session/${"0".repeat(40)}/`, {
      headers: { Origin: "https://shop.example" },
    });
    expect(response.headers.has("access-control-allow-origin")).toBe(false);
  });
});
