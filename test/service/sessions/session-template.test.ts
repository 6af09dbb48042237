import { describe, expect, it } from "vitest";
import type { WantedTemplate } from "../../../src/service/media/media-engine.ts";
import { runService, type RunningService } from "../service-fixture.ts";

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
    [{ model: "phone-only" }, null],
    [{ model: "../../secrets" }, null],
  ])("of %j is %s", async (wanted, file) => {
    const run = await withDresses();
    expect(await run.hooks.characterFile(await run.newSession(), wanted, signal)).toBe(file);
  });

  it("is none for an unknown session", async () => {
    const run = await runService();
    expect(await run.hooks.characterFile("unknown", { model: "mina" }, signal)).toBeNull();
  });
});
