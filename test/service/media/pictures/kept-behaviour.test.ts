import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { parseCharacter, type Character, type SpeechTimeline } from "../../../../src/puppet/index.ts";
import { KeptBehaviour } from "../../../../src/service/media/pictures/kept-behaviour.ts";
import { characterFile } from "../media-stand.ts";

const timeline: SpeechTimeline = {
  visemes: [{ viseme: "aa", start: 0, end: 2_000 }],
  words: [{ text: "Ah", start: 0, end: 2_000 }],
};
let [mina, tomas]: Character[] = [];

beforeAll(() => {
  [mina, tomas] = ["mina", "tomas"].map((name) =>
    parseCharacter(JSON.parse(readFileSync(characterFile(name), "utf8"))),
  );
});

/** The sum of all mouth shape weights. */
function mouthAt(behaviour: KeptBehaviour, nowMs: number): number {
  return Object.values(behaviour.step(nowMs).visemeWeights ?? {}).reduce((sum, weight) => sum + weight, 0);
}

describe("a behaviour after a change of character", () => {
  it("continues in the middle of a word", () => {
    const behaviour = new KeptBehaviour(mina!, 1);
    behaviour.speak(timeline, 0);
    expect(mouthAt(behaviour, 1_000)).toBeGreaterThan(0.3);
    behaviour.changeCharacter(tomas!);
    expect(mouthAt(behaviour, 1_040)).toBeGreaterThan(0.3);
    expect(mouthAt(behaviour, 3_000)).toBe(0);
  });

  it("does not repeat speech that was stopped", () => {
    const behaviour = new KeptBehaviour(mina!, 1);
    behaviour.speak(timeline, 0);
    behaviour.step(500);
    behaviour.stopSpeaking(500);
    behaviour.changeCharacter(tomas!);
    expect(mouthAt(behaviour, 1_000)).toBe(0);
  });

  it("keeps reduced motion and activity", () => {
    const [changed, unchanged] = [new KeptBehaviour(mina!, 3), new KeptBehaviour(tomas!, 3)];
    for (const behaviour of [changed, unchanged]) {
      behaviour.setActivity("thinking");
      behaviour.setReducedMotion(true);
    }
    changed.changeCharacter(tomas!);
    for (let nowMs = 0; nowMs < 2_000; nowMs += 40)
      expect(changed.step(nowMs)).toEqual(unchanged.step(nowMs));
  });
});

describe("a behaviour that rests", () => {
  it("continues in the middle of a word that began meanwhile", () => {
    const behaviour = new KeptBehaviour(mina!, 1);
    behaviour.step(0);
    behaviour.rest();
    behaviour.speak(timeline, 100);
    expect(mouthAt(behaviour, 1_000)).toBeGreaterThan(0.3);
    expect(mouthAt(behaviour, 3_000)).toBe(0);
  });
});
