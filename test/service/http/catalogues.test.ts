import { describe, expect } from "vitest";
import type { BackgroundImage, ModelStyle } from "../../../src/protocol/catalogue.ts";
import type { FormResources } from "../../../src/protocol/console/form-resources.ts";
import type { SessionTemplate } from "../../../src/protocol/session/session-template.ts";
import { namesNothing } from "../../../src/service/administration/catalogue/catalogue-table.ts";
import { jsonOf, refusalOf, statusOf } from "../answers.ts";
import { addOtherOrganization, type RunningService, runService } from "../service-fixture.ts";
import { deafRecognizer, putFullCatalogue } from "./full-catalogue.ts";
import { testWith } from "./shared-service.ts";

const test = testWith(runService);

const otherKey = "vv_other_organization_key";
const list = <Entry = { name: string }>(run: RunningService, path: string) => jsonOf<Entry[]>(run.get(path));

test("the catalogues of the first start have addresses that a browser can load", async ({ own: run }) => {
  const styles = await list<ModelStyle>(run, "/api/v1/settings/modelstyle/");
  expect(styles.map(({ name }) => name)).toEqual(["mina", "tomas", "amara", "ingrid"]);
  expect(styles[0]?.files).toEqual([
    { name: "character", file: "https://relay.example/characters/mina.json" },
    { name: "poster", file: "https://relay.example/characters/mina-poster.webp" },
    { name: "porthole", file: "https://relay.example/characters/mina-porthole.webp" },
  ]);
  expect(styles[0]?.configs.map(({ key, value }) => [key, value])).toEqual([
    ["matte", "packed-alpha"],
    ["title", "Mina"],
  ]);
  expect(await list(run, "/api/v1/settings/tts_type/")).toMatchObject(
    ["slt", "rms", "awb", "kal", "kal16"].map((voice) => ({
      ...{ name: `visavis-${voice}`, service: "visavis", model: "flite" },
    })),
  );
  const models = await list(run, "/api/v1/settings/llm_type/");
  expect(models).toEqual([{ name: "visavis-retrieval", service: "visavis" }]);
  expect(await list(run, "/api/v1/prompt/")).toMatchObject([{ prompt_id: "visavis-assistant" }]);
  const images = await list<BackgroundImage>(run, "/api/v1/background_image/");
  expect(images.map(({ image }) => image)).toEqual([
    "https://relay.example/backgrounds/room.webp",
    "https://relay.example/backgrounds/calm.webp",
  ]);
  expect(await jsonOf(run.get("/api/v1/background_image/room/"))).toEqual(images[0]);
  expect(await statusOf(run.get("/api/v1/background_image/none/"))).toBe(404);
  const forms = await jsonOf<FormResources>(run.get("/api/console/b2c/form-resources/"));
  expect(forms.tts_types.map(({ name }) => name)).toContain("visavis-slt");
  expect(forms.model_styles.map(({ name }) => name)).toContain("mina");
  expect(forms.background_images.map(({ image }) => image)).toContain(images[0]?.image);
});

test("/healthz and /readyz report health and readiness", async ({ own: run }) => {
  const both = async () => [await statusOf(run.request("/healthz")), await statusOf(run.request("/readyz"))];
  expect(await both()).toEqual([200, 200]);
  await run.store.close();
  expect(await both()).toEqual([200, 503]);
});

test.for([
  ["webrtc", 4],
  ["android", 0],
  ["ios", 0],
  ["studio", 0],
  ["onpremise", 0],
] as const)("there are model styles of the platform %s: %i", async ([platform, count], { run }) => {
  expect(await list(run, `/api/v1/settings/modelstyle/?platform_type=${platform}`)).toHaveLength(count);
});

test("an unknown platform is named in the error", async ({ run }) => {
  const refused = refusalOf(run.get("/api/v1/settings/modelstyle/?platform_type=windows"));
  expect(await refused).toEqual([400, "platform_type invalid_choice"]);
});

describe("entries whose engine is not available", () => {
  const without = testWith((given) =>
    runService({
      ...given,
      synthesizer: ({ body }) => (body.voice === "rms" ? ({} as never) : null),
      languageModel: () => null,
    }),
  );

  without("are not listed and cannot be used", async ({ run }) => {
    await run.put("stt_type", "ears", { name: "ears", service: "onpremise", options: null });
    const rms = [{ name: "visavis-rms" }];
    expect(await list(run, "/api/v1/settings/tts_type/")).toMatchObject(rms);
    expect(await list(run, "/api/v1/settings/llm_type/")).toEqual([]);
    expect(await list(run, "/api/v1/settings/stt_type/")).toEqual([]);
    const [page] = await list<{ voices: object[] }>(run, "/api/speech/v2/voices");
    expect(page?.voices).toMatchObject([{ voice_id: "visavis-rms" }]);
    expect(await jsonOf(run.get("/api/console/b2c/form-resources/"))).toMatchObject({ tts_types: rms });
    const named = { llm_type: "visavis-retrieval", tts_type: "visavis-slt", stt_type: "ears" };
    const fields = { capability: ["LLM", "TTS", "STT"], prompt: run.demo.id, ...named };
    expect(await refusalOf(run.send("POST", "/api/v1/session/", fields))).toEqual([
      ...[400, ...Object.keys(named).map((attr) => `${attr} does_not_exist`)],
    ]);
    const refused = run.configure({ stt_type: "ears" }, { tts_type: "visavis-slt" });
    expect(await refusalOf(refused)).toEqual([400, "tts_type does_not_exist"]);
  });
});

test("a normalization config's rules are downloaded in order, by a link that opens for ten minutes", async ({
  own: run,
}) => {
  const base = "/api/v1/settings/text_normalization_config/";
  const rules = [
    { order: 20, pattern: 'say "hi", twice', replacement: "a\nb", locale: "en", description: "Quotes" },
    { order: 10, pattern: "\\bcm\\b", replacement: "centimetres", locale: null },
  ];
  await run.put(
    "text_normalization_config",
    "n1",
    {
      ...{ textnormalizationconfig_id: "n1", name: "Shop words", created_at: "2026-01-01T00:00:00.000Z" },
      ...{ pre_hook_url: null, post_hook_url: null, hook_enabled: false },
      ...{ pre_hook_args: null, post_hook_args: null },
    },
    { rules },
    { name: "Shop words", organizationId: run.organizationId },
  );
  expect((await list(run, base)).map(({ name }) => name)).toContain("Shop words");
  const download = await jsonOf<{ file_url: string }>(run.get(`${base}n1/download/`));
  expect(download).toMatchObject({ config_id: "n1", config_name: "Shop words" });
  const { pathname, search } = new URL(download.file_url);
  const file = await run.request(pathname + search, { headers: { Accept: "text/csv" } });
  expect(file.headers.get("content-type")).toContain("text/csv");
  expect(await file.text()).toBe(
    "order,pattern,replacement,locale,description\r\n" +
      "10,\\bcm\\b,centimetres,,\r\n" +
      '20,"say ""hi"", twice","a\nb",en,Quotes\r\n',
  );
  for (const wrong of [`${pathname}${search}x`, pathname, `${base}other/file/${search}`])
    expect(await statusOf(run.request(wrong))).toBe(403);
  run.pass(601);
  expect(await statusOf(run.request(pathname + search))).toBe(403);
  expect(await statusOf(run.get(`${base}none/download/`))).toBe(404);
});

describe("a list that is read page by page", () => {
  /** The address of the next page that a client follows, or null on the last page. */
  function nextPage(path: string, response: Response): string | null {
    const [, reference] = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "") ?? [];
    if (reference === undefined) return null;
    const { pathname, search } = new URL(reference, `https://relay.example${path}`);
    return pathname + search;
  }

  async function readPages(run: RunningService, path: string): Promise<{ name: string }[][]> {
    const pages: { name: string }[][] = [];
    for (let next: string | null = path; next !== null;) {
      const response = await run.get(next);
      pages.push(await jsonOf(response));
      next = nextPage(next, response);
    }
    return pages;
  }

  test.for([
    "console/b2c/contexts",
    ...["modelstyle", "tts_type", "llm_type", "stt_type", "mcp_type", "text_normalization_config"].map(
      (kind) => `v1/settings/${kind}`,
    ),
    ...["prompt", "document", "background_image", "session_template"].map((kind) => `v1/${kind}`),
  ])("has the entries of the whole list in the same order: %s", async (name, { run }) => {
    const path = `/api/${name}/`;
    const response = await run.get(path);
    expect(response.headers.get("link")).toBeNull();
    const whole = await jsonOf(response);
    for (const limit of [1, 2, 1_000]) {
      const pages = await readPages(run, `${path}?limit=${limit}`);
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
      expect(pages.flat()).toEqual(whole);
    }
  });

  test("keeps the query's other parameters, and is not shifted by entries that are added meanwhile", async ({
    own: run,
  }) => {
    const path = "/api/v1/settings/modelstyle/?platform_type=webrtc&limit=2";
    const first = await run.get(path);
    const next = nextPage(path, first)!;
    expect(next).toContain("platform_type=webrtc");
    const [style] = await run.store.catalogue.list("model_style", null);
    const { organizationId } = run;
    await run.put("model_style", "added", { ...style!, name: "added" }, null, { organizationId });
    const pages = [await jsonOf<{ name: string }[]>(first), ...(await readPages(run, next))];
    const names = pages.flat().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.at(-1)).toBe("added");
  });

  test("of a session's events continues where the page before ended", async ({ run }) => {
    const session = await run.newSession();
    for (let index = 0; index < 3; index++) await run.event(session, "SESSION_LOG");
    const pages = await readPages(run, `/api/v1/session/${session}/event/?limit=2`);
    expect(pages.map(({ length }) => length)).toEqual([2, 1]);
  });

  test("shows nothing of another organization, for any cursor", async ({ own: run }) => {
    await addOtherOrganization(run, otherKey);
    const contexts = "/api/console/b2c/contexts/";
    const next = nextPage(contexts, await run.get(`${contexts}?limit=1`))!;
    expect(await jsonOf(run.request(next, { headers: { "XP-API-KEY": otherKey } }))).toEqual([]);
  });
});

describe("a session template", () => {
  const path = "/api/v1/session_template/";
  const fromTemplate = (template: SessionTemplate) => ({
    ...{ ...template, stt_type: null, capability: ["STF_WEBRTC"], interactive_agent_config: null },
  });

  /** A service with a template that names what is there, and a tool server that is gone. */
  const shop = testWith(async (given) => {
    const run = await runService({ ...given, recognizer: () => deafRecognizer });
    await putFullCatalogue(run);
    const body = {
      ...{ ...namesNothing, sessiontemplate_id: "shop", name: "Shop floor", description: "A screen" },
      ...{ created_at: "2026-01-01T00:00:00.000Z", last_used_at: null, prompt: "p1", document: "d1" },
      ...{ capability: ["STF_WEBRTC" as const, "STT" as const], llm_type: "visavis-retrieval" },
      ...{ tts_type: "visavis-slt", model_style: "mina", background_image: "room", mcp_servers: ["gone"] },
      ...{ text_normalization_locale: "en", padding_left: 0.1, padding_top: 0, padding_height: 1 },
      extra_data: { floor: 2 },
    };
    await run.put("session_template", "shop", body, null, { organizationId: run.organizationId });
    return run;
  });
  const read = (run: RunningService): Promise<SessionTemplate> => jsonOf(run.get(`${path}shop/`));

  shop("is returned with the current state of every object that it names", async ({ run }) => {
    const template = await read(run);
    expect(template).toMatchObject({
      ...{ sessiontemplate_id: "shop", name: "Shop floor", description: "A screen", last_used_at: null },
      prompt: { prompt_id: "p1", intro_message: "Welcome" },
      llm_type: { name: "visavis-retrieval", service: "visavis" },
      tts_type: { name: "visavis-slt", voice: "slt" },
      model_style: { name: "mina", file: "https://relay.example/characters/mina-poster.webp" },
      background_image: { backgroundimage_id: "room", image: "https://relay.example/backgrounds/room.webp" },
      ...{ agent_config: null, mcp_servers: [], text_normalization_locale: "en", padding_left: 0.1 },
      extra_data: { floor: 2 },
    });
    expect(template.capability.map(({ name }) => name)).toEqual(["STF_WEBRTC", "STT"]);
    expect(template.capability[0]?.description).not.toBe("");
    expect(await list(run, path)).toContainEqual(template);
  });

  shop("of another organization is not there, and each needs a key", async ({ own: run }) => {
    await addOtherOrganization(run, otherKey);
    const asOther = { headers: { "XP-API-KEY": otherKey } };
    expect(await statusOf(run.request(`${path}shop/`, asOther))).toBe(404);
    const shown = await jsonOf(run.request(path, asOther));
    expect(shown).toMatchObject([{ sessiontemplate_id: "visavis-avatar" }]);
    expect(await statusOf(run.request(`${path}shop/`))).toBe(401);
  });

  shop(
    "notes when a session was created from its response last, unless it was refused",
    async ({ own: run }) => {
      const before = await read(run);
      await run.store.organizations.setQuotas(run.organizationId, { activeSessions: 0 });
      expect(await statusOf(run.send("POST", "/api/v1/session/", fromTemplate(before)))).toBe(403);
      expect(await read(run)).toEqual(before);
      await run.store.organizations.setQuotas(run.organizationId, { activeSessions: 1 });
      run.pass(90);
      const created = await jsonOf(run.send("POST", "/api/v1/session/", fromTemplate(before)));
      expect(created).not.toHaveProperty("sessiontemplate_id");
      expect(await read(run)).toEqual({ ...before, last_used_at: "2026-01-01T00:01:30.000Z" });
    },
  );

  test.for([7, "", "unknown", null, ["t1"], "\u{1f600}"])(
    "that does not exist (%j) is ignored in a create",
    async (sessiontemplate_id, { run }) => {
      const body = { capability: ["TTS"], tts_type: "visavis-slt", sessiontemplate_id };
      expect(await statusOf(run.send("POST", "/api/v1/session/", body))).toBe(201);
    },
  );

  /** What clients send that read a template's capabilities: the type of a part only if the part is listed. */
  function sentForCapabilities(template: SessionTemplate): Record<string, unknown> {
    const listed = template.capability.map(({ name }) => name);
    return {
      capability: listed,
      prompt: template.prompt?.prompt_id,
      model_style: template.model_style?.name,
      ...(listed.includes("LLM") && { llm_type: template.llm_type?.name }),
      ...(listed.includes("TTS") && { tts_type: template.tts_type?.name }),
      ...(listed.includes("STT") && { stt_type: template.stt_type?.name }),
    };
  }

  test.for([
    ["with a recognizer", deafRecognizer, ["STF_WEBRTC", "LLM", "TTS", "STT"]],
    ["without one", null, ["STF_WEBRTC", "LLM", "TTS"]],
  ] as const)(
    "that comes first is for clients that read capabilities, %s",
    async ([, recognizer, capability]) => {
      const run = await runService({ recognizer: () => recognizer });
      const [first] = await list<SessionTemplate>(run, path);
      expect(first?.capability.map(({ name }) => name)).toEqual(capability);
      const created = run.send("POST", "/api/v1/session/", sentForCapabilities(first!));
      expect(await jsonOf(created)).toMatchObject({ capability });
      expect(await statusOf(run.send("POST", "/api/v1/session/", first))).toBe(201);
    },
  );
});
