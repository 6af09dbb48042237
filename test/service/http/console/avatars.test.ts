import { describe, expect, test } from "vitest";
import type { Avatar } from "../../../../src/protocol/console/avatar-list.ts";
import type {
  ContextDraft,
  ContextTemplate,
  ContextVersion,
} from "../../../../src/protocol/console/avatars.ts";
import type { ContextConflict } from "../../../../src/protocol/console/contexts.ts";
import type { EmbedContext } from "../../../../src/protocol/settings/embed-context.ts";
import type { RunningService } from "../../service-fixture.ts";
import { invited, jsonOf, owner, runConsole } from "./console-fixture.ts";

const contexts = "/api/console/b2c/contexts/";
const avatars = "/api/console/contexts/";
const body = { name: "Shop", tts_type: "visavis-slt", model_style: "mina" };

const pathOf = (run: RunningService): string => `${contexts}${run.demo.id}/`;

describe("two people who edit the same avatar", () => {
  test("the second save answers 409 with what the first one saved, and changes nothing", async () => {
    const run = await runConsole();
    const [ana, ben] = [await invited(run, "editor", "Ana"), await invited(run, "editor", "Ben")];
    const { revision } = await jsonOf<EmbedContext>(ana.get(pathOf(run)));
    const saved = await jsonOf<EmbedContext>(
      ana.send("PUT", pathOf(run), { ...body, name: "Of Ana", revision }),
    );
    expect(saved.revision).toBe(revision! + 1);
    const late = await ben.send("PUT", pathOf(run), { ...body, name: "Of Ben", revision });
    expect(late.status).toBe(409);
    const conflict = (await late.json()) as ContextConflict;
    expect(conflict.errors[0]?.code).toBe("conflict");
    expect(conflict.current).toEqual(saved);
    const again = { ...body, name: "Of Ben", revision: conflict.current.revision };
    expect((await jsonOf<EmbedContext>(ben.send("PUT", pathOf(run), again))).name).toBe("Of Ben");
  });

  test("of many saves of one revision exactly one succeeds", async () => {
    const run = await runConsole();
    const first = await owner(run);
    const saves = await Promise.all(
      ["a", "b", "c", "d"].map((name) => first.send("PUT", pathOf(run), { ...body, name, revision: 1 })),
    );
    expect(saves.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  test("without a revision a PUT replaces the settings whatever they are", async () => {
    const run = await runConsole();
    for (const name of ["one", "two"])
      expect((await run.send("PUT", pathOf(run), { ...body, name })).status).toBe(200);
  });
});

describe("history", () => {
  test("keeps the last 20 versions with who saved them, and restores one as a new version", async () => {
    const run = await runConsole();
    const first = await owner(run);
    for (let number = 2; number <= 24; number += 1)
      await first.send("PUT", pathOf(run), { ...body, name: `Version ${number}` });
    const path = `${avatars}${run.demo.id}/versions/`;
    const versions = await jsonOf<ContextVersion[]>(first.get(path));
    expect(versions).toHaveLength(20);
    expect(versions[0]).toMatchObject({ revision: 24, saved_by: "owner", settings: { name: "Version 24" } });
    expect(versions.at(-1)).toMatchObject({ revision: 5, settings: { name: "Version 5" } });
    const restored = await jsonOf<EmbedContext>(first.send("POST", `${path}7/restore/`));
    expect(restored).toMatchObject({ name: "Version 7", revision: 25 });
    expect((await first.send("POST", `${path}2/restore/`)).status).toBe(404);
    expect((await first.send("POST", `${path}x/restore/`)).status).toBe(404);
  });

  test("a version whose voice was removed since cannot be restored, and the answer says why", async () => {
    const run = await runConsole();
    const first = await owner(run);
    await first.send("PUT", pathOf(run), { ...body, tts_type: "visavis-rms" });
    await run.store.catalogue.remove("tts_type", null, "visavis-slt");
    const refused = await first.send("POST", `${avatars}${run.demo.id}/versions/1/restore/`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ errors: [{ attr: "tts_type", code: "does_not_exist" }] });
  });
});

describe("a draft", () => {
  const path = (run: RunningService) => `${avatars}${run.demo.id}/draft/`;

  test("belongs to one account, need not be valid, and is gone when it is discarded", async () => {
    const run = await runConsole();
    const [ana, ben] = [await invited(run, "editor", "Ana"), await invited(run, "editor", "Ben")];
    const draft = { revision: 1, settings: { name: "", anything: { typed: [1] } } };
    expect(await jsonOf<ContextDraft>(ana.send("PUT", path(run), draft))).toMatchObject(draft);
    expect(await jsonOf<ContextDraft>(ana.get(path(run)))).toMatchObject(draft);
    expect(await jsonOf(ben.get(path(run)))).toBeNull();
    await ana.send("PUT", path(run), { ...draft, revision: 2 });
    expect((await jsonOf<ContextDraft>(ana.get(path(run)))).revision).toBe(2);
    expect((await ana.send("DELETE", path(run))).status).toBe(204);
    expect(await jsonOf(ana.get(path(run)))).toBeNull();
    expect(await jsonOf<EmbedContext>(ana.get(pathOf(run)))).toMatchObject({
      name: "Alder Home",
      revision: 1,
    });
  });
});

describe("the list", () => {
  test("says where each avatar stands and how many conversations it had in seven days", async () => {
    const run = await runConsole();
    const first = await owner(run);
    const session = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
    await run.event(session, "SESSION_START");
    await run.newSession({ extra_data: { context_id: "ctx_demo" } });
    const report = { origin: "https://shop.example", allowed: true };
    await run.send("POST", `${avatars}${run.demo.id}/pages/`, report);
    const listed = await jsonOf<Avatar[]>(first.get(avatars));
    const demo = listed.find(({ context_id: id }) => id === "ctx_demo")!;
    expect(demo).toMatchObject({
      name: "Alder Home",
      avatar_name: "Mara",
      state: "live",
      conversations_7d: 1,
      is_demo: true,
      origins: ["http://localhost:*", "http://127.0.0.1:*"],
    });
    expect(listed.find(({ context_id: id }) => id === "ctx_tomas")!.state).toBe("draft");
    await first.send("POST", `${avatars}${demo.id}/duplicate/`);
    const copied = await jsonOf<Avatar[]>(first.get(avatars));
    expect(copied.filter(({ is_demo: isDemo }) => !isDemo)).toHaveLength(1);
    expect((await first.send("PUT", `${avatars}${demo.id}/active/`, { is_active: false })).status).toBe(200);
    run.pass(8 * 24 * 60 * 60);
    const later = await jsonOf<Avatar[]>((await owner(run)).get(avatars));
    expect(later.find(({ id }) => id === demo.id)).toMatchObject({ state: "paused", conversations_7d: 0 });
  });

  test("has nothing of another organization, and its pages and drafts are not found", async () => {
    const run = await runConsole();
    await run.store.organizations.insert({ id: "bakery", name: "Bakery", createdAtMs: 1 });
    await run.store.contexts.insert({ ...run.demo, id: "b", contextId: "ctx_b", organizationId: "bakery" });
    const first = await owner(run);
    expect((await jsonOf<Avatar[]>(first.get(avatars))).map(({ id }) => id)).not.toContain("b");
    for (const path of ["pages", "versions", "draft"])
      expect((await first.get(`${avatars}b/${path}/`)).status, path).toBe(404);
    expect((await first.send("POST", `${avatars}b/duplicate/`)).status).toBe(404);
  });
});

test("a copy has its own embed key and is switched off", async () => {
  const run = await runConsole();
  const first = await owner(run);
  const copy = await jsonOf<EmbedContext>(first.send("POST", `${avatars}${run.demo.id}/duplicate/`));
  expect(copy).toMatchObject({ name: "Alder Home (copy)", is_active: false, greeting: run.demo.greeting });
  expect(copy.context_id).not.toBe("ctx_demo");
  await first.send("PUT", `${contexts}${copy.id}/`, { ...body, name: "n".repeat(200) });
  const second = await jsonOf<EmbedContext>(first.send("POST", `${avatars}${copy.id}/duplicate/`));
  expect(second.name).toHaveLength(200);
});

describe("a deleted avatar", () => {
  test("is gone at once, can be restored, and is removed with all its rows after 30 s", async () => {
    const run = await runConsole();
    const first = await owner(run);
    await first.send("PUT", `${avatars}${run.demo.id}/draft/`, { revision: 1, settings: {} });
    expect((await first.send("DELETE", pathOf(run))).status).toBe(204);
    expect((await first.get(pathOf(run))).status).toBe(404);
    expect((await first.send("DELETE", pathOf(run))).status).toBe(404);
    expect(await jsonOf<unknown[]>(run.get(`${contexts}?context_id=ctx_demo`))).toEqual([]);
    expect(
      (
        await run.send("POST", `${avatars}${run.demo.id}/pages/`, {
          origin: "https://a.example",
          allowed: true,
        })
      ).status,
    ).toBe(404);
    run.pass(29);
    await run.service.removeExpired();
    const restored = await jsonOf<EmbedContext>(first.send("POST", `${avatars}${run.demo.id}/restore/`));
    expect(restored).toMatchObject({ context_id: "ctx_demo", name: "Alder Home" });
    await first.send("DELETE", pathOf(run));
    run.pass(30);
    await run.service.removeExpired();
    expect((await first.send("POST", `${avatars}${run.demo.id}/restore/`)).status).toBe(404);
    expect(await run.store.contexts.versions(run.demo.id)).toEqual([]);
  });

  test("ends its conversations", async () => {
    const run = await runConsole();
    const session = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
    await run.event(session, "SESSION_START");
    await run.service.sweep();
    await (await owner(run)).send("DELETE", pathOf(run));
    await run.service.sweep();
    expect((await run.status(session)).status).toBe("TERMINATED");
  });
});

test("every template makes an avatar as it is", async () => {
  const run = await runConsole();
  const first = await owner(run);
  const templates = await jsonOf<ContextTemplate[]>(first.get("/api/console/templates/"));
  expect(templates.map(({ id }) => id)).toEqual(["shop_assistant", "reception", "tutor", "support", "blank"]);
  for (const { settings } of templates)
    expect((await first.send("POST", contexts, settings)).status, settings.name).toBe(201);
});

test.each([
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
])("whether %s may show the avatar: %s, %s", async (page, allowed, reason) => {
  const run = await runConsole();
  const viewer = await invited(run, "viewer", "Vera");
  const asked = { page, allowed_origins: ["https://alderhome.example", "http://localhost:*"] };
  const verdict = await jsonOf<{ detail: string }>(viewer.send("POST", "/api/console/origin-check/", asked));
  expect(verdict).toMatchObject({ allowed, reason });
  expect(verdict.detail).not.toBe("");
});
