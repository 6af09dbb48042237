import { createCanvas } from "@napi-rs/canvas";
import { expect, test } from "vitest";
import type { Scene, WantedTemplate } from "../../../src/service/media/media-engine.ts";
import type { SeenPicture } from "./client-process.ts";
import type { MediaClient } from "./media-client.ts";
import { isAudible, lookOf, mediaStand, ofType, tone } from "./media-stand.ts";
import { until } from "../../patience.ts";

const stand = mediaStand();

const white = 235;
const paddings = { padding_left: 0, padding_top: 0, padding_height: 1 };

/** A background image of one colour, as a file. */
function image(colour: string, size = { width: 320, height: 180 }): Uint8Array {
  const canvas = createCanvas(size.width, size.height);
  const ctx = canvas.getContext("2d");
  ctx.fillStyle = colour;
  ctx.fillRect(0, 0, size.width, size.height);
  return canvas.toBuffer("image/png");
}

const hello = {
  words: [{ text: "Hello", start: 0, end: 500 }],
  visemes: [{ viseme: "aa" as const, start: 0, end: 500 }],
};
const spokenHello = () => Promise.resolve(tone(440, 500, hello));

/** What a client that draws the avatar itself is told of it. */
const helloTimeline = {
  ...{ message: "Hello", duration: 500, ...hello },
  ...{ accents: [{ start: 0, end: 500 }], loudness: expect.any(Array) as unknown },
};

/** A client of a session, whose picture is finished unless `matte` says something else. */
async function connect(request: Parameters<typeof stand.exchange>[1] = {}): Promise<MediaClient> {
  const client = stand.newClient();
  const scene = { paddings, background: null };
  await stand.exchange(client, { matte: undefined, scene, ...request });
  return client;
}

async function picture(client: MediaClient, isMeant: (seen: SeenPicture) => boolean): Promise<SeenPicture> {
  const seen = await client.until("the picture", ({ lastPicture }) => !!lastPicture && isMeant(lastPicture));
  return seen.lastPicture!;
}

const isSized =
  (width: number, height: number) =>
  (seen: SeenPicture): boolean =>
    seen.width === width && seen.height === height;

test("a client without video options gets a finished picture with its background, from the first frame", async () => {
  stand.hooks.background = (_sessionId, name) =>
    Promise.resolve(name.endsWith("wall") ? image("white") : null);
  // Pictures wait for it for one second. A busy machine may take longer now and then.
  let difference = Infinity;
  for (const name of ["wall", "second wall", "third wall"]) {
    if (difference < 4) break;
    const client = await connect({ sessionId: name, scene: { paddings, background: name } });
    const first = await client.until("a picture", ({ pictures }) => pictures > 0);
    expect(first.lastPicture).toMatchObject({ width: 960, height: 540 });
    difference = Math.abs(first.lastPicture!.cornerMean - white);
  }
  expect(difference).toBeLessThan(4);
});

test("the last of many requested sizes is sent, also when it was requested twice, with even sides", async () => {
  const client = await connect();
  await picture(client, isSized(960, 540));
  for (const width of [500, 300, 241, 241]) await client.send("change-size", { width, height: 401 });
  await picture(client, isSized(242, 402));
});

test("packed alpha is sent on request; a further offer of the same connection keeps it, a new connection must request it again", async () => {
  const offer = async (from: MediaClient, matte?: "packed-alpha") =>
    (await stand.exchange(from, { matte })).matte;
  const client = stand.newClient();
  expect(await offer(client, "packed-alpha")).toBe("packed-alpha");
  await picture(client, isSized(256, 512));
  expect(await offer(client)).toBe("packed-alpha");
  const other = stand.newClient();
  expect(await offer(other)).toBe("none");
  await picture(other, isSized(960, 540));
  expect(await offer(other, "packed-alpha")).toBe("packed-alpha");
  await picture(other, isSized(256, 512));
});

test("a background that cannot be loaded, is not an image or is too large is replaced by a plain one, and the log says so", async () => {
  const faults: [string, Uint8Array | null][] = [
    ["gone", null],
    ["text", Buffer.from("this is no image")],
    ["cut", image("white").subarray(0, 60)],
    ["huge", image("white", { width: 4_097, height: 4_096 })],
  ];
  for (const [name, bytes] of faults) {
    stand.hooks.background = () => Promise.resolve(bytes);
    stand.told.warnings.length = 0;
    const client = await connect({ sessionId: name, scene: { paddings, background: name } });
    const seen = await picture(client, isSized(960, 540));
    expect(Math.abs(seen.cornerMean - 212), name).toBeLessThan(13);
    await until("the warning", () => stand.told.warnings.some((text) => text.includes("background")));
    stand.engine.close(name);
  }
});

test("pictures start without a slow background, and show it when it has arrived", async () => {
  let deliver: (bytes: Uint8Array) => void = () => undefined;
  stand.hooks.background = () => new Promise((resolve) => (deliver = resolve));
  const client = await connect({ scene: { paddings, background: "late" } });
  await picture(client, ({ cornerMean }) => cornerMean < 225);
  deliver(image("white"));
  await picture(client, ({ cornerMean }) => Math.abs(cornerMean - white) < 4);
});

test("paddings place the avatar: moved out of the frame it is invisible, larger it covers the corner", async () => {
  stand.hooks.background = () => Promise.resolve(image("white"));
  const placed = (sessionId: string, changed: Partial<Scene["paddings"]>): Promise<MediaClient> =>
    connect({ sessionId, scene: { paddings: { ...paddings, ...changed }, background: "wall" } });
  for (const [name, changed] of [
    ["outside", { padding_left: 1, padding_top: 1 }],
    ["none", { padding_height: 0 }],
  ] as const) {
    const { matteMean } = await picture(await placed(name, changed), () => true);
    expect(Math.abs(matteMean - white), name).toBeLessThan(4);
  }
  const large = await placed("large", { padding_height: 4 });
  expect((await picture(large, () => true)).matteMean).toBeLessThan(220);
});

/** Asks for looks, of which the catalogue has two. Resolves with those that were asked for. */
function catalogue(): WantedTemplate[] {
  const wanted: WantedTemplate[] = [];
  stand.hooks.template = (_sessionId, template) => {
    wanted.push(template);
    const isKnown = template.model === "mina" || template.model === "tomas";
    return Promise.resolve(isKnown ? lookOf(template.model!) : null);
  };
  return wanted;
}

test("the last of many looks is drawn, and keeps video format, size, position and background", async () => {
  catalogue();
  stand.hooks.background = () => Promise.resolve(image("white"));
  const client = await connect({ scene: { paddings, background: "wall" } });
  await client.send("change-size", { width: 400, height: 600 });
  const before = await picture(client, isSized(400, 600));
  for (const model of ["tomas", "mina", "nobody", "tomas"]) await client.send("set-template", { model });
  const after = await picture(client, ({ matteMean }) => Math.abs(matteMean - before.matteMean) > 2);
  expect(after).toMatchObject({ width: 400, height: 600 });
  expect(Math.abs(after.cornerMean - before.cornerMean)).toBeLessThan(3);
});

test("a look is changed in mid-sentence, and the sentence continues", async () => {
  catalogue();
  const visemes = [{ viseme: "aa" as const, start: 0, end: 120_000 }];
  stand.hooks.synthesize = () => Promise.resolve(tone(440, 120_000, { words: [], visemes }));
  const client = await stand.connect();
  await client.send("motion", { reduced: true });
  const before = await client.until("a steady picture", ({ pictures }) => pictures > 20);
  await client.send("ttstf", { message: "Ah." });
  await client.until("the sound", ({ heard }) => heard.some(isAudible));
  await client.send("set-template", { model: "tomas" });
  const matteOfMina = before.lastPicture!.matteMean;
  const after = await picture(client, ({ matteMean }) => Math.abs(matteMean - matteOfMina) > 4);
  expect(after).toMatchObject({ width: 256, height: 512 });
  await client.forget();
  await client.until("the rest of the sound", ({ heard }) => heard.some(isAudible));
  expect(ofType(await client.received(), "stf")).toHaveLength(1);
});

test("a look that the catalogue does not have is ignored, with one warning", async () => {
  const wanted = catalogue();
  const client = await stand.connect();
  await client.send("set-template", { model: "nobody" });
  await until("the question", () => wanted.length === 1);
  await client.send("set-template", { dress: "festive" });
  await until("the other question", () => wanted.length === 2);
  await client.send("ping", {});
  await client.until("the answer", (seen) => ofType(seen, "ping").length === 1);
  expect(wanted).toEqual([
    { model: "nobody", dress: undefined },
    { model: undefined, dress: "festive" },
  ]);
  expect(stand.told.warnings).toHaveLength(1);
  expect(ofType(await client.received(), "template")).toEqual([]);
});

test("an offer without a video section gets no video, and a later offer can add it", async () => {
  const backgrounds: string[] = [];
  stand.hooks = {
    synthesize: spokenHello,
    background(_sessionId, name) {
      backgrounds.push(name);
      return Promise.resolve(image("white"));
    },
  };
  const client = stand.newClient({}, "audio-only");
  // Not one of the tests before: the process keeps those.
  const request = { matte: undefined, scene: { paddings, background: "later wall" } };
  const first = await stand.exchange(client, request);
  expect(first.matte).toBeNull();
  expect(first.answerSdp).not.toContain("m=video");
  await client.send("ttstf", { message: "Hello" });
  const spoken = await client.until("speech", (received) => ofType(received, "stf").length > 0);
  expect(ofType(spoken, "stf")[0]!.data).toMatchObject(helloTimeline);
  // Nothing of the picture is prepared, so its background is not fetched either.
  expect(backgrounds).toEqual([]);
  await client.addVideo();
  expect((await stand.exchange(client, request)).matte).toBe("none");
  await picture(client, isSized(960, 540));
  expect(backgrounds).toEqual(["later wall"]);
  await client.send("ttstf", { message: "Again" });
  const again = await client.until("speech", (received) => ofType(received, "stf").length > 1);
  expect(Object.keys(ofType(again, "stf")[1]!.data).sort()).toEqual(["duration", "message", "words"]);
});

test("a session whose caller draws the avatar gets sound, messages and what to draw, and no video even if it is offered", async () => {
  catalogue();
  stand.hooks.synthesize = spokenHello;
  const client = stand.newClient();
  const { matte } = await stand.exchange(client, { characterFile: null, matte: undefined });
  expect(matte).toBeNull();
  await client.send("ttstf", { message: "Hello" });
  const seen = await client.until("speech", (received) => ofType(received, "stf").length > 0);
  expect(ofType(seen, "stf")[0]!.data).toMatchObject(helloTimeline);
  const heard = await client.until("sound", (received) => received.heard.some(isAudible));
  expect(heard.pictures).toBe(0);
  await client.send("set-template", { model: "tomas" });
  const expectLook = async (of: MediaClient): Promise<void> => {
    const told = await of.until("the look", (received) => ofType(received, "template").length > 0);
    expect(ofType(told, "template").map(({ data }) => data)).toEqual([lookOf("tomas").drawn]);
  };
  await expectLook(client);
  // Another client of the session is told later, too.
  const next = stand.newClient({}, "audio-only");
  await stand.exchange(next, { characterFile: null, matte: undefined });
  await expectLook(next);
});
