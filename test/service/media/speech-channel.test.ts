import { expect, test } from "vitest";
import { speechPartSchema, type SpeechPart } from "../../../src/protocol/speech/speech-part.ts";
import type { Received } from "./client-process.ts";
import type { MediaClient } from "./media-client.ts";
import { lookOf, mediaStand, ofType, tone } from "./media-stand.ts";

const stand = mediaStand();

const words = [{ text: "Hello", start: 0.25, end: 2_000 }];
const visemes = Array.from({ length: 40 }, (_, i) => ({
  viseme: i % 2 ? ("aa" as const) : ("PP" as const),
  start: i * 50,
  end: (i + 1) * 50,
}));

/** A session without video. */
async function connect(): Promise<MediaClient> {
  const speech = tone(440, 2_000);
  if (!speech.ok) throw new Error("no tone");
  const spoken = { ...speech, speech: { ...speech.speech, words, visemes } };
  stand.hooks = {
    synthesize: () => Promise.resolve(spoken),
    template: () => Promise.resolve(lookOf("mina")),
  };
  const client = stand.newClient({}, "audio-only");
  await stand.exchange(client);
  return client;
}

const partsOf = ({ parts }: Received): SpeechPart[] =>
  parts.map((text) => speechPartSchema.parse(JSON.parse(text)));

test("a client that opens the channel `speech` gets timelines there, in packets that come again", async () => {
  const client = await connect();
  await client.takeParts();
  await client.send("ttstf", { message: "Hello" });
  const received = await client.until("the parts", (seen) => {
    const told = partsOf(seen);
    const first = told.filter(({ from, duration }) => from === 0 && duration > 0);
    return first.length >= 3 && told.some(({ caption }) => caption) && ofType(seen, "stf").length > 0;
  });
  const [greeting, ...told] = partsOf(received);
  const parts = told.filter(({ duration }) => duration > 0);
  expect(greeting).toMatchObject({ speech: 0, duration: 0 });
  expect(new Set(parts.map(({ speech }) => speech))).toEqual(new Set([1]));
  const first = parts.filter(({ from }) => from === 0);
  expect(first).toHaveLength(3);
  expect(first[0]).toMatchObject({ duration: 2_000, accents: [[0, 2_000, expect.any(Number)]] });
  expect(first[0]?.visemes).toMatch(/^PP50aa50PP50/);
  expect(told.find(({ caption }) => caption)?.caption).toEqual({
    message: "Hello",
    duration: 2_000,
    words: ["Hello"],
    times: [0, 2_000],
  });
  for (const text of received.parts) expect(text.length).toBeLessThan(1_120);
  const { data } = ofType(received, "stf")[0] ?? {};
  expect(data).toEqual({
    message: "Hello",
    duration: 2_000,
    words: [{ text: "Hello", start: 0, end: 2_000 }],
    speech: 1,
  });
});

test("a stopped speech sends no more parts, and the next one has the next number", async () => {
  const client = await connect();
  await client.takeParts();
  await client.send("ttstf", { message: "One" });
  await client.until("the first part", (seen) => seen.parts.length > 1);
  await client.send("clear-buffer", {});
  await client.send("ttstf", { message: "Two" });
  const received = await client.until("both", (seen) => ofType(seen, "stf").length === 2);
  expect(ofType(received, "stf").map(({ data }) => data["speech"])).toEqual([1, 2]);
  const numbers = partsOf(received).map(({ speech }) => speech);
  expect(numbers.slice(numbers.indexOf(2)).includes(1)).toBe(false);
});

test("a second channel is closed, and the first one goes on", async () => {
  const client = await connect();
  expect(await client.takeParts()).toBe("open");
  expect(await client.takeParts()).toBe("closed");
  await client.send("ttstf", { message: "Hello" });
  await client.until("the parts", (seen) => seen.parts.length > 3);
});

test("without that channel the notice has all, whole ms", async () => {
  const client = await connect();
  await client.send("ttstf", { message: "Hello" });
  const received = await client.until("the notice", (seen) => ofType(seen, "stf").length > 0);
  expect(received.parts).toEqual([]);
  const { data = {} } = ofType(received, "stf")[0] ?? {};
  expect(data).toMatchObject({ visemes, words: [{ start: 0, end: 2_000 }] });
  expect(data).not.toHaveProperty("speech");
});
