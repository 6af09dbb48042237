import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCanvas } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import type { FormResources } from "../../../../src/protocol/console/form-resources.ts";
import type { PhotoCharacterView } from "../../../../src/protocol/console/photo-characters.ts";
import { photoFile, photoMinaBeforeTiles } from "../../../photo/photo-fixture.ts";
import { temporaryFolder, type RunningService } from "../../service-fixture.ts";
import { invited, jsonOf, origin, owner, runConsole, type Browser } from "./console-fixture.ts";

const path = "/api/console/photo-characters/";
const character = readFileSync(photoFile);
const still = (side: number): Uint8Array => createCanvas(side, side).toBuffer("image/webp");

const statement = { title: "Anna Berg", consent: "self", stated_by: "Anna Berg" };

/** Sends what the console sends. `changes`: other texts and files; null leaves one out. */
function save(
  run: RunningService,
  { cookie }: Pick<Browser, "cookie">,
  changes: Record<string, string | Uint8Array | null> = {},
): Promise<Response> {
  const form = new FormData();
  const parts: Record<string, string | Uint8Array | null> = {
    ...statement,
    character,
    poster: still(512),
    porthole: still(160),
    ...changes,
  };
  for (const [name, value] of Object.entries(parts))
    if (typeof value === "string") form.set(name, value);
    else if (value !== null) form.set(name, new Blob([new Uint8Array(value)]), name);
  const headers = { Cookie: cookie, Origin: origin, "X-Requested-With": "fetch" };
  return run.request(path, { method: "POST", headers, body: form });
}

const start = (): Promise<RunningService> => runConsole({ publicFolder: "public" });

/** As many landmarks as a file may have, all of them wrong. */
const manyLandmarks = (): string =>
  JSON.stringify({
    ...(JSON.parse(character.toString()) as object),
    landmarks: Array.from({ length: 400_000 }, () => 9),
  });

const listed = (browser: Browser): Promise<PhotoCharacterView[]> => jsonOf(browser.get(path));

async function faceOf(browser: Browser, name: string) {
  const { model_styles: styles } = await jsonOf<FormResources>(
    browser.get("/api/console/b2c/form-resources/"),
  );
  return styles.find((style) => style.name === name);
}

describe("a face from a photograph", () => {
  test("is a model style, with who stated what, when, and with which account", async () => {
    const run = await start();
    const editor = await invited(run, "editor", "Ben");
    const made = await jsonOf<PhotoCharacterView>(save(run, editor, { consent: "written" }));
    expect(made).toMatchObject({
      ...{ name: "anna-berg", title: "Anna Berg", used_by: [], is_shared: false },
      consent: { kind: "written", stated_by: "Anna Berg", account: "Ben" },
    });
    expect(Date.parse(made.consent?.stated_at ?? "")).not.toBeNaN();
    expect(await listed(editor)).toEqual([made]);
    expect(await faceOf(editor, "anna-berg")).toMatchObject({ platform_type: "webrtc" });
    const poster = await run.get(made.poster);
    expect(poster.status).toBe(200);
    expect(Buffer.from(await poster.arrayBuffer()).toString("latin1")).toContain("compositeSynthetic");
  });

  test("says whether it has kept what was behind the person, which then reaches the edges of its frame", async () => {
    const run = await start();
    const browser = await owner(run);
    const kept = expect.objectContaining({ key: "background", value: "kept" }) as unknown;
    await save(run, browser);
    expect((await faceOf(browser, "anna-berg"))?.configs).not.toContainEqual(kept);
    const layers = Buffer.from(JSON.stringify(photoMinaBeforeTiles()));
    await save(run, browser, { title: "Before tiles", character: layers });
    expect((await faceOf(browser, "before-tiles"))?.configs).toContainEqual(kept);
  });

  test("is listed, so that it can be removed, where the statement about it is damaged", async () => {
    const folder = temporaryFolder();
    const run = await runConsole({ publicFolder: "public" }, { folder });
    const browser = await owner(run);
    await save(run, browser);
    const files = readdirSync(join(folder, "files")).filter((name) => name.endsWith("-consent"));
    expect(files).toHaveLength(1);
    for (const name of files) writeFileSync(join(folder, "files", name), '{"statement": "The pho');
    expect(await listed(browser)).toMatchObject([{ name: "anna-berg", consent: null }]);
    expect((await browser.send("DELETE", `${path}anna-berg/`)).status).toBe(204);
  });

  test("shows who uses it", async () => {
    const run = await start();
    const browser = await owner(run);
    await save(run, browser);
    const settings = { name: "Shop", tts_type: "visavis-slt", model_style: "anna-berg" };
    await browser.send("PUT", `/api/console/b2c/contexts/${run.demo.id}/`, settings);
    expect((await listed(browser))[0]?.used_by).toMatchObject([{ id: run.demo.id }]);
  });

  test("gets a name of its own beside another one, whatever it is called", async () => {
    const run = await start();
    const browser = await owner(run);
    for (const title of ["Mina", "Mina", "한나", "Ángel"]) await save(run, browser, { title });
    expect((await listed(browser)).map(({ name }) => name)).toEqual(["mina-2", "mina-3", "photo", "angel"]);
  });

  test.each([
    ["without a statement", "consent", { consent: null }],
    ["with another statement", "consent", { consent: "maybe" }],
    ["without somebody who states it", "stated_by", { stated_by: " " }],
    ["without a name", "title", { title: null }],
    ["without layers", "character", { character: null }],
    ["with layers that are no JSON", "character", { character: Buffer.from("{") }],
    ["with a photograph in place of layers", "character", { character: still(64) }],
    ["with layers of another format", "format", { character: Buffer.from('{"format":"visavis-puppet"}') }],
    ["with a text as poster", "poster", { poster: Buffer.from("no picture") }],
    ["with very many landmarks", "landmarks", { character: Buffer.from(manyLandmarks()) }],
    ["with a huge poster", "poster", { poster: createCanvas(1_200, 8).toBuffer("image/png") }],
  ])("%s is refused, and nothing is stored", async (_, attr, changes) => {
    const run = await start();
    const browser = await owner(run);
    const refused = await save(run, browser, changes);
    expect(refused.status).toBe(400);
    const { errors } = (await refused.json()) as { errors: { attr: string }[] };
    expect(errors.map((error) => error.attr)).toContain(attr);
    expect(await listed(browser)).toEqual([]);
  });
});

describe("a face that is removed", () => {
  test("is gone with everything that shows the person, and a drawn one takes its place", async () => {
    const run = await start();
    const browser = await owner(run);
    const made = await jsonOf<PhotoCharacterView>(save(run, browser));
    expect((await browser.send("DELETE", `${path}anna-berg/`)).status).toBe(204);
    expect(await listed(browser)).toEqual([]);
    for (const address of [made.poster, made.porthole, made.poster.replace("poster", "character")])
      expect((await run.get(address)).status).toBe(404);
    const face = await faceOf(browser, "anna-berg");
    expect(face?.files.find(({ name }) => name === "character")?.file).toContain("/characters/mina.json");
    expect(face?.configs).toContainEqual(
      expect.objectContaining({ key: "kind", value: "removed-photograph" }),
    );
  });

  test("is seen in no conversation any longer: those that show it end", async () => {
    const run = await start();
    const browser = await owner(run);
    await save(run, browser);
    const exchange = async (session: string): Promise<string> => {
      const body = { client_sdp: { type: "offer", sdp: "v=0 offer" } };
      expect((await run.send("POST", `/api/v1/session/${session}/exchange/`, body)).status).toBe(200);
      return run.media.exchanges.at(-1)?.characterFile ?? "";
    };
    const [shown, other] = [await run.newSession({ model_style: "anna-berg" }), await run.newSession()];
    const copy = await exchange(shown);
    await exchange(other);
    expect(await run.service.sweep()).toBe(0);
    expect(existsSync(copy)).toBe(true);

    await browser.send("DELETE", `${path}anna-berg/`);
    run.pass(4);
    expect(await run.service.sweep()).toBe(1);
    expect(existsSync(copy)).toBe(false);
    expect((await run.status(shown)).termination_reason).toBe("GRACEFUL_TERMINATION");
    expect((await run.status(other)).termination_reason).toBeNull();
  });

  test("is not drawn by callers any longer either: sessions whose client draws it end too", async () => {
    const run = await start();
    const browser = await owner(run);
    await save(run, browser);
    const drawn = await run.newSession({ model_style: "anna-berg", capability: ["STF_ONPREMISE"] });
    const body = { client_sdp: { type: "offer", sdp: "v=0 offer" } };
    expect((await run.send("POST", `/api/v1/session/${drawn}/exchange/`, body)).status).toBe(200);
    await browser.send("DELETE", `${path}anna-berg/`);
    run.pass(4);
    expect(await run.service.sweep()).toBe(1);
    expect((await run.status(drawn)).termination_reason).toBe("GRACEFUL_TERMINATION");
  });

  test("keeps its name for what still names it: another one gets a name of its own", async () => {
    const run = await start();
    const browser = await owner(run);
    await save(run, browser);
    await browser.send("DELETE", `${path}anna-berg/`);
    expect(await jsonOf(save(run, browser))).toMatchObject({ name: "anna-berg-2" });
  });

  test("cannot be one that is drawn", async () => {
    const run = await start();
    const browser = await owner(run);
    expect((await browser.send("DELETE", `${path}mina/`)).status).toBe(404);
  });
});
