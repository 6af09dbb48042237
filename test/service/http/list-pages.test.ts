import { describe, expect, test } from "vitest";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { addOtherOrganization, type RunningService, runService } from "../service-fixture.ts";

/** The address of the next page that a client follows, or null on the last page. */
function nextPage(path: string, response: Response): string | null {
  const [, reference] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "") ?? [];
  if (reference === undefined) return null;
  const { pathname, search } = new URL(reference, `https://relay.example${path}`);
  return pathname + search;
}

async function readPages(run: RunningService, path: string): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  for (let next: string | null = path; next !== null;) {
    const response = await run.get(next);
    expect(response.status).toBe(200);
    pages.push((await response.json()) as unknown[]);
    next = nextPage(next, response);
  }
  return pages;
}

const lists = [
  "/api/console/b2c/contexts/",
  "/api/v1/settings/modelstyle/",
  "/api/v1/settings/tts_type/",
  "/api/v1/settings/llm_type/",
  "/api/v1/settings/stt_type/",
  "/api/v1/settings/mcp_type/",
  "/api/v1/settings/text_normalization_config/",
  "/api/v1/prompt/",
  "/api/v1/document/",
  "/api/v1/background_image/",
  "/api/v1/session_template/",
];

describe("a list that is read page by page", () => {
  test.each(lists)("has the entries of the whole list in the same order: %s", async (path) => {
    const run = await runService();
    const response = await run.get(path);
    expect(response.headers.get("link")).toBeNull();
    const whole: unknown = await response.json();
    for (const limit of [1, 2, 1_000]) {
      const pages = await readPages(run, `${path}?limit=${limit}`);
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
      expect(pages.flat()).toEqual(whole);
    }
  });

  test("keeps the query's other parameters, and is not shifted by entries that are added meanwhile", async () => {
    const run = await runService();
    const path = "/api/v1/settings/modelstyle/?platform_type=webrtc&limit=2";
    const first = await run.get(path);
    const next = nextPage(path, first);
    expect(next).toContain("platform_type=webrtc");
    await run.store.catalogue.put({
      kind: "model_style",
      id: "added",
      name: "added",
      organizationId: run.organizationId,
      createdAtMs: 0,
      body: { ...(await run.store.catalogue.list("model_style", null))[0]!, name: "added" },
    });
    const rest = (await readPages(run, next!)).flat();
    const names = [...((await first.json()) as unknown[]), ...rest].map(
      (style) => (style as { name: string }).name,
    );
    expect(new Set(names).size).toBe(names.length);
    expect(names.at(-1)).toBe("added");
  });

  test("of a session's events continues where the page before ended", async () => {
    const run = await runService();
    const session = await run.newSession();
    for (let index = 0; index < 3; index++) await run.event(session, "SESSION_LOG");
    const pages = await readPages(run, `/api/v1/session/${session}/event/?limit=2`);
    expect(pages.map(({ length }) => length)).toEqual([2, 1]);
  });

  test("shows nothing of another organization, for any cursor", async () => {
    const run = await runService();
    await addOtherOrganization(run, "vv_other_organization_key");
    const next = nextPage("/", await run.get("/api/console/b2c/contexts/?limit=1"));
    const response = await run.request(`/api/console/b2c/contexts/${next!.slice(1)}`, {
      headers: { "ServicePlatform-APIKey": "vv_other_organization_key" },
    });
    expect(await response.json()).toEqual([]);
  });
});

describe("a page with a wrong parameter is refused", () => {
  test.each([
    ["limit=0", "limit", "min_value"],
    ["limit=1001", "limit", "max_value"],
    ["limit=some", "limit", "invalid"],
    ["cursor=nonsense", "cursor", "invalid"],
    [`cursor=${Buffer.from('["listVoices",3]').toString("base64url")}`, "cursor", "invalid"],
    [`cursor=${Buffer.from('["listPrompts",-1]').toString("base64url")}`, "cursor", "invalid"],
  ])("%s", async (query, attr, code) => {
    const run = await runService();
    const response = await run.get(`/api/v1/prompt/?${query}`);
    expect(response.status).toBe(400);
    expect(errorBodySchema.parse(await response.json()).errors).toMatchObject([{ attr, code }]);
  });
});
