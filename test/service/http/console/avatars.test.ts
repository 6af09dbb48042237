import { describe, expect } from "vitest";
import type { Avatar } from "../../../../src/protocol/console/avatar-list.ts";
import type { ContextTemplate, ContextVersion } from "../../../../src/protocol/console/avatars.ts";
import type { ContextConflict } from "../../../../src/protocol/console/contexts.ts";
import type { ContextPreview } from "../../../../src/protocol/console/previews.ts";
import type { EmbedContext } from "../../../../src/protocol/settings/embed-context.ts";
import { refusalOf, statusOf } from "../../answers.ts";
import type { RunningService } from "../../service-fixture.ts";
import { testWith } from "../shared-service.ts";
import {
  type Browser,
  invited,
  jsonOf,
  otherOrganization,
  owner,
  runConsole,
  test,
} from "./console-fixture.ts";

const contexts = "/api/console/b2c/contexts/";
const avatars = "/api/console/contexts/";
const body = { name: "Shop", tts_type: "visavis-slt", model_style: "mina" };
const day = 24 * 60 * 60;

const pathOf = ({ demo }: RunningService): string => `${contexts}${demo.id}/`;
const partOf = ({ demo }: RunningService, part: string): string => `${avatars}${demo.id}/${part}/`;
const put = (run: RunningService, browser: Browser, fields: object) =>
  browser.send("PUT", pathOf(run), { ...body, ...fields });
const ofDemo = { extra_data: { context_id: "ctx_demo" } };

describe("people who edit the same avatar", () => {
  test("the second save answers 409 with what the first one saved, and changes nothing", async ({ run }) => {
    const [ana, ben] = [await invited(run, "editor", "Ana"), await invited(run, "editor", "Ben")];
    const { revision } = await jsonOf<EmbedContext>(ana.get(pathOf(run)));
    const saved = await jsonOf<EmbedContext>(put(run, ana, { name: "Of Ana", revision }));
    expect(saved.revision).toBe(revision! + 1);
    const late = await put(run, ben, { name: "Of Ben", revision });
    const conflict = (await late.json()) as ContextConflict;
    expect([late.status, conflict]).toMatchObject([409, { errors: [{ code: "conflict" }], current: saved }]);
    const again = { name: "Of Ben", revision: conflict.current.revision };
    expect(await jsonOf(put(run, ben, again))).toMatchObject({ name: "Of Ben" });
  });

  test("of many saves of one revision exactly one succeeds; without one, each replaces", async ({
    run,
    browser,
  }) => {
    const save = (name: string, revision?: number) => statusOf(put(run, browser, { name, revision }));
    const saves = await Promise.all(["a", "b", "c", "d"].map((name) => save(name, 1)));
    expect(saves.sort()).toEqual([200, 409, 409, 409]);
    for (const name of ["one", "two"]) expect(await save(name)).toBe(200);
  });
});

describe("history", () => {
  test("keeps the last 20 versions with who saved them, and restores one as a new version", async ({
    run,
    browser,
  }) => {
    for (let number = 2; number <= 24; number += 1) await put(run, browser, { name: `Version ${number}` });
    const path = partOf(run, "versions");
    const versions = await jsonOf<ContextVersion[]>(browser.get(path));
    expect(versions).toHaveLength(20);
    expect(versions[0]).toMatchObject({ revision: 24, saved_by: "owner", settings: { name: "Version 24" } });
    expect(versions.at(-1)).toMatchObject({ revision: 5, settings: { name: "Version 5" } });
    const restored = await jsonOf(browser.send("POST", `${path}7/restore/`));
    expect(restored).toMatchObject({ name: "Version 7", revision: 25 });
    for (const gone of ["2", "x"])
      expect(await statusOf(browser.send("POST", `${path}${gone}/restore/`))).toBe(404);
  });

  test("restores no version whose voice was removed since, and says why", async ({ run, browser }) => {
    await put(run, browser, { tts_type: "visavis-rms" });
    await run.store.catalogue.remove("tts_type", null, "visavis-slt");
    const refused = browser.send("POST", `${partOf(run, "versions")}1/restore/`);
    expect(await refusalOf(refused)).toEqual([400, "tts_type does_not_exist"]);
  });
});

test("a draft belongs to one account, need not be valid, and is gone when it is discarded", async ({
  run,
}) => {
  const [ana, ben] = [await invited(run, "editor", "Ana"), await invited(run, "editor", "Ben")];
  const path = partOf(run, "draft");
  for (const revision of [1, 2]) {
    const draft = { revision, settings: { name: "", anything: { typed: [1] } } };
    expect(await jsonOf(ana.send("PUT", path, draft))).toMatchObject(draft);
    expect(await jsonOf(ana.get(path))).toMatchObject(draft);
  }
  expect(await jsonOf(ben.get(path))).toBeNull();
  expect(await statusOf(ana.send("DELETE", path))).toBe(204);
  expect(await jsonOf(ana.get(path))).toBeNull();
  expect(await jsonOf(ana.get(pathOf(run)))).toMatchObject({ name: "Alder Home", revision: 1 });
});

describe("the list", () => {
  const listed = (browser: Browser) => jsonOf<Avatar[]>(browser.get(avatars));

  test("says where each avatar stands and how many conversations it had in seven days", async ({
    run,
    browser,
  }) => {
    await run.event(await run.newSession(ofDemo), "SESSION_START");
    await run.newSession(ofDemo);
    await run.send("POST", partOf(run, "pages"), { origin: "https://shop.example", allowed: true });
    const all = await listed(browser);
    expect(all.find(({ context_id: id }) => id === "ctx_demo")).toMatchObject({
      ...{ name: "Alder Home", avatar_name: "Mara", state: "live", conversations_7d: 1, is_demo: true },
      origins: ["http://localhost:*", "http://127.0.0.1:*"],
    });
    expect(all.find(({ context_id: id }) => id === "ctx_tomas")!.state).toBe("draft");
    await browser.send("POST", partOf(run, "duplicate"));
    expect((await listed(browser)).filter(({ is_demo: isDemo }) => !isDemo)).toHaveLength(1);
    await jsonOf(browser.send("PUT", partOf(run, "active"), { is_active: false }));
    run.pass(8 * day);
    const later = (await listed(await owner(run))).find(({ id }) => id === run.demo.id);
    expect(later).toMatchObject({ state: "paused", conversations_7d: 0 });
  });

  test("has nothing of another organization, and its pages and drafts are not found", async ({ run }) => {
    const other = await otherOrganization(run);
    expect(await jsonOf(other("GET", avatars))).toEqual([]);
    for (const part of ["pages", "versions"])
      expect(await statusOf(other("GET", partOf(run, part))), part).toBe(404);
    expect(await statusOf(other("POST", partOf(run, "duplicate")))).toBe(404);
  });

  test("gives no drafts of another organization", async ({ run, browser }) => {
    await run.store.organizations.insert({ id: "bakery", name: "Bakery", createdAtMs: 1 });
    await run.store.contexts.insert({ ...run.demo, id: "b", contextId: "ctx_b", organizationId: "bakery" });
    expect((await listed(browser)).map(({ id }) => id)).not.toContain("b");
    expect(await statusOf(browser.get(`${avatars}b/draft/`))).toBe(404);
  });
});

test("a copy has its own embed key and is switched off", async ({ run, browser }) => {
  const copyOf = (id: string) => jsonOf<EmbedContext>(browser.send("POST", `${avatars}${id}/duplicate/`));
  const copy = await copyOf(run.demo.id);
  expect(copy).toMatchObject({ name: "Alder Home (copy)", is_active: false, greeting: run.demo.greeting });
  expect(copy.context_id).not.toBe("ctx_demo");
  await browser.send("PUT", `${contexts}${copy.id}/`, { ...body, name: "n".repeat(200) });
  expect((await copyOf(copy.id)).name).toHaveLength(200);
});

describe("a deleted avatar", () => {
  test("is gone at once, can be restored, and is removed with all its rows after 30 s", async ({
    run,
    browser,
  }) => {
    const remove = () => statusOf(browser.send("DELETE", pathOf(run)));
    const restore = () => browser.send("POST", partOf(run, "restore"));
    await browser.send("PUT", partOf(run, "draft"), { revision: 1, settings: {} });
    expect([await remove(), await remove(), await statusOf(browser.get(pathOf(run)))]).toEqual([
      204, 404, 404,
    ]);
    expect(await jsonOf(run.get(`${contexts}?context_id=ctx_demo`))).toEqual([]);
    const report = { origin: "https://a.example", allowed: true };
    expect(await statusOf(run.send("POST", partOf(run, "pages"), report))).toBe(404);
    run.pass(29);
    await run.service.removeExpired();
    expect(await jsonOf(restore())).toMatchObject({ context_id: "ctx_demo", name: "Alder Home" });
    await remove();
    run.pass(30);
    await run.service.removeExpired();
    expect(await statusOf(restore())).toBe(404);
    expect(await run.store.contexts.versions(run.demo.id)).toEqual([]);
  });

  test("ends its conversations", async ({ run, browser }) => {
    const session = await run.newSession(ofDemo);
    await run.event(session, "SESSION_START");
    await run.service.sweep();
    await browser.send("DELETE", pathOf(run));
    await run.service.sweep();
    expect((await run.status(session)).status).toBe("TERMINATED");
  });
});

test("every template makes an avatar as it is", async ({ browser }) => {
  const templates = await jsonOf<ContextTemplate[]>(browser.get("/api/console/templates/"));
  expect(templates.map(({ id }) => id)).toEqual(["shop_assistant", "reception", "tutor", "support", "blank"]);
  for (const { settings } of templates)
    expect(await statusOf(browser.send("POST", contexts, settings)), settings.name).toBe(201);
});

const shared = testWith((given) => runConsole({}, given));

shared.for([
  ["https://alderhome.example/chairs?x=1", true, "listed"],
  ["alderhome.example", true, "listed"],
  ["https://relay.example/demo", true, "own"],
  ["http://alderhome.example", false, "other_scheme"],
  ["https://alderhome.example:8443/", false, "other_port"],
  ["https://www.alderhome.example", false, "with_www"],
  ["https://shop.alderhome.example", false, "other_part"],
  ["https://other.example", false, "not_listed"],
  ["http://localhost:3000/test.html", true, "listed"],
  ["file:///C:/page.html", false, "not_an_address"],
  ["<script>", false, "not_an_address"],
] as const)("whether %s may show the avatar: %s, %s", async ([page, allowed, reason], { run }) => {
  const asked = { page, allowed_origins: ["https://alderhome.example", "http://localhost:*"] };
  const verdict = (await owner(run)).send("POST", "/api/console/origin-check/", asked);
  const detail = expect.stringMatching(/./) as string;
  expect(await jsonOf(verdict)).toMatchObject({ allowed, reason, detail });
});

describe("a preview of unsaved settings", () => {
  const settings = { ...body, is_active: false, embed_config: { allowed_origins: ["https://shop.example"] } };
  const show = (run: RunningService, browser: Browser, changes = {}) =>
    browser.send("PUT", partOf(run, "preview"), { settings: { ...settings, ...changes } });
  const keyOf = async (...given: Parameters<typeof show>): Promise<string> =>
    (await jsonOf<ContextPreview>(show(...given))).context_id;
  const found = async (run: RunningService, key: string): Promise<EmbedContext | undefined> =>
    (await jsonOf<EmbedContext[]>(run.get(`${contexts}?context_id=${key}`)))[0];

  test("is found by its key, may be used although the avatar is off, and only on the relay's own pages", async ({
    run,
    browser,
  }) => {
    const key = await keyOf(run, browser, { greeting: "Not saved" });
    const preview = await found(run, key);
    expect(preview).toMatchObject({ context_id: key, greeting: "Not saved", is_active: true });
    expect(preview?.embed_config.allowed_origins).toEqual([]);
    const saved = await run.store.contexts.byUuid(run.organizationId, run.demo.id);
    expect(saved?.greeting).not.toBe("Not saved");
  });

  test("gets another key with each change, so that no cache shows the settings before", async ({
    run,
    browser,
  }) => {
    const [one, two] = [await keyOf(run, browser), await keyOf(run, browser, { greeting: "Two" })];
    expect(one).not.toBe(two);
    expect((await found(run, two))?.greeting).toBe("Two");
  });

  test("is no avatar: it is neither listed nor changed, and others have their own", async ({ run }) => {
    const [ana, ben] = [await invited(run, "editor", "Ana"), await invited(run, "editor", "Ben")];
    const [ofAna, ofBen] = [await keyOf(run, ana), await keyOf(run, ben, { greeting: "Ben's" })];
    expect((await found(run, ofAna))?.greeting).toBe("");
    const path = `${contexts}${(await found(run, ofBen))!.id}/`;
    expect([await statusOf(ben.get(path)), await statusOf(ben.send("PUT", path, settings))]).toEqual([
      404, 404,
    ]);
    const listed = await jsonOf<EmbedContext[]>(ana.get(contexts));
    expect(listed.map(({ context_id: key }) => key)).not.toContain(ofAna);
  });

  test("names what is wrong with its settings", async ({ run, browser }) => {
    const refused = refusalOf(show(run, browser, { tts_type: "nobody" }));
    expect(await refused).toEqual([400, "tts_type does_not_exist"]);
  });

  test("counts no conversation of visitors", async ({ run, browser }) => {
    const key = await keyOf(run, browser);
    const { id: prompt } = (await found(run, key))!;
    const fields = { capability: ["LLM"], prompt, llm_type: "visavis-retrieval" };
    const session = await run.newSession({ ...fields, extra_data: { context_id: key } });
    await run.event(session, "SESSION_START");
    await run.service.sweep();
    expect((await run.store.sessions.byId(session))?.state.endedAtMs).toBeNull();
    expect(await jsonOf(browser.get("/api/console/conversations/"))).toEqual([]);
  });

  test("is gone a day after its last change", async ({ run, browser }) => {
    const key = await keyOf(run, browser);
    run.pass(day + 1);
    await run.service.removeExpired();
    expect(await found(run, key)).toBeUndefined();
  });
});

describe("a voice's sample", () => {
  const sample = (browser: Browser, fields: object = {}, path = "voice-sample") =>
    browser.send("POST", `/api/console/${path}/`, { tts_type: "visavis-slt", text: "Hello.", ...fields });

  test("is a sound file, and comes with the mouth's shapes where a face says it", async ({ browser }) => {
    const file = await sample(browser);
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "audio/wav"]);
    expect(await file.text()).toMatch(/^RIFF/);
    const spoken = await jsonOf<{ audio: string }>(sample(browser, {}, "speech-sample"));
    expect(Buffer.from(spoken.audio, "base64").toString("latin1", 0, 4)).toBe("RIFF");
    expect(spoken).toMatchObject({ visemes: [{ viseme: "aa", start: 0, end: 60 }] });
  });

  test("needs a text that can be spoken, however the voice is changed, and a voice", async ({ browser }) => {
    const silent = await refusalOf(sample(browser, { text: " ", pitch: 0.5 }));
    expect(silent.join()).toMatch(/^400,text /);
    const refused = refusalOf(sample(browser, { tts_type: "nobody" }));
    expect(await refused).toEqual([400, "tts_type does_not_exist"]);
  });
});
