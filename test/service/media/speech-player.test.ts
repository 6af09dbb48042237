import { beforeEach, describe, expect, it } from "vitest";
import type { SpeechOutcome } from "../../../src/service/media/media-engine.ts";
import { SpeechPlayer } from "../../../src/service/media/speech-player.ts";

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
    request(text) {
      asked.push(text);
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

async function answer(text: string, outcome: SpeechOutcome = speech): Promise<void> {
  answers.get(text)!(outcome);
  await Promise.resolve();
  await Promise.resolve();
}

function play(chunks: number): number[] {
  return Array.from({ length: chunks }, () => {
    player.fill(chunk);
    return chunk[479]!;
  });
}

describe("the speech player", () => {
  it("is silent until speech is there, then plays it to its end", async () => {
    player.say("one");
    expect(play(2)).toEqual([0, 0]);
    await answer("one");
    expect(play(4)).toEqual([8_000, 8_000, 8_000, 0]);
    expect(player.isBusy).toBe(false);
  });

  it("has texts made into speech one at a time, and only a few ahead", async () => {
    for (const text of ["one", "two", "three", "four"]) player.say(text);
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

  it("tells a fault in its turn and goes on", async () => {
    player.say("one");
    player.say("two");
    await answer("one", { ok: false, code: "unspeakable_text", detail: "" });
    await answer("two");
    play(2);
    expect(faults).toEqual(["one: unspeakable_text"]);
    expect(started).toEqual(["two"]);
  });

  it("fades out within one chunk when it is cleared, and abandons what is being made", async () => {
    player.say("one");
    player.say("two");
    player.say("three");
    await answer("one");
    play(1);
    player.clear();
    player.fill(chunk);
    expect(chunk[0]).toBe(8_000);
    const steps = Array.from(chunk, (sample, index) => (chunk[index - 1] ?? 8_000) - sample);
    expect(Math.max(...steps)).toBeLessThan(100);
    expect(Math.min(...steps)).toBe(0);
    expect(chunk[144]).toBe(0);
    expect(abandoned).toEqual(["two"]);
    expect(play(2)).toEqual([0, 0]);
    expect(started).toEqual(["one"]);
  });

  it("speaks again after it was cleared", async () => {
    player.say("one");
    await answer("one");
    play(1);
    player.clear();
    player.say("two");
    await answer("two");
    expect(play(3)).toEqual([0, 8_000, 8_000]);
  });

  it("refuses more than 64 waiting texts", () => {
    for (let count = 0; count < 65; count++) player.say(`text ${count}`);
    expect(faults).toEqual(["text 64: engine_failed"]);
  });
});
