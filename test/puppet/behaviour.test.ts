import { describe, expect, it } from "vitest";
import type { Behaviour, PuppetParams, SpeechTimeline, Viseme } from "../../src/puppet/index.ts";
import { createPuppetBehaviour, createRig, visemes } from "../../src/puppet/index.ts";
import { Path2D } from "@napi-rs/canvas";
import { loadCharacter } from "./load-character.ts";
import { longUtterance, utterance } from "./speech-sample.ts";

const mina = loadCharacter("mina");
const tomas = loadCharacter("tomas");

/** The frames of a stretch of time, at 25 a second unless told otherwise. */
function play(
  behaviour: Behaviour,
  fromMs: number,
  toMs: number,
  stepMs = 40,
): { ms: number; params: PuppetParams }[] {
  const frames = [];
  for (let ms = fromMs; ms < toMs; ms += stepMs) frames.push({ ms, params: behaviour.step(ms) });
  return frames;
}

function speaking(timeline: SpeechTimeline, character = mina): Behaviour {
  const behaviour = createPuppetBehaviour(character);
  behaviour.step(0);
  behaviour.speak(timeline, 1000);
  return behaviour;
}

const range = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);

describe("a behaviour", () => {
  it("is the same for the same seed and calls, and differs for another seed", () => {
    const frames = (seed: number): unknown => {
      const behaviour = createPuppetBehaviour(mina, { seed });
      behaviour.speak(longUtterance(), 500);
      return play(behaviour, 0, 8000);
    };
    expect(frames(3)).toEqual(frames(3));
    expect(frames(3)).not.toEqual(frames(4));
  });

  it("keeps every parameter in its range", () => {
    const behaviour = createPuppetBehaviour(tomas, { seed: 11 });
    behaviour.speak(longUtterance(), 2000);
    for (const { params } of play(behaviour, 0, 20_000, 33)) {
      for (const key of ["smile", "browRaise", "browConcern", "blink", "breath"] as const) {
        expect(params[key]).toBeGreaterThanOrEqual(0);
        expect(params[key]).toBeLessThanOrEqual(1);
      }
      for (const key of ["headTurn", "headTilt", "headNod"] as const) {
        expect(Math.abs(params[key]!)).toBeLessThanOrEqual(0.7);
      }
      for (const key of ["gazeX", "gazeY", "swayX", "swayY"] as const) {
        expect(Math.abs(params[key]!)).toBeLessThanOrEqual(1);
      }
      expect(
        Object.values(params.visemeWeights!).reduce((sum, weight) => sum + weight, 0),
      ).toBeLessThanOrEqual(1.001);
    }
  });

  it("rests with a smile of 0.2 to 0.3, and holds its head nearly straight", () => {
    for (const { params } of play(createPuppetBehaviour(mina), 0, 30_000)) {
      expect(params.smile).toBeGreaterThanOrEqual(0.2);
      expect(params.smile).toBeLessThanOrEqual(0.3);
      expect(Math.abs(params.headTurn!)).toBeLessThanOrEqual(0.3);
      expect(Math.abs(params.headTilt!)).toBeLessThanOrEqual(0.3);
    }
  });

  it("blinks every few seconds, and closes the eyes completely", () => {
    const frames = play(createPuppetBehaviour(mina), 0, 30_000, 10);
    const begun = frames.filter(({ params }, i) => params.blink! > 0 && frames[i - 1]?.params.blink === 0);
    expect(begun.length).toBeGreaterThanOrEqual(4);
    expect(begun.length).toBeLessThanOrEqual(14);
    expect(Math.max(...frames.map(({ params }) => params.blink!))).toBe(1);
  });

  it("does not catch up on blinks after a pause", () => {
    const behaviour = createPuppetBehaviour(mina);
    behaviour.step(0);
    const frames = play(behaviour, 3_600_000, 3_602_000, 10);
    expect(frames.every(({ params }) => params.blink === 0)).toBe(true);
  });
});

describe("activities", () => {
  const settled = (
    activity: Parameters<Behaviour["setActivity"]>[0],
    reducedMotion = false,
  ): PuppetParams => {
    const behaviour = createPuppetBehaviour(mina, { reducedMotion });
    play(behaviour, 0, 1000);
    behaviour.setActivity(activity);
    return play(behaviour, 1000, 5000).at(-1)!.params;
  };

  it("listening tilts the head and raises the brows", () => {
    expect(settled("listening").headTilt).toBeGreaterThan(0.08);
    expect(settled("listening").browRaise).toBeGreaterThan(settled("idle").browRaise! + 0.1);
  });

  it("thinking looks up and aside", () => {
    expect(settled("thinking").gazeY).toBeLessThan(-0.3);
    expect(settled("thinking").gazeX).toBeGreaterThan(0.3);
  });

  it("thinking looks to the other side the next time", () => {
    const behaviour = createPuppetBehaviour(mina);
    const sides = [1, 2].map((count) => {
      behaviour.setActivity("thinking");
      const side = Math.sign(play(behaviour, count * 4000, count * 4000 + 1500).at(-1)!.params.gazeX!);
      behaviour.setActivity("idle");
      return side;
    });
    expect(sides).toEqual([1, -1]);
  });

  it("end at the time that was set with them", () => {
    const behaviour = createPuppetBehaviour(mina);
    behaviour.step(0);
    behaviour.setActivity("thinking", 3000);
    expect(play(behaviour, 0, 2960).at(-1)!.params.gazeY).toBeLessThan(-0.3);
    expect(play(behaviour, 2960, 3400).at(-1)!.params.gazeY).toBeGreaterThan(-0.3);
  });

  it("change smoothly: no parameter of the head jumps", () => {
    const behaviour = createPuppetBehaviour(mina);
    const before = play(behaviour, 0, 2000, 20).at(-1)!.params;
    behaviour.setActivity("thinking");
    const frames = [before, ...play(behaviour, 2000, 4000, 20).map(({ params }) => params)];
    frames.slice(1).forEach((params, i) => {
      expect(Math.abs(params.headTurn! - frames[i]!.headTurn!)).toBeLessThan(0.025);
      expect(Math.abs(params.headTilt! - frames[i]!.headTilt!)).toBeLessThan(0.025);
    });
  });
});

describe("speech", () => {
  it("closes the lips fully in at least one frame at 25 a second for every bilabial, however short", () => {
    for (const lengthMs of [12, 30, 60, 100]) {
      for (let phaseMs = 0; phaseMs < 40; phaseMs += 5) {
        const behaviour = speaking(utterance(["aa", 120], ["PP", lengthMs], ["aa", 120]));
        const shut = play(behaviour, 900 + phaseMs, 1400).filter(
          ({ params }) => params.visemeWeights!.PP === 1,
        );
        expect(shut.length, `${lengthMs} ms`).toBeGreaterThanOrEqual(1);
      }
    }
  });

  it("touches lip and teeth for FF", () => {
    const behaviour = speaking(utterance(["E", 100], ["FF", 25], ["ou", 100]));
    expect(play(behaviour, 900, 1400).some(({ params }) => params.visemeWeights!.FF === 1)).toBe(true);
  });

  it("draws a closed mouth at a bilabial", () => {
    const rig = createRig(mina, { Path2D });
    const behaviour = speaking(utterance(["aa", 120], ["PP", 80], ["aa", 120]));
    const jaws = play(behaviour, 1000, 1320, 10).map(({ params }) => rig.state(params).jaw);
    expect(Math.min(...jaws)).toBeLessThanOrEqual(-0.99);
    expect(Math.max(...jaws)).toBeGreaterThan(7);
  });

  it("blends into a shape before its time, and rounds the lips already in the consonant before", () => {
    const behaviour = speaking(utterance(["aa", 160], ["SS", 100], ["ou", 160]));
    const at = (ms: number): Partial<Record<Viseme, number>> => behaviour.step(1000 + ms).visemeWeights!;
    expect(at(120).SS).toBeGreaterThan(0);
    expect(at(120).aa).toBeGreaterThan(0);
    expect(at(200).ou).toBeGreaterThan(0.15);
    expect(at(350).ou).toBeGreaterThan(0.8);
  });

  it("changes the mouth without jumps", () => {
    const behaviour = speaking(longUtterance());
    const frames = play(behaviour, 900, 6000, 4);
    frames.slice(1).forEach(({ params }, i) => {
      for (const viseme of visemes) {
        const before = frames[i]!.params.visemeWeights![viseme] ?? 0;
        expect(Math.abs((params.visemeWeights![viseme] ?? 0) - before)).toBeLessThan(0.4);
      }
    });
  });

  it("opens Tomas's mouth no farther than aa at 0.8", () => {
    const frames = play(speaking(utterance(["aa", 600]), tomas), 1000, 1600);
    const widest = Math.max(...frames.map(({ params }) => params.visemeWeights!.aa ?? 0));
    expect(widest).toBeCloseTo(0.8, 2);
  });

  it("moves the mouth from the beginning of the sound to its end", () => {
    const behaviour = speaking(utterance(["DD", 80], ["aa", 200], ["nn", 80]));
    expect(behaviour.step(900).visemeWeights).toEqual({});
    expect(behaviour.step(1180).visemeWeights!.aa).toBeGreaterThan(0.7);
    expect(behaviour.step(1600).visemeWeights).toEqual({});
  });

  it("comes to rest within 90 ms when it is stopped, and speaks again when told to", () => {
    const behaviour = speaking(utterance(["aa", 3000]));
    expect(behaviour.step(1500).visemeWeights!.aa).toBeGreaterThan(0.8);
    behaviour.stopSpeaking(1520);
    expect(behaviour.step(1560).visemeWeights!.aa).toBeLessThan(0.8);
    expect(behaviour.step(1610).visemeWeights).toEqual({});
    behaviour.speak(utterance(["oh", 300]), 2000);
    expect(behaviour.step(2150).visemeWeights!.oh).toBeGreaterThan(0.7);
    expect(behaviour.step(2150).visemeWeights!.aa).toBeUndefined();
  });

  it("continues with a second utterance where the first ends", () => {
    const behaviour = speaking(utterance(["aa", 300]));
    behaviour.speak(utterance(["ou", 300]), 1300);
    expect(behaviour.step(1150).visemeWeights!.aa).toBeGreaterThan(0.7);
    expect(behaviour.step(1450).visemeWeights!.ou).toBeGreaterThan(0.7);
  });

  it("nods and raises the brows with longer words", () => {
    const quiet = play(createPuppetBehaviour(mina), 0, 4000).map(({ params }) => params);
    const loud = play(speaking(longUtterance()), 40, 4040).map(({ params }) => params);
    expect(Math.max(...loud.map(({ browRaise }) => browRaise!))).toBeGreaterThan(0.25);
    expect(Math.max(...loud.map(({ headNod }) => headNod!))).toBeGreaterThan(
      Math.max(...quiet.map(({ headNod }) => headNod!)) + 0.05,
    );
  });
});

describe("reduced motion", () => {
  it("keeps head, hair, eyes and chest still", () => {
    const frames = play(createPuppetBehaviour(mina, { reducedMotion: true }), 0, 20_000);
    for (const key of ["headTurn", "headTilt", "headNod", "gazeX", "gazeY", "breath"] as const) {
      expect(range(frames.map(({ params }) => params[key] ?? 0)), key).toBeLessThan(1e-9);
    }
    expect(frames.every(({ params }) => params.swayX === undefined)).toBe(true);
  });

  it("still speaks", () => {
    const behaviour = createPuppetBehaviour(mina, { reducedMotion: true });
    behaviour.step(0);
    behaviour.speak(utterance(["aa", 400]), 1000);
    expect(behaviour.step(1200).visemeWeights!.aa).toBeGreaterThan(0.8);
  });

  it("blinks rarely", () => {
    const frames = play(createPuppetBehaviour(mina, { reducedMotion: true }), 0, 60_000, 20);
    const begun = frames.filter(({ params }, i) => params.blink! > 0 && frames[i - 1]?.params.blink === 0);
    expect(begun.length).toBeGreaterThanOrEqual(3);
    expect(begun.length).toBeLessThanOrEqual(8);
  });

  it("can be switched on in the middle without a jump of the head", () => {
    const behaviour = createPuppetBehaviour(mina);
    const before = play(behaviour, 0, 3000, 20).at(-1)!.params;
    behaviour.setReducedMotion(true);
    const after = behaviour.step(3020);
    expect(Math.abs(after.headTurn! - before.headTurn!)).toBeLessThan(0.02);
  });
});
