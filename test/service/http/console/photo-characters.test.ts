import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCanvas } from "@napi-rs/canvas";
import { describe, expect } from "vitest";
import type { FormResources } from "../../../../src/protocol/console/form-resources.ts";
import type { PhotoCharacterView } from "../../../../src/protocol/console/photo-characters.ts";
import { photoFile, photoMinaBeforeTiles } from "../../../photo/photo-fixture.ts";
import { filled, errorsOf, statusOf } from "../../answers.ts";
import { temporaryFolder, type RunningService } from "../../service-fixture.ts";
import {
  invited,
  jsonOf,
  origin,
  owner,
  runConsole,
  type Browser,
  test as consoleTest,
} from "./console-fixture.ts";

const path = "/api/console/photo-characters/";
const character = readFileSync(photoFile);
const still = (side: number): Uint8Array => createCanvas(side, side).toBuffer("image/webp");

/** Sends what the console sends. `changes`: other texts and files; null leaves one out. */
function save(
  run: RunningService,
  { cookie }: Browser,
  changes: Record<string, string | Uint8Array | null> = {},
) {
  const sent: typeof changes = {
    ...{ title: "Anna Berg", consent: "self", stated_by: "Anna Berg", character },
    ...{ poster: still(512), porthole: still(160), ...changes },
  };
  const body = new FormData();
  for (const [name, value] of Object.entries(sent)) if (value !== null) filled(body, { [name]: value });
  const headers = { Cookie: cookie, Origin: origin, "X-Requested-With": "fetch" };
  return run.request(path, { method: "POST", headers, body });
}

const publicFolder = "public";
const test = consoleTest.extend("run", () => runConsole({ publicFolder }));

const listed = (browser: Browser): Promise<PhotoCharacterView[]> => jsonOf(browser.get(path));
const remove = (browser: Browser, name = "anna-berg") => statusOf(browser.send("DELETE", `${path}${name}/`));

async function faceOf(browser: Browser, name = "anna-berg") {
  const resources = browser.get("/api/console/b2c/form-resources/");
  return (await jsonOf<FormResources>(resources)).model_styles.find((style) => style.name === name);
}

const exchange = async (run: RunningService, session: string): Promise<string> => {
  const body = { client_sdp: { type: "offer", sdp: "v=0 offer" } };
  await jsonOf(run.send("POST", `/api/v1/session/${session}/exchange/`, body));
  return run.media.exchanges.at(-1)?.characterFile ?? "";
};

describe("a face from a photograph", () => {
  test("is a model style, with who stated what, when, and with which account", async ({ run }) => {
    const editor = await invited(run, "editor", "Ben");
    const made = await jsonOf<PhotoCharacterView>(save(run, editor, { consent: "written" }));
    expect(made).toMatchObject({
      ...{ name: "anna-berg", title: "Anna Berg", used_by: [], is_shared: false },
      consent: { kind: "written", stated_by: "Anna Berg", account: "Ben" },
    });
    expect(Date.parse(made.consent?.stated_at ?? "")).not.toBeNaN();
    expect(await listed(editor)).toEqual([made]);
    expect(await faceOf(editor)).toMatchObject({ platform_type: "webrtc" });
    const poster = await run.get(made.poster);
    expect(poster.status).toBe(200);
    expect(Buffer.from(await poster.arrayBuffer()).toString("latin1")).toContain("compositeSynthetic");
  });

  test("says whether it has kept what was behind the person, which then reaches the edges of its frame", async ({
    run,
    browser,
  }) => {
    const kept = expect.objectContaining({ key: "background", value: "kept" }) as unknown;
    await save(run, browser);
    expect((await faceOf(browser))?.configs).not.toContainEqual(kept);
    const layers = Buffer.from(JSON.stringify(photoMinaBeforeTiles()));
    await save(run, browser, { title: "Before tiles", character: layers });
    expect((await faceOf(browser, "before-tiles"))?.configs).toContainEqual(kept);
  });

  test("is listed, so that it can be removed, where the statement about it is damaged", async () => {
    const folder = temporaryFolder();
    const run = await runConsole({ publicFolder }, { folder });
    const browser = await owner(run);
    await save(run, browser);
    const files = readdirSync(join(folder, "files")).filter((name) => name.endsWith("-consent"));
    expect(files).toHaveLength(1);
    writeFileSync(join(folder, "files", files[0]!), '{"statement": "The pho');
    expect(await listed(browser)).toMatchObject([{ name: "anna-berg", consent: null }]);
    expect(await remove(browser)).toBe(204);
  });

  test("shows who uses it", async ({ run, browser }) => {
    await save(run, browser);
    await run.configure({}, { model_style: "anna-berg" });
    expect((await listed(browser))[0]?.used_by).toMatchObject([{ id: run.demo.id }]);
  });

  test("gets a name of its own beside another one, whatever it is called", async ({ run, browser }) => {
    for (const title of ["Mina", "Mina", "한나", "Ángel"]) await save(run, browser, { title });
    expect((await listed(browser)).map(({ name }) => name)).toEqual(["mina-2", "mina-3", "photo", "angel"]);
  });

  /** As many landmarks as a file may have, all of them wrong. */
  const manyLandmarks = (): Buffer => {
    const landmarks = Array.from({ length: 400_000 }, () => 9);
    return Buffer.from(JSON.stringify({ ...(JSON.parse(character.toString()) as object), landmarks }));
  };

  test.for<[what: string, attr: string, changes: Record<string, string | Uint8Array | null>]>([
    ["without a statement", "consent", { consent: null }],
    ["with another statement", "consent", { consent: "maybe" }],
    ["without somebody who states it", "stated_by", { stated_by: " " }],
    ["without a name", "title", { title: null }],
    ["without layers", "character", { character: null }],
    ["with layers that are no JSON", "character", { character: Buffer.from("{") }],
    ["with a photograph in place of layers", "character", { character: still(64) }],
    ["with layers of another format", "format", { character: Buffer.from('{"format":"visavis-puppet"}') }],
    ["with a text as poster", "poster", { poster: Buffer.from("no picture") }],
    ["with very many landmarks", "landmarks", { character: manyLandmarks() }],
    ["with a huge poster", "poster", { poster: createCanvas(1_200, 8).toBuffer("image/png") }],
  ])("%s is refused, and nothing is stored", async ([, attr, changes], { run, browser }) => {
    const refused = await save(run, browser, changes);
    expect(refused.status).toBe(400);
    expect((await errorsOf(refused)).map((error) => error.attr)).toContain(attr);
    expect(await listed(browser)).toEqual([]);
  });
});

describe("a face that is removed", () => {
  test("is gone with everything that shows the person, and a drawn one takes its place", async ({
    run,
    browser,
  }) => {
    const made = await jsonOf<PhotoCharacterView>(save(run, browser));
    expect(await remove(browser)).toBe(204);
    expect(await listed(browser)).toEqual([]);
    for (const address of [made.poster, made.porthole, made.poster.replace("poster", "character")])
      expect(await statusOf(run.get(address))).toBe(404);
    const { files = [], configs } = (await faceOf(browser)) ?? {};
    expect(files.find(({ name }) => name === "character")?.file).toContain("/characters/mina.json");
    expect(configs).toContainEqual(expect.objectContaining({ key: "kind", value: "removed-photograph" }));
  });

  test("is seen in no conversation any longer: those that show it end, also where the caller draws it", async ({
    run,
    browser,
  }) => {
    await save(run, browser);
    const face = { model_style: "anna-berg" };
    const [shown, other] = [await run.newSession(face), await run.newSession()];
    const drawn = await run.newSession({ ...face, capability: ["STF_ONPREMISE"] });
    const copy = await exchange(run, shown);
    for (const session of [other, drawn]) await exchange(run, session);
    expect(await run.service.sweep()).toBe(0);
    expect(existsSync(copy)).toBe(true);

    await remove(browser);
    run.pass(4);
    expect(await run.service.sweep()).toBe(2);
    expect(existsSync(copy)).toBe(false);
    for (const [session, reason] of [
      [shown, "GRACEFUL_TERMINATION"],
      [drawn, "GRACEFUL_TERMINATION"],
      [other, null],
    ] as const)
      expect((await run.status(session)).termination_reason).toBe(reason);
  });

  test("keeps its name for what still names it: another one gets a name of its own", async ({
    run,
    browser,
  }) => {
    await save(run, browser);
    await remove(browser);
    expect(await jsonOf(save(run, browser))).toMatchObject({ name: "anna-berg-2" });
  });

  test("cannot be one that is drawn", async ({ browser }) => {
    expect(await remove(browser, "mina")).toBe(404);
  });
});
