import { describe, expect, it } from "vitest";
import type { WantedTemplate } from "../../../../src/service/media/media-engine.ts";
import { runService, type RunningService } from "../../service-fixture.ts";

const { signal } = new AbortController();

/** A catalogue in which Mina has a festive dress, and there is a style without a character. */
async function withDresses(): Promise<RunningService> {
  const run = await runService();
  const mina = (await run.store.catalogue.find("model_style", run.organizationId, "mina"))!;
  const put = (name: string, body: Partial<typeof mina>, organizationId: string | null): Promise<boolean> =>
    run.store.catalogue.put({
      kind: "model_style",
      id: name,
      name,
      organizationId,
      createdAtMs: 0,
      body: { ...mina, name, ...body },
    });
  const files = [{ name: "character", file: "/characters/mina-festive.json" }];
  await put("mina-festive", { style: "festive", files }, run.organizationId);
  await put("phone-only", { files: [], platform_type: "ios" }, null);
  return run;
}

describe("the character of set-template", () => {
  it.each<[WantedTemplate, string | null]>([
    [{ model: "tomas" }, "/srv/public/characters/tomas.json"],
    [{ model: "mina", dress: "festive" }, "/srv/public/characters/mina-festive.json"],
    [{ dress: "festive" }, "/srv/public/characters/mina-festive.json"],
    [{ dress: "mina-festive" }, "/srv/public/characters/mina-festive.json"],
    [{ model: "tomas", dress: "festive" }, null],
    [{ model: "nobody" }, null],
    [{ model: "../../secrets" }, null],
  ])("of %j is %s", async (wanted, file) => {
    const run = await withDresses();
    const found = await run.hooks.template(await run.newSession(), wanted, signal);
    expect(found?.characterFile ?? null).toBe(file);
  });

  it("comes with the style's name and the public addresses of its files, for who draws it elsewhere", async () => {
    const run = await withDresses();
    const drawn = async (model: string) =>
      (await run.hooks.template(await run.newSession(), { model }, signal))?.drawn;
    expect(await drawn("mina-festive")).toEqual({
      model_style: "mina-festive",
      files: [{ name: "character", file: "https://relay.example/characters/mina-festive.json" }],
    });
    expect(await drawn("phone-only")).toEqual({ model_style: "phone-only", files: [] });
  });

  it("is none for an unknown session", async () => {
    const run = await runService();
    expect(await run.hooks.template("unknown", { model: "mina" }, signal)).toBeNull();
  });
});
