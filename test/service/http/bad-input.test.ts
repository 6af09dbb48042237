import fc from "fast-check";
import { expect, test } from "vitest";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { sessionCreatedSchema } from "../../../src/protocol/session/session.ts";
import { sessionEventKinds, sessionEventSchema } from "../../../src/protocol/session/session-event.ts";
import { apiKey, runService } from "../service-fixture.ts";

const runs = 250;

const oddText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    " ",
    "\0",
    "\ud800",
    "__proto__",
    "constructor",
    "../..",
    "mina",
    "visavis-slt",
    "1e999",
  ),
);
const oddValue = fc.oneof(
  oddText,
  fc.jsonValue(),
  fc.constantFrom(null, true, -0, 1e308, -1, 0.5, 6, 2 ** 53, [], {}),
  fc.array(oddText, { maxLength: 4 }),
);

const createFields = [
  "capability",
  "prompt",
  "document",
  "llm_type",
  "tts_type",
  "stt_type",
  "model_style",
  "agent",
  "interactive_agent_config",
  "padding_left",
  "padding_height",
  "text_normalization_locale",
  "extra_data",
  "mcp_servers",
  "__proto__",
  "unknown",
];

const contentTypes = fc.constantFrom(
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=b",
  "multipart/form-data",
  "text/plain",
  "application/json; charset=latin1",
  ";;;",
);

/** Bodies that are almost valid, wrong, or missing. */
function bodies(fields: readonly string[], valid: Record<string, unknown>) {
  const object = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...fields), oddValue), { selector: ([name]) => name, maxLength: 6 })
    .map(
      (entries) =>
        `{${[...Object.entries(valid), ...entries].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`,
    );
  const text = fc.oneof(
    { weight: 4, arbitrary: object },
    fc.json(),
    object.map((body) => body.slice(0, -2)),
    fc.string(),
    fc
      .string()
      .map((value) => `--b\r\nContent-Disposition: form-data; name="event"\r\n\r\n${value}\r\n--b--\r\n`),
    fc.string().map((value) => `event=${value}&capability=LLM&capability=%zz`),
  );
  return fc.oneof(
    { weight: 5, arbitrary: text },
    fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
  );
}

const requests = (fields: readonly string[], valid: Record<string, unknown>) =>
  fc.tuple(
    bodies(fields, valid),
    fc.oneof({ weight: 4, arbitrary: fc.constant("application/json") }, contentTypes),
  );

test("any input to session create gives a session, or an error that names what is wrong", async () => {
  const run = await runService();
  const valid = { capability: ["TTS"], tts_type: "visavis-slt" };
  await fc.assert(
    fc.asyncProperty(requests(createFields, valid), async ([body, type]) => {
      const response = await run.request("/api/v1/session/", {
        method: "POST",
        body,
        headers: { "Content-Type": type, "XP-API-KEY": apiKey },
      });
      expect([201, 400, 415]).toContain(response.status);
      const answer = (await response.json()) as unknown;
      if (response.status !== 201) errorBodySchema.parse(answer);
      else {
        const { session_id } = sessionCreatedSchema.parse(answer);
        expect((await run.request(`/api/v1/session/${session_id}/`)).status).toBe(200);
      }
    }),
    { numRuns: runs },
  );
  expect(run.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("any input to event create gives an event, or an error that names what is wrong", async () => {
  const run = await runService();
  const session = await run.newSession();
  const ids = fc.oneof({ weight: 4, arbitrary: fc.constant(session) }, oddText);
  const valid = { event: sessionEventKinds[4] };
  await fc.assert(
    fc.asyncProperty(ids, requests(["event", "detail", "file", "x"], valid), async (id, [body, type]) => {
      const response = await run.request(
        `/api/v1/session/${encodeURIComponent(Buffer.from(id).toString())}/event/create/`,
        { method: "POST", body, headers: { "Content-Type": type } },
      );
      expect([201, 400, 404, 405, 415]).toContain(response.status);
      const answer = (await response.json()) as unknown;
      if (response.status === 201) sessionEventSchema.parse(answer);
      else errorBodySchema.parse(answer);
    }),
    { numRuns: runs },
  );
  expect(run.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("manipulated paths find nothing and cause no server error", async () => {
  const run = await runService();
  for (const id of [
    "%00",
    "%E0%A4%A",
    "..%2f..",
    "%2e%2e",
    "a".repeat(5_000),
    "'%20or%201=1--",
    "%F0%9F%98%80",
  ])
    for (const path of [
      `/api/v1/session/${id}/`,
      `/api/console/b2c/contexts/${id}/`,
      `/api/v1/background_image/${id}/`,
    ]) {
      const response = await run.get(path);
      expect([404, 405]).toContain(response.status);
      errorBodySchema.parse(await response.json());
    }
});
