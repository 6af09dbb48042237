import { createCanvas } from "@napi-rs/canvas";
import { expect, test } from "vitest";
import type { Scene, SpeechOutcome } from "../../../src/service/media/media-engine.ts";
import type { SeenPicture } from "./client-process.ts";
import type { MediaClient } from "./media-client.ts";
import { characterFile, lookOf, mediaStand, ofType, tone } from "./media-stand.ts";
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

/** A tone with the timeline of a word. */
function spokenHello(): Promise<SpeechOutcome> {
  const speech = tone();
  if (!speech.ok) throw new Error("no tone");
  const words = [{ text: "Hello", start: 0, end: 500 }];
  const visemes = [{ viseme: "aa", start: 0, end: 500 }] as const;
  return Promise.resolve({ ok: true, speech: { ...speech.speech, words, visemes: [...visemes] } });
}

/** What a client that draws the avatar itself is told of it. */
const helloTimeline = {
  message: "Hello",
  duration: 500,
  words: [{ text: "Hello", start: 0, end: 500 }],
  visemes: [{ viseme: "aa", start: 0, end: 500 }],
  accents: [{ start: 0, end: 500 }],
  loudness: expect.any(Array),
};

interface Exchange {
  scene?: Scene;
  matte?: "none" | "packed-alpha" | undefined;
}

async function connect({ scene = { paddings, background: null }, matte }: Exchange): Promise<MediaClient> {
  const client = stand.newClient();
  await stand.exchange(client, "one", false, { matte, scene });
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
    const client = stand.newClient();
    const scene = { paddings, background: name };
    await stand.exchange(client, name, false, { matte: undefined, scene });
    const first = await client.until("a picture", ({ pictures }) => pictures > 0);
    expect(first.lastPicture).toMatchObject({ width: 960, height: 540 });
    difference = Math.abs(first.lastPicture!.cornerMean - white);
  }
  expect(difference).toBeLessThan(4);
});

test("the last of many requested sizes is sent, also when it was requested twice, with even sides", async () => {
  const client = await connect({});
  await picture(client, isSized(960, 540));
  for (const width of [500, 300, 241, 241]) await client.send("change-size", { width, height: 401 });
  await picture(client, isSized(242, 402));
});

test("packed alpha is sent on request; a further offer of the same connection keeps it, a new connection must request it again", async () => {
  const client = stand.newClient();
  const offer = async (from: MediaClient, matte?: "packed-alpha") => {
    const answer = await stand.engine.exchange({
      sessionId: "one",
      offerSdp: await from.offer(),
      characterFile: characterFile("mina"),
      matte,
    });
    await from.accept(answer.answerSdp);
    return answer.matte;
  };
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
    const client = stand.newClient();
    await stand.exchange(client, name, false, { matte: undefined, scene: { paddings, background: name } });
    const seen = await picture(client, isSized(960, 540));
    expect(seen.cornerMean, name).toBeGreaterThan(200);
    expect(seen.cornerMean, name).toBeLessThan(225);
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
  const scene = (changed: Partial<Scene["paddings"]>): Scene => ({
    paddings: { ...paddings, ...changed },
    background: "wall",
  });
  const outside = await connect({ scene: scene({ padding_left: 1, padding_top: 1 }) });
  const seen = await picture(outside, () => true);
  expect(Math.abs(seen.matteMean - white)).toBeLessThan(4);
  const none = stand.newClient();
  await stand.exchange(none, "none", false, { matte: undefined, scene: scene({ padding_height: 0 }) });
  expect(Math.abs((await picture(none, () => true)).matteMean - white)).toBeLessThan(4);
  const large = stand.newClient();
  await stand.exchange(large, "large", false, { matte: undefined, scene: scene({ padding_height: 4 }) });
  expect((await picture(large, () => true)).matteMean).toBeLessThan(220);
});

test("switching the character keeps video format, size, position and background", async () => {
  stand.hooks.background = () => Promise.resolve(image("white"));
  stand.hooks.template = () => Promise.resolve(lookOf("tomas"));
  const client = await connect({ scene: { paddings, background: "wall" } });
  await client.send("change-size", { width: 400, height: 600 });
  const before = await picture(client, isSized(400, 600));
  await client.send("set-template", { model: "tomas" });
  const after = await picture(client, ({ matteMean }) => Math.abs(matteMean - before.matteMean) > 2);
  expect(after).toMatchObject({ width: 400, height: 600 });
  expect(Math.abs(after.cornerMean - before.cornerMean)).toBeLessThan(3);
});

test("an offer without a video section gets no video, and a later offer can add it", async () => {
  const backgrounds: string[] = [];
  stand.hooks = { synthesize: spokenHello, background: (_, name) => Promise.resolve(noted(name)) };
  const noted = (name: string): Uint8Array => {
    backgrounds.push(name);
    return image("white");
  };
  const client = stand.newClient({}, "audio-only");
  // Not one of the tests before: the process keeps those.
  const scene = { paddings, background: "later wall" };
  const request = { sessionId: "one", characterFile: characterFile("mina"), scene };
  const first = await stand.engine.exchange({ ...request, offerSdp: await client.offer() });
  expect(first.matte).toBeNull();
  expect(first.answerSdp).not.toContain("m=video");
  await client.accept(first.answerSdp);
  await client.send("ttstf", { message: "Hello" });
  const spoken = await client.until("speech", (received) => ofType(received, "stf").length > 0);
  expect(ofType(spoken, "stf")[0]!.data).toMatchObject(helloTimeline);
  // Nothing of the picture is prepared, so its background is not fetched either.
  expect(backgrounds).toEqual([]);
  await client.addVideo();
  const second = await stand.engine.exchange({ ...request, offerSdp: await client.offer() });
  expect(second.matte).toBe("none");
  await client.accept(second.answerSdp);
  await picture(client, isSized(960, 540));
  expect(backgrounds).toEqual(["later wall"]);
  await client.send("ttstf", { message: "Again" });
  const again = await client.until("speech", (received) => ofType(received, "stf").length > 1);
  expect(Object.keys(ofType(again, "stf")[1]!.data as object).sort()).toEqual([
    "duration",
    "message",
    "words",
  ]);
});

test("a session whose caller draws the avatar gets sound, messages and the data for drawing, and no video even if it is offered", async () => {
  stand.hooks.synthesize = spokenHello;
  const client = stand.newClient();
  const { answerSdp, matte } = await stand.engine.exchange({
    sessionId: "one",
    offerSdp: await client.offer(),
    characterFile: null,
  });
  expect(matte).toBeNull();
  await client.accept(answerSdp);
  await client.send("ttstf", { message: "Hello" });
  const seen = await client.until("speech", (received) => ofType(received, "stf").length > 0);
  expect(ofType(seen, "stf")[0]!.data).toMatchObject(helloTimeline);
  const heard = await client.until("sound", (received) => received.heard.some(([, peak]) => peak > 1_000));
  expect(heard.pictures).toBe(0);
  stand.hooks.template = () => Promise.resolve(lookOf("tomas"));
  await client.send("set-template", { model: "tomas" });
  const told = await client.until("the look", (received) => ofType(received, "template").length > 0);
  expect(ofType(told, "template")[0]!.data).toEqual(lookOf("tomas").drawn);
});

test("a text that cannot be spoken is reported, and then finished by a notice with length 0", async () => {
  stand.hooks.synthesize = () =>
    Promise.resolve({ ok: false, code: "unspeakable_text", detail: "No letters." });
  const client = await connect({ matte: "packed-alpha" });
  await client.send("ttstf", { message: "☂" });
  const seen = await client.until("the notice", (received) => ofType(received, "stf").length > 0);
  expect(seen.messages.map(({ type, data }) => [type, data["message"], data["duration"]])).toEqual([
    ["stf-error", "☂", undefined],
    ["stf", "☂", 0],
  ]);
});
