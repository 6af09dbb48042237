/** Bodies of the largest allowed size, made to keep the server busy: other requests wait meanwhile. */
import { describe, expect } from "vitest";
import { maxValues } from "../../../../src/service/http/body/json-shape.ts";
import { refusalOf, statusOf } from "../../answers.ts";
import { owner, origin, runConsole } from "../console/console-fixture.ts";
import { noRateLimits, type RunningService } from "../../service-fixture.ts";
import { testWith } from "../shared-service.ts";

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

const test = testWith((given) => runConsole({ rateLimits: noRateLimits }, given));

/**
 * The time that the process works on the request, in the best of some tries until it takes less than `enoughMs`: tests run beside each
 * other.
 */
async function workMs(run: RunningService, text: string, type: string, enoughMs: number): Promise<number> {
  const { cookie: Cookie } = await owner(run);
  const headers = { "Content-Type": type, Cookie, ...ofOwnPage };
  const body = new Uint8Array(Buffer.from(text));
  let best = Infinity;
  for (let tries = 0; tries < 12 && best >= enoughMs; tries += 1) {
    const before = process.cpuUsage();
    expect(await statusOf(run.request(path, { method: "POST", body, headers }))).toBeLessThan(500);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

const harmless = `{"title":"a","text":"${repeated("An oak table. ")}"}`;
let mostMs: number | undefined;

/**
 * Expects that a body takes 100 ms at most, on a slow machine four times of what a harmless one of the same size takes. The machine may
 * have become slower since that was measured, so that it is measured again before it counts.
 */
async function expectBounded(run: RunningService, text: string, type: string): Promise<void> {
  const measure = async () => Math.max(100, 4 * (await workMs(run, harmless, "application/json", 0)));
  const ms = await workMs(run, text, type, (mostMs ??= await measure()));
  if (ms >= mostMs) mostMs = await measure();
  expect(ms).toBeLessThan(mostMs);
}

describe("no other request waits while the server reads", () => {
  test.for(json)("JSON: %s", ([, text], { run }) => expectBounded(run, text, "application/json"));

  test.for(form)("a form: %s", ([, text], { run }) =>
    expectBounded(run, text, "application/x-www-form-urlencoded"),
  );
});

test("a body may have many values, and not any number of them", async ({ run }) => {
  const told = (count: number) => {
    const extra_data = { values: Array(count).fill(0) };
    return refusalOf(run.send("POST", "/api/v1/session/", { capability: ["TTS"], extra_data }));
  };
  for (const count of [1_000, 20_000]) expect(await told(count)).toEqual([400, "tts_type required"]);
  expect(await told(maxValues)).toEqual([400, "- parse_error"]);
});
