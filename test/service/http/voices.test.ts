import { describe, expect, test } from "vitest";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { type VoicesPage, voicesPageSchema } from "../../../src/protocol/speech/voice.ts";
import { apiKey, type RunningService, runService } from "../service-fixture.ts";

const path = "/api/speech/v2/voices";

async function addVoice(run: RunningService, id: string, name: string, createdAt: string): Promise<void> {
  await run.store.catalogue.put({
    kind: "voice",
    id,
    name,
    organizationId: run.organizationId,
    createdAtMs: Date.parse(createdAt),
    body: { voice_id: id, name, created_at: createdAt, description: "" },
  });
}

/** A service without its built-in voices and with seven voices for the test: from v1, the oldest, named G, to v7, named A. */
async function runWithVoices(): Promise<RunningService> {
  const run = await runService();
  for (const { id } of await run.store.catalogue.rows("voice", run.organizationId))
    await run.store.catalogue.remove("voice", null, id);
  for (let index = 1; index <= 7; index += 1)
    await addVoice(run, `v${index}`, `Voice ${"GFEDCBA"[index - 1]!}`, `2026-01-0${index}T00:00:00.000Z`);
  return run;
}

async function page(run: RunningService, query = ""): Promise<VoicesPage> {
  const answer = (await (await run.get(`${path}${query}`)).json()) as unknown[];
  expect(answer).toHaveLength(1);
  return voicesPageSchema.parse(answer[0]);
}

const ids = ({ voices }: VoicesPage) => voices.map(({ voice_id }) => voice_id);

test("the voices of the first start are listed newest first, as one page in an array", async () => {
  const run = await runService();
  const first = await page(run);
  expect(ids(first).toSorted()).toEqual(
    ["awb", "kal", "kal16", "rms", "slt"].map((name) => `visavis-${name}`),
  );
  expect(first).toMatchObject({ has_more: false, next_page_token: null, total_count: 5 });
});

test("xi-api-key gets the page object itself, and is accepted nowhere else", async () => {
  const run = await runService();
  const headers = { "xi-api-key": apiKey };
  const answer = await (await run.request(path, { headers })).json();
  expect(voicesPageSchema.parse(answer).voices).toHaveLength(5);
  expect((await run.request("/api/v1/settings/tts_type/", { headers })).status).toBe(401);
  expect((await run.request(path)).status).toBe(401);
  expect((await run.get(`${path}/`)).status).toBe(404);
});

test("pages follow each other without gaps, also when voices are added meanwhile", async () => {
  const run = await runWithVoices();
  const first = await page(run, "?page_size=3");
  expect(ids(first)).toEqual(["v7", "v6", "v5"]);
  expect(first).toMatchObject({ has_more: true, total_count: 7 });
  await addVoice(run, "v8", "Voice new", "2026-02-01T00:00:00.000Z");
  await run.store.catalogue.remove("voice", run.organizationId, "v5");
  const second = await page(run, `?page_size=3&next_page_token=${first.next_page_token}`);
  expect(ids(second)).toEqual(["v4", "v3", "v2"]);
  const third = await page(run, `?page_size=3&next_page_token=${second.next_page_token}`);
  expect(ids(third)).toEqual(["v1"]);
  expect(third).toMatchObject({ has_more: false, next_page_token: null });
});

test("a page has thirty voices by default, and a hundred at most", async () => {
  const run = await runService();
  const day = "2026-04-01T00:00:00.000Z";
  for (let index = 0; index < 110; index += 1) await addVoice(run, `extra-${index}`, `Extra ${index}`, day);
  expect((await page(run)).voices).toHaveLength(30);
  expect((await page(run, "?page_size=100")).voices).toHaveLength(100);
  expect((await page(run, "?page_size=1")).voices).toHaveLength(1);
  expect((await page(run, "?page_size=100")).total_count).toBe(115);
});

test("voices that were created at the same time are each listed once", async () => {
  const run = await runWithVoices();
  for (const id of ["a", "b", "c"]) await addVoice(run, id, "Same", "2026-03-01T00:00:00.000Z");
  const seen: string[] = [];
  for (let token: string | null = ""; token !== null;) {
    const one: VoicesPage = await page(run, `?page_size=1${token && `&next_page_token=${token}`}`);
    seen.push(...ids(one));
    token = one.next_page_token;
  }
  expect(seen).toEqual(["c", "b", "a", "v7", "v6", "v5", "v4", "v3", "v2", "v1"]);
});

test.each([
  ["?sort=created_at&sort_direction=asc", ["v1", "v2", "v3", "v4", "v5", "v6", "v7"]],
  ["?sort=name&sort_direction=asc", ["v7", "v6", "v5", "v4", "v3", "v2", "v1"]],
  ["?sort=name", ["v1", "v2", "v3", "v4", "v5", "v6", "v7"]],
  ["?search=voice%20b", ["v6"]],
  ["?voice_ids=v2,v5,none", ["v5", "v2"]],
  ["?voice_ids=v2&voice_ids=v5", ["v5", "v2"]],
  ["?voice_ids[]=v2&voice_ids[]=v5", ["v5", "v2"]],
  ["?voice_ids=none", []],
  ["?voice_ids=", ["v7", "v6", "v5", "v4", "v3", "v2", "v1"]],
])("%s", async (query, expected) => {
  expect(ids(await page(await runWithVoices(), query))).toEqual(expected);
});

test("the total counts the filtered voices, and is sent also to those who want none", async () => {
  const run = await runWithVoices();
  expect((await page(run, "?search=voice&page_size=2")).total_count).toBe(7);
  expect((await page(run, "?voice_ids=v1&page_size=1")).total_count).toBe(1);
  for (const no of ["false", "False", "0", "no"])
    expect((await page(run, `?include_total_count=${no}`)).total_count).toBe(7);
  expect(await page(run, "?include_total_count=1")).toHaveProperty("total_count");
});

describe("a wrong parameter is named in the error", () => {
  test.each([
    ["page_size=0", "page_size", "min_value"],
    ["page_size=101", "page_size", "max_value"],
    ["page_size=many", "page_size", "invalid"],
    ["page_size=1.5", "page_size", "invalid"],
    ["sort=age", "sort", "invalid_choice"],
    ["sort_direction=up", "sort_direction", "invalid_choice"],
    ["include_total_count=perhaps", "include_total_count", "invalid"],
    ["next_page_token=abc", "next_page_token", "invalid"],
    [
      `next_page_token=${Buffer.from('["name","asc","a","b"]').toString("base64url")}`,
      "next_page_token",
      "invalid",
    ],
    ["search=%00", "search", "invalid"],
    [`search=${"x".repeat(201)}`, "search", "max_length"],
  ])("%s", async (query, attr, code) => {
    const run = await runService();
    const response = await run.get(`${path}?${query}`);
    expect(response.status).toBe(400);
    expect(errorBodySchema.parse(await response.json()).errors[0]).toMatchObject({ attr, code });
  });
});

test("a voice whose engine is not available is not listed", async () => {
  const run = await runService({ synthesizer: ({ body }) => (body.voice === "slt" ? ({} as never) : null) });
  expect(ids(await page(run))).toEqual(["visavis-slt"]);
});
