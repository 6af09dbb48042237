/** Bodies of the largest allowed size, made to keep the server busy: other requests wait meanwhile. */
import { describe, expect, test } from "vitest";
import { maxValues } from "../../../../src/service/http/body/json-shape.ts";
import { owner, origin, runConsole } from "../console/console-fixture.ts";
import { runService, type RunningService } from "../../service-fixture.ts";

const plenty = { reads: 1e9, writes: 1e9 };
/** The console's page sends this with changes. */
const ofOwnPage = { Origin: origin, "X-Requested-With": "fetch" };
const path = "/api/console/knowledge/";
/** The largest body in JSON or as a form. */
const mostBytes = 6_490_000;
const repeated = (unit: string, bytes = mostBytes): string =>
  unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));

const json: [string, string][] = [
  ["a list of numbers", `{"contexts":[${repeated("0,")}0]}`],
  ["a list of objects", `{"contexts":[${repeated("{},")}{}]}`],
  ["a list of texts", `{"contexts":[${repeated('"",')}""]}`],
  ["nested lists", `{"title":${repeated("[", mostBytes / 2)}${repeated("]", mostBytes / 2)}}`],
  ["nested objects", `{"title":${repeated('{"a":', mostBytes / 2)}`],
  ["nested lists that are never closed", `{"title":${repeated("[")}`],
  ["lists that are closed and never opened", `{"title":${repeated("]")}`],
  ["fields of one name", `{${repeated('"title":0,')}"a":0}`],
  ["fields that are a prototype", `{${repeated('"__proto__":{},')}"a":0}`],
  ["fields that nobody knows", `{${Array.from({ length: 400_000 }, (_, at) => `"k${at}":0`).join(",")}}`],
  ["one long field name", `{"${repeated("a")}":0}`],
  ["one long text", `{"title":"a","text":"${repeated("😀")}"}`],
  ["a text of escapes", `{"title":"${repeated("\\\\")}"}`],
  ["a text of escapes that is never closed", `{"title":"${repeated("\\\\")}\\"`],
  ["a text of escaped quotation marks", `{"title":"${repeated('\\"')}"}`],
  ["a text of escaped halves of characters", `{"title":"${repeated("\\ud83d\\ude00")}"}`],
  ["a long number", `{"title":${repeated("9")}}`],
  ["spaces", `{${repeated(" ")}}`],
];
const form: [string, string][] = [
  ["empty fields", repeated("&")],
  ["fields of one name", repeated("title=a&")],
  ["escapes", `title=${repeated("%20")}`],
  ["percent signs", `title=${repeated("%")}`],
  ["one field", `title=${repeated("a")}`],
];

async function send(
  run: RunningService,
  body: Uint8Array,
  headers: Record<string, string>,
): Promise<[ms: number, status: number]> {
  const before = process.cpuUsage();
  const { status } = await run.request(path, { method: "POST", body: new Uint8Array(body), headers });
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1_000, status];
}

/**
 * The time that the process works on the request, in the best of some tries until it takes less than `enoughMs`: tests run beside each
 * other.
 */
async function workMs(text: string, type: string, enoughMs: number): Promise<number> {
  const run = await runConsole({
    rateLimits: { key: plenty, session: plenty, address: plenty, loginsPerMinute: 5 },
  });
  const { cookie } = await owner(run);
  const body = Buffer.from(text);
  let best = Infinity;
  for (let tries = 0; tries < 12 && best >= enoughMs; tries += 1) {
    const [ms, status] = await send(run, body, { "Content-Type": type, Cookie: cookie, ...ofOwnPage });
    expect(status).toBeLessThan(500);
    best = Math.min(best, ms);
  }
  return best;
}

const harmless = `{"title":"a","text":"${repeated("An oak table. ")}"}`;
let mostMs: number | undefined;

/**
 * Expects that a body takes 100 ms at most, on a slow machine four times of what a harmless one of the same size takes. The machine may
 * have become slower since that was measured, so that it is measured again before it counts.
 */
async function expectBounded(text: string, type: string): Promise<void> {
  const measure = async (): Promise<number> =>
    Math.max(100, 4 * (await workMs(harmless, "application/json", 0)));
  const ms = await workMs(text, type, (mostMs ??= await measure()));
  if (ms >= mostMs) mostMs = await measure();
  expect(ms).toBeLessThan(mostMs);
}

describe("no other request waits while the server reads", () => {
  test.each(json)("JSON: %s", (_, text) => expectBounded(text, "application/json"));

  test.each(form)("a form: %s", (_, text) => expectBounded(text, "application/x-www-form-urlencoded"));
});

test("a body may have many values, and not any number of them", async () => {
  const run = await runService();
  const told = async (count: number): Promise<string> => {
    const extra_data = { values: Array(count).fill(0) };
    return (await run.send("POST", "/api/v1/session/", { capability: ["TTS"], extra_data })).text();
  };
  expect(await told(1_000)).not.toContain("values");
  const tooMany = { type: "client_error", errors: [{ code: "parse_error", attr: null }] };
  expect(JSON.parse(await told(20_000))).not.toMatchObject(tooMany);
  expect(JSON.parse(await told(maxValues)) as unknown).toMatchObject(tooMany);
});
