import { beforeEach, expect, test } from "vitest";
import { temporaryFolder, type RunningService } from "../../service/service-fixture.ts";
import { commandLine, runServiceOn } from "./operator-fixture.ts";

let run: RunningService;
let visavis: ReturnType<typeof commandLine>;

beforeEach(async () => {
  const folder = temporaryFolder();
  run = await runServiceOn(folder);
  visavis = commandLine(folder);
});

const shop = { name: "Shop", tts_type: "visavis-slt", model_style: "mina" };

async function retrieved(id: string): Promise<Record<string, unknown>> {
  return (await (await run.get(`/api/console/b2c/contexts/${id}/`)).json()) as Record<string, unknown>;
}

test("a context is created, shown, replaced and removed while the service runs", async () => {
  const created = JSON.parse((await visavis(["context", "create"], shop)).printed) as Record<string, string>;
  const { id, context_id: contextId } = created as { id: string; context_id: string };
  expect(contextId).toMatch(/^ctx_[\w-]{12}$/);
  expect(await retrieved(id)).toEqual(created);
  expect((await visavis(["context", "list"])).printed).toMatch(
    new RegExp(`^${contextId} +${id} +Shop +active$`, "m"),
  );
  const shown = (await visavis(["context", "show", contextId])).printed;
  const changed = { ...(JSON.parse(shown) as object), greeting: "Welcome." };
  expect((await visavis(["context", "replace", contextId], changed)).failure).toBeNull();
  expect(await retrieved(id)).toMatchObject({ greeting: "Welcome.", context_id: contextId });
  await visavis(["context", "replace", id], shop);
  expect(await retrieved(id)).toMatchObject({ greeting: "" });
  expect((await visavis(["context", "delete", contextId])).failure).toBeNull();
  expect((await run.get(`/api/console/b2c/contexts/${id}/`)).status).toBe(404);
});

test("create prints the lines for the page and its policy, and names the origins that are missing", async () => {
  const created = await visavis(["context", "create"], shop);
  const { context_id: contextId } = JSON.parse(created.printed) as { context_id: string };
  expect(created.noted).toContain(
    `<script async src="http://localhost:8787/embed.js" data-context="${contextId}"></script>`,
  );
  expect(created.noted).toContain(
    `<visavis-avatar context-id="${contextId}" relay="http://localhost:8787"></visavis-avatar>`,
  );
  expect(created.noted).toContain("script-src http://localhost:8787");
  expect(created.noted).toContain("add your page's origin to embed_config.allowed_origins");
  const listed = await visavis(["context", "create"], {
    ...shop,
    embed_config: { allowed_origins: ["https://shop.example"] },
  });
  expect(listed.noted).not.toContain("allowed_origins");
});

test("wrong fields, unknown names and unknown contexts are reported, and nothing changes", async () => {
  const before = (await visavis(["context", "list"])).printed;
  const failure = async (words: string[], input?: unknown) =>
    (await visavis(["context", ...words], input)).failure;
  expect(await failure(["create"], { ...shop, name: "" })).toBe("name: This field may not be blank.");
  expect(await failure(["create"], { ...shop, embed_config: { ui: { radius: 99 } } })).toMatch(
    /^embed_config\.ui\.radius: /,
  );
  expect(await failure(["create"], { ...shop, model_style: "nobody", tts_type: "none" })).toBe(
    'tts_type: "none" does not exist.\nmodel_style: "nobody" does not exist.',
  );
  expect(await failure(["create"], { ...shop, greetings: "Hi" })).toBe(
    'greetings: There is no such field. Did you mean "greeting"?',
  );
  expect(await failure(["create"], { ...shop, embed_config: { alowed_origins: [] } })).toMatch(
    /^embed_config\.alowed_origins: .*Did you mean "allowed_origins"\?/,
  );
  expect(await failure(["create"], { ...shop, embed_config: { mine: 1 } })).toMatch(
    /^embed_config\.mine: embed_config has no setting "mine"/,
  );
  const unknown = 'There is no context "ctx_nothing"; "visavis context list" shows those that there are.';
  for (const words of [
    ["replace", "ctx_nothing"],
    ["delete", "ctx_nothing"],
    ["show", "ctx_nothing"],
  ])
    expect(await failure(words, shop)).toBe(unknown);
  expect((await visavis(["context", "list"])).printed).toBe(before);
});

test("everything that is wrong with a context is reported at once", async () => {
  const { failure } = await visavis(["context", "create"], {
    model_style: "nobody",
    tts_type: 5,
    greetings: "Hi",
    brand_color: "#0d6660",
    embed_config: {
      mine: 1,
      prompt: "none",
      mcp_servers: [7],
      mcp_tools: ["orders/cancel"],
      limits: ["a"],
      ui: { radius: 99, sugestions: [], color: "#0d6660" },
    },
  });
  expect(
    failure
      ?.split("\n")
      .map((line) => line.slice(0, line.indexOf(":")))
      .sort(),
  ).toEqual([
    "brand_color",
    "embed_config.limits",
    "embed_config.mcp_servers.0",
    "embed_config.mine",
    "embed_config.prompt",
    "embed_config.ui.color",
    "embed_config.ui.radius",
    "embed_config.ui.sugestions",
    "greetings",
    "model_style",
    "name",
    "tts_type",
  ]);
  expect(failure).toContain(
    'brand_color: There is no such field. Did you mean "embed_config.ui.brand_color"?',
  );
});

test("an empty store is filled with the built-in entries first", async () => {
  const fresh = commandLine(temporaryFolder());
  expect((await fresh(["context", "list"])).printed).toContain("ctx_demo");
  expect(JSON.parse((await fresh(["organization", "show"])).printed)).toMatchObject({ name: "Visavis" });
  expect((await fresh(["key", "list"])).printed.split("\n")).toHaveLength(1);
});
