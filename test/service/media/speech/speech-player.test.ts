import { beforeEach, describe, expect, it } from "vitest";
import type { SpeechOutcome } from "../../../../src/service/media/media-engine.ts";
import { SpeechPlayer } from "../../../../src/service/media/speech/speech-player.ts";

/** 30 ms of a steady level. */
const speech: SpeechOutcome = {
  ok: true,
  speech: { sampleRateHz: 48_000, pcm: new Int16Array(1_440).fill(8_000), words: [], visemes: [] },
};

let asked: string[];
let abandoned: string[];
let started: string[];
let faults: string[];
let answers: Map<string, (outcome: SpeechOutcome) => void>;
let player: SpeechPlayer;
const chunk = new Int16Array(480);

beforeEach(() => {
  [asked, abandoned, started, faults, answers] = [[], [], [], [], new Map()];
  player = new SpeechPlayer({
    request({ text, rate }) {
      asked.push(rate === 1 ? text : `${text} at ${rate}`);
      return {
        outcome: new Promise((resolve) => answers.set(text, resolve)),
        abandon: () => abandoned.push(text),
      };
    },
    onStart: (text) => started.push(text),
    guard: (handler) => handler,
    onFault: (text, code) => faults.push(`${text}: ${code}`),
  });
});

/** Says these texts one after another. */
const say = (...texts: string[]): void => texts.forEach((text) => player.say(text));

/** The speech of these texts comes, or something else instead. */
async function answer(...texts: (string | SpeechOutcome)[]): Promise<void> {
  const outcome = texts.find((text) => typeof text !== "string") ?? speech;
  for (const text of texts) {
    if (typeof text === "string") answers.get(text)!(outcome);
    await Promise.resolve();
    await Promise.resolve();
  }
}

function play(chunks: number): number[] {
  return Array.from({ length: chunks }, () => {
    player.fill(chunk);
    return chunk[479]!;
  });
}

describe("the speech player", () => {
  it("plays the current speech to its end while held, and starts the next when it is let go", async () => {
    say("one", "two");
    await answer("one", "two");
    play(1);
    player.hold(true);
    expect(play(6).slice(2)).toEqual([0, 0, 0, 0]);
    expect([started, player.isPlaying]).toEqual([["one"], false]);
    player.hold(false);
    expect(play(1)[0]).not.toBe(0);
    expect(started).toEqual(["one", "two"]);
  });

  it("is silent until speech has arrived, then plays it to its end", async () => {
    say("one");
    expect(play(2)).toEqual([0, 0]);
    await answer("one");
    expect(play(4)).toEqual([8_000, 8_000, 8_000, 0]);
    expect(player.isBusy).toBe(false);
  });

  it("synthesizes texts one at a time, and only a few ahead", async () => {
    say("one", "two", "three", "four");
    expect(asked).toEqual(["one"]);
    await answer("one");
    expect(asked).toEqual(["one", "two"]);
    await answer("two");
    expect(asked).toEqual(["one", "two"]);
    play(1);
    expect(asked).toEqual(["one", "two", "three"]);
    await answer("three");
    play(4);
    expect(started).toEqual(["one", "two"]);
  });

  it("reports an error at its place and continues", async () => {
    say("one", "two");
    await answer("one", { ok: false, code: "unspeakable_text", detail: "" });
    await answer("two");
    play(2);
    expect(faults).toEqual(["one: unspeakable_text"]);
    expect(started).toEqual(["two"]);
  });

  it("fades out within 20 ms when it is cleared, and cancels the synthesis", async () => {
    say("one", "two", "three");
    await answer("one");
    play(1);
    player.clear();
    player.fill(chunk);
    const first = [...chunk];
    player.clear();
    player.fill(chunk);
    const faded = [...first, ...chunk];
    expect(faded[0]).toBe(8_000);
    const steps = faded.map((sample, index) => (faded[index - 1] ?? 8_000) - sample);
    expect(Math.max(...steps)).toBeLessThan(20);
    expect(Math.min(...steps)).toBe(0);
    expect(faded.at(-1)).toBe(0);
    expect(abandoned).toEqual(["two"]);
    expect(play(2)).toEqual([0, 0]);
    expect(started).toEqual(["one"]);
  });

  it("speaks again after it was cleared", async () => {
    say("one");
    await answer("one");
    play(1);
    player.clear();
    say("two");
    await answer("two");
    const [fading, ...rest] = play(4);
    expect(fading).toBeLessThan(8_000);
    expect(rest).toEqual([0, 8_000, 8_000]);
  });

  it("requests the speech of waiting texts again when the rate changes, and plays the present text to its end", async () => {
    say("one", "two", "three");
    await answer("one");
    play(1);
    await answer("two");
    expect(asked).toEqual(["one", "two", "three"]);
    player.rate = 1.5;
    expect(abandoned).toEqual(["three"]);
    expect(asked.slice(3)).toEqual(["two at 1.5"]);
    expect(play(3)).toEqual([8_000, 8_000, 0]);
    await answer("two", "three");
    play(4);
    expect(started).toEqual(["one", "two", "three"]);
    expect(asked.slice(3)).toEqual(["two at 1.5", "three at 1.5"]);
    player.rate = 1.5;
    expect(asked).toHaveLength(5);
  });

  it("keeps the speech of an uploaded file when the rate changes", async () => {
    let requests = 0;
    const request = () => {
      requests += 1;
      return { outcome: Promise.resolve(speech), abandon: () => abandoned.push("a file") };
    };
    player.play("a file", { request });
    player.rate = 2;
    await answer(speech);
    play(1);
    expect([requests, abandoned, started]).toEqual([1, [], ["a file"]]);
  });

  it("plays the next sentence without a gap while each is synthesized faster than the one before is spoken", async () => {
    const texts = ["one", "two", "three", "four"];
    say(...texts);
    await answer("one");
    const heard: number[] = [];
    for (const next of ["two", "three", "four", ""]) {
      heard.push(...play(2));
      // The next one arrives while this one is spoken.
      if (next) await answer(next);
      heard.push(...play(1));
    }
    expect(heard).toEqual(Array.from({ length: 12 }, () => 8_000));
    expect(started).toEqual(texts);
  });

  it("refuses more than 64 waiting texts", () => {
    for (let count = 0; count < 65; count++) player.say(`text ${count}`);
    expect(faults).toEqual(["text 64: engine_failed"]);
  });
});
