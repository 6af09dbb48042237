import { expect } from "vitest";
import type { VoicesPage } from "../../../src/protocol/speech/voice.ts";
import { jsonOf, refusalOf, statusOf } from "../answers.ts";
import { apiKey, type RunningService, runService } from "../service-fixture.ts";
import { testWith } from "./shared-service.ts";

const path = "/api/speech/v2/voices";

const addVoice = ({ put, organizationId }: RunningService, id: string, name: string, created_at: string) =>
  put("voice", id, { voice_id: id, name, created_at, description: "" }, null, {
    ...{ name, organizationId, createdAtMs: Date.parse(created_at) },
  });

/** A service without its built-in voices and with seven of the test: from v1, the oldest, named G, to v7, named A. */
const test = testWith(async (given) => {
  const run = await runService(given);
  for (const { id } of await run.store.catalogue.rows("voice", run.organizationId))
    await run.store.catalogue.remove("voice", null, id);
  for (let index = 1; index <= 7; index += 1)
    await addVoice(run, `v${index}`, `Voice ${"GFEDCBA"[index - 1]!}`, `2026-01-0${index}T00:00:00.000Z`);
  return run;
});
const builtIn = testWith(runService);

async function page(run: RunningService, query = ""): Promise<VoicesPage> {
  const answer = await jsonOf<VoicesPage[]>(run.get(`${path}${query}`));
  expect(answer).toHaveLength(1);
  return answer[0]!;
}

const ids = ({ voices }: VoicesPage) => voices.map(({ voice_id }) => voice_id);

builtIn("the voices of the first start are listed as one page in an array", async ({ run }) => {
  const first = await page(run);
  expect(ids(first).toSorted()).toEqual(
    ["awb", "kal", "kal16", "rms", "slt"].map((name) => `visavis-${name}`),
  );
  expect(first).toMatchObject({ has_more: false, next_page_token: null, total_count: 5 });
});

builtIn("xi-api-key gets the page object itself, and is accepted nowhere else", async ({ run }) => {
  const headers = { "xi-api-key": apiKey };
  expect((await jsonOf<VoicesPage>(run.request(path, { headers }))).voices).toHaveLength(5);
  expect(await statusOf(run.request("/api/v1/settings/tts_type/", { headers }))).toBe(401);
  expect(await statusOf(run.request(path))).toBe(401);
  expect(await statusOf(run.get(`${path}/`))).toBe(404);
});

test("pages follow each other without gaps, also when voices are added meanwhile", async ({ own: run }) => {
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

builtIn("a page has thirty voices by default, and a hundred at most", async ({ own: run }) => {
  const day = "2026-04-01T00:00:00.000Z";
  for (let index = 0; index < 110; index += 1) await addVoice(run, `extra-${index}`, `Extra ${index}`, day);
  for (const [query, count] of [
    ["", 30] as const,
    ["?page_size=100", 100] as const,
    ["?page_size=1", 1] as const,
  ])
    expect((await page(run, query)).voices).toHaveLength(count);
  expect((await page(run, "?page_size=100")).total_count).toBe(115);
});

test("voices that were created at the same time are each listed once", async ({ own: run }) => {
  for (const id of ["a", "b", "c"]) await addVoice(run, id, "Same", "2026-03-01T00:00:00.000Z");
  const seen: string[] = [];
  for (let token: string | null = ""; token !== null;) {
    const one: VoicesPage = await page(run, `?page_size=1${token && `&next_page_token=${token}`}`);
    seen.push(...ids(one));
    token = one.next_page_token;
  }
  expect(seen).toEqual(["c", "b", "a", "v7", "v6", "v5", "v4", "v3", "v2", "v1"]);
});

test.for<[query: string, ids: string]>([
  ["?sort=created_at&sort_direction=asc", "v1 v2 v3 v4 v5 v6 v7"],
  ["?sort=name&sort_direction=asc", "v7 v6 v5 v4 v3 v2 v1"],
  ["?sort=name", "v1 v2 v3 v4 v5 v6 v7"],
  ["?search=voice%20b", "v6"],
  ["?voice_ids=v2,v5,none", "v5 v2"],
  ["?voice_ids=v2&voice_ids=v5", "v5 v2"],
  ["?voice_ids[]=v2&voice_ids[]=v5", "v5 v2"],
  ["?voice_ids=none", ""],
  ["?voice_ids=", "v7 v6 v5 v4 v3 v2 v1"],
])("%s lists %s", async ([query, expected], { run }) => {
  expect(ids(await page(run, query)).join(" ")).toBe(expected);
});

test.for([
  ["?search=voice&page_size=2", 7],
  ["?voice_ids=v1&page_size=1", 1],
  ...["false", "False", "0", "no", "1"].map((no) => [`?include_total_count=${no}`, 7] as const),
] as const)("the total of %s counts the filtered voices: %i", async ([query, count], { run }) => {
  expect((await page(run, query)).total_count).toBe(count);
});

test.for([
  ["page_size=0", "page_size min_value"],
  ["page_size=101", "page_size max_value"],
  ["page_size=many", "page_size invalid"],
  ["page_size=1.5", "page_size invalid"],
  ["sort=age", "sort invalid_choice"],
  ["sort_direction=up", "sort_direction invalid_choice"],
  ["include_total_count=perhaps", "include_total_count invalid"],
  ["next_page_token=abc", "next_page_token invalid"],
  [
    `next_page_token=${Buffer.from('["name","asc","a","b"]').toString("base64url")}`,
    "next_page_token invalid",
  ],
  ["search=%00", "search invalid"],
  [`search=${"x".repeat(201)}`, "search max_length"],
] as const)("%s is refused: %s", async ([query, fault], { run }) => {
  expect(await refusalOf(run.get(`${path}?${query}`))).toEqual([400, fault]);
});
