import { Path2D } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import { spokenMs, spokenText } from "../../bench/face/spoken-text.ts";
import { avatarExpressions, avatarMoods } from "../../src/protocol/session/data-channel.ts";
import { chooseAccents } from "../../src/puppet/behaviour/accents.ts";
import { isQuestion, moodOf, spokenSentences } from "../../src/puppet/behaviour/mood.ts";
import type { Behaviour, PuppetParams, SpeechTimeline, Viseme } from "../../src/puppet/index.ts";
import {
  createPuppetBehaviour,
  createRig,
  expressions,
  moods,
  PoseHold,
  speechLoudness,
  visemes,
} from "../../src/puppet/index.ts";
import { loadCharacter } from "./load-character.ts";
import { longUtterance, utterance } from "./speech-sample.ts";

const mina = loadCharacter("mina");
const tomas = loadCharacter("tomas");

/** The frames of a stretch of time, at 25 a second unless told otherwise. */
function play(behaviour: Behaviour, fromMs: number, toMs: number, stepMs = 40): PuppetParams[] {
  const frames = [];
  for (let ms = fromMs; ms < toMs; ms += stepMs) frames.push(behaviour.step(ms));
  return frames;
}

type Parameter = Exclude<keyof PuppetParams, "visemeWeights" | "options">;
const valuesOf = (frames: readonly PuppetParams[], key: Parameter): number[] =>
  frames.map((params) => params[key] ?? 0);
const most = (frames: readonly PuppetParams[], key: Parameter): number => Math.max(...valuesOf(frames, key));
const widest = (frames: readonly PuppetParams[], viseme: Viseme): number =>
  Math.max(...frames.map(({ visemeWeights }) => visemeWeights?.[viseme] ?? 0));
const blinksIn = (frames: readonly PuppetParams[]): number =>
  frames.filter(({ blink }, i) => blink! > 0 && frames[i - 1]?.blink === 0).length;

/** How much these parameters change from one frame to the next, at most. */
const largestStep = (frames: readonly PuppetParams[], ...keys: Parameter[]): number =>
  Math.max(
    ...keys.flatMap((key) =>
      valuesOf(frames, key).map((value, i, all) => Math.abs(value - (all[i - 1] ?? value))),
    ),
  );

function speaking(timeline: SpeechTimeline, character = mina): Behaviour {
  const behaviour = createPuppetBehaviour(character);
  behaviour.step(0);
  behaviour.speak(timeline, 1000);
  return behaviour;
}

/** The frames of a text that is spoken after a second. */
function said(text: string): PuppetParams[] {
  const behaviour = createPuppetBehaviour(mina);
  play(behaviour, 0, 1000, 20);
  const timeline = spokenText(text);
  behaviour.speak(timeline, 1000);
  return play(behaviour, 1000, 1000 + spokenMs(timeline), 20);
}

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
    const frames = play(behaviour, 0, 20_000, 33);
    const ranges: [Parameter[], number, number][] = [
      [["smile", "browRaise", "browConcern", "blink", "breath"], 0, 1],
      [["headTurn", "headTilt", "headNod"], -0.7, 0.7],
      [["gazeX", "gazeY", "swayX", "swayY"], -1, 1],
    ];
    for (const [keys, least, largest] of ranges)
      for (const value of keys.flatMap((key) => valuesOf(frames, key))) {
        expect(value).toBeGreaterThanOrEqual(least);
        expect(value).toBeLessThanOrEqual(largest);
      }
    for (const { visemeWeights } of frames)
      expect(Object.values(visemeWeights!).reduce((sum, weight) => sum + weight, 0)).toBeLessThan(1.001);
  });

  it("rests with a smile of 0.2 to 0.3, and holds its head nearly straight", () => {
    const frames = play(createPuppetBehaviour(mina), 0, 30_000);
    expect(Math.min(...valuesOf(frames, "smile"))).toBeGreaterThanOrEqual(0.2);
    expect(most(frames, "smile")).toBeLessThanOrEqual(0.3);
    for (const key of ["headTurn", "headTilt"] as const)
      expect(Math.max(...valuesOf(frames, key).map(Math.abs))).toBeLessThanOrEqual(0.3);
  });

  it("blinks every few seconds, closes the eyes completely, and does not catch up on blinks after a pause", () => {
    const behaviour = createPuppetBehaviour(mina);
    const frames = play(behaviour, 0, 30_000, 10);
    expect(blinksIn(frames)).toBeGreaterThanOrEqual(4);
    expect(blinksIn(frames)).toBeLessThanOrEqual(14);
    expect(most(frames, "blink")).toBe(1);
    expect(most(play(behaviour, 3_600_000, 3_602_000, 10), "blink")).toBe(0);
  });
});

describe("activities", () => {
  const settled = (activity: Parameters<Behaviour["setActivity"]>[0]): PuppetParams => {
    const behaviour = createPuppetBehaviour(mina);
    play(behaviour, 0, 1000);
    behaviour.setActivity(activity);
    return play(behaviour, 1000, 5000).at(-1)!;
  };

  it("listening tilts the head and raises the brows; thinking looks up and aside", () => {
    expect(settled("listening").headTilt).toBeGreaterThan(0.08);
    expect(settled("listening").browRaise).toBeGreaterThan(settled("idle").browRaise! + 0.1);
    expect(settled("thinking").gazeY).toBeLessThan(-0.3);
    expect(settled("thinking").gazeX).toBeGreaterThan(0.3);
  });

  it("thinking looks to the other side the next time", () => {
    const behaviour = createPuppetBehaviour(mina);
    const sides = [1, 2].map((count) => {
      behaviour.setActivity("thinking");
      const side = Math.sign(play(behaviour, count * 4000, count * 4000 + 1500).at(-1)!.gazeX!);
      behaviour.setActivity("idle");
      return side;
    });
    expect(sides).toEqual([1, -1]);
  });

  it("end at the time that was set with them", () => {
    const behaviour = createPuppetBehaviour(mina);
    behaviour.step(0);
    behaviour.setActivity("thinking", 3000);
    expect(play(behaviour, 0, 2960).at(-1)!.gazeY).toBeLessThan(-0.3);
    expect(play(behaviour, 2960, 3400).at(-1)!.gazeY).toBeGreaterThan(-0.3);
  });

  it("change smoothly: no parameter of the head jumps", () => {
    const behaviour = createPuppetBehaviour(mina);
    const before = play(behaviour, 0, 2000, 20).at(-1)!;
    behaviour.setActivity("thinking");
    const frames = [before, ...play(behaviour, 2000, 4000, 20)];
    expect(largestStep(frames, "headTurn", "headTilt")).toBeLessThan(0.025);
  });
});

describe("speech", () => {
  it("closes the lips fully in at least one frame at 25 a second for every bilabial, however short", () => {
    for (const lengthMs of [12, 30, 60, 100])
      for (let phaseMs = 0; phaseMs < 40; phaseMs += 5) {
        const behaviour = speaking(utterance(["aa", 120], ["PP", lengthMs], ["aa", 120]));
        expect(widest(play(behaviour, 900 + phaseMs, 1400), "PP"), `${lengthMs} ms`).toBe(1);
      }
  });

  it("touches lip and teeth for FF", () => {
    const behaviour = speaking(utterance(["E", 100], ["FF", 25], ["ou", 100]));
    expect(widest(play(behaviour, 900, 1400), "FF")).toBe(1);
  });

  it("draws a closed mouth at a bilabial", () => {
    const rig = createRig(mina, { Path2D });
    const behaviour = speaking(utterance(["aa", 120], ["PP", 80], ["aa", 120]));
    const jaws = play(behaviour, 1000, 1320, 10).map((params) => rig.state(params).jaw);
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
    const frames = play(speaking(longUtterance()), 900, 6000, 4);
    frames.slice(1).forEach(({ visemeWeights }, i) => {
      for (const viseme of visemes) {
        const before = frames[i]!.visemeWeights![viseme] ?? 0;
        expect(Math.abs((visemeWeights![viseme] ?? 0) - before)).toBeLessThan(0.4);
      }
    });
  });

  it("opens Tomas's mouth no farther than aa at 0.8", () => {
    expect(widest(play(speaking(utterance(["aa", 600]), tomas), 1000, 1600), "aa")).toBeCloseTo(0.8, 2);
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
    const quiet = play(createPuppetBehaviour(mina), 0, 4000);
    const loud = play(speaking(longUtterance()), 40, 4040);
    expect(most(loud, "browRaise")).toBeGreaterThan(0.25);
    expect(most(loud, "headNod")).toBeGreaterThan(most(quiet, "headNod") + 0.05);
  });
});

describe("reduced motion", () => {
  const still = (): Behaviour => createPuppetBehaviour(mina, { reducedMotion: true });

  it("keeps head, hair, eyes and chest still, and blinks rarely", () => {
    const frames = play(still(), 0, 60_000, 20);
    for (const key of ["headTurn", "headTilt", "headNod", "gazeX", "gazeY", "breath"] as const) {
      const values = valuesOf(frames, key);
      expect(Math.max(...values) - Math.min(...values), key).toBeLessThan(1e-9);
    }
    expect(frames.every(({ swayX }) => swayX === undefined)).toBe(true);
    expect(blinksIn(frames)).toBeGreaterThanOrEqual(3);
    expect(blinksIn(frames)).toBeLessThanOrEqual(8);
  });

  it("still speaks", () => {
    const behaviour = still();
    behaviour.step(0);
    behaviour.speak(utterance(["aa", 400]), 1000);
    expect(behaviour.step(1200).visemeWeights!.aa).toBeGreaterThan(0.8);
  });

  it("can be switched on in the middle without a jump of the head", () => {
    const behaviour = createPuppetBehaviour(mina);
    const before = play(behaviour, 0, 3000, 20).at(-1)!;
    behaviour.setReducedMotion(true);
    expect(largestStep([before, behaviour.step(3020)], "headTurn")).toBeLessThan(0.02);
  });

  it("keeps the head still, whatever is expressed", () => {
    const behaviour = still();
    behaviour.step(0);
    for (const expression of expressions) behaviour.express(expression, 0);
    behaviour.setMood("concerned", 0);
    behaviour.setActivity("thinking");
    behaviour.speak(spokenText("Hello, this is really wonderful news!"), 500);
    for (const { headTurn, headNod, headTilt } of play(behaviour, 20, 6000, 20))
      expect([headTurn, headNod, headTilt].map((angle) => Math.abs(angle!))).toEqual([0, 0, 0]);
  });
});

describe("the words", () => {
  it.each([
    ["Hello and welcome to our shop!", "happy"],
    ["I am sorry, the jacket is sold out.", "concerned"],
    ["Hello, unfortunately we are closed.", "concerned"],
    ["No problem, that is easy to change.", "happy"],
    ["Warning, the surface is hot.", "serious"],
    ["The shop opens at nine.", "neutral"],
    ["안녕하세요, 무엇을 도와드릴까요?", "happy"],
    ["죄송합니다. 품절되었습니다.", "concerned"],
    ["반드시 확인해 주세요.", "serious"],
    ["아홉 시에 엽니다.", "neutral"],
  ])("of %j are %s", (text, mood) => {
    expect(moodOf(text)).toBe(mood);
  });

  it.each([
    ["When do you open?", true],
    ["when do you open", true],
    ["and how much is it", true],
    ["몇 시에 여나요", true],
    ["얼마예요", true],
    ["I would like a jacket.", false],
    ["자켓을 사고 싶어요.", false],
  ])("of the visitor %j are a question: %s", (text, expected) => {
    expect(isQuestion(text)).toBe(expected);
  });

  it("are read sentence by sentence", () => {
    const sentences = spokenSentences(spokenText("Hello there! I am sorry. Is that fine?").words);
    expect(sentences).toMatchObject([
      { mood: "happy", isQuestion: false },
      { mood: "concerned", isQuestion: false },
      { mood: "neutral", isQuestion: true },
    ]);
  });

  it("of a greeting make the face smile, those of bad news make it concerned, and a question raises the brows", () => {
    const [greeting, news] = [said("Hello and welcome!"), said("I am sorry, it is sold out.")];
    expect(most(greeting, "smile")).toBeGreaterThan(0.55);
    expect(most(greeting, "concern")).toBe(0);
    expect(most(news, "concern")).toBeGreaterThan(0.25);
    expect(most(news, "browConcern")).toBeGreaterThan(0.4);
    expect(news.at(-1)!.smile).toBeLessThan(0.12);
    expect(said("Would you like me to look at the order?").at(-5)!.browRaise).toBeGreaterThan(0.35);
  });
});

describe("a listener", () => {
  /** How much deeper the head nods than for a silent visitor. */
  function nodsWith(voiced: (ms: number) => boolean): number {
    const [behaviour, silent] = [1, 2].map(() => createPuppetBehaviour(mina, { seed: 2 })) as [
      Behaviour,
      Behaviour,
    ];
    for (const each of [behaviour, silent]) each.setActivity("listening");
    let deepest = 0;
    for (let ms = 0; ms < 3500; ms += 10) {
      behaviour.hearVoice(ms, voiced(ms));
      silent.hearVoice(ms, false);
      if (ms % 20 === 0) deepest = Math.max(deepest, behaviour.step(ms).headNod! - silent.step(ms).headNod!);
    }
    return deepest;
  }

  it("nods after a clause, and not after a cough or while the visitor speaks", () => {
    expect(nodsWith((ms) => ms > 400 && ms < 1900)).toBeGreaterThan(0.15);
    expect(nodsWith((ms) => ms > 400 && ms < 600)).toBe(0);
    expect(nodsWith((ms) => ms > 400)).toBe(0);
  });

  it("raises the brows at a question", () => {
    const behaviour = createPuppetBehaviour(mina);
    behaviour.setActivity("listening");
    const before = most(play(behaviour, 0, 2000, 20), "browRaise");
    behaviour.hearWords(2000, "what time is it");
    expect(most(play(behaviour, 2000, 2600, 20), "browRaise")).toBeGreaterThan(before + 0.2);
    expect(most(play(behaviour, 4000, 4200, 20), "browRaise")).toBeLessThan(before + 0.05);
  });
});

describe("the eyes", () => {
  const thinking = (untilMs: number) => {
    const behaviour = createPuppetBehaviour(mina);
    behaviour.setActivity("thinking");
    return { behaviour, last: play(behaviour, 0, untilMs, 20).at(-1)! };
  };

  it("return from thinking before the first word", () => {
    const { behaviour, last } = thinking(2000);
    expect(last.gazeY).toBeLessThan(-0.3);
    behaviour.prepareToSpeak(2000);
    const look = play(behaviour, 2000, 2300, 20).at(-1)!;
    expect(Math.abs(look.gazeX!)).toBeLessThan(0.35);
    expect(look.gazeY!).toBeGreaterThan(-0.2);
    behaviour.speak(spokenText("You can change it."), 2300);
    const first = valuesOf(play(behaviour, 2300, 2900, 20), "gazeX");
    expect(Math.max(...first.map(Math.abs))).toBeLessThan(0.4);
  });

  it("stay with the visitor in the pause between two sentences, although the avatar was thinking before", () => {
    const { behaviour } = thinking(1000);
    behaviour.speak(utterance(["aa", 600]), 1000);
    play(behaviour, 1000, 1600, 20);
    expect(Math.min(...valuesOf(play(behaviour, 1600, 2200, 20), "gazeY"))).toBeGreaterThan(-0.45);
  });
});

describe("loudness", () => {
  it("opens vowels farther in loud speech, and leaves closed lips closed", () => {
    const spoken = (level: number): PuppetParams[] => {
      const timeline = utterance(["aa", 200], ["PP", 80], ["aa", 200]);
      const loudness = Array.from({ length: 24 }, () => level);
      return play(speaking({ ...timeline, loudness }), 1000, 1500, 20);
    };
    expect(widest(spoken(1), "aa")).toBeGreaterThan(widest(spoken(0.1), "aa") + 0.25);
    for (const level of [0, 0.5, 1]) expect(widest(spoken(level), "PP")).toBe(1);
  });

  it("is measured relative to the loud parts, so a quiet recording counts as much as a loud one", () => {
    const wave = (level: number): Int16Array =>
      Int16Array.from({ length: 16_000 }, (_, i) => (i < 8000 ? level : level / 10) * Math.sin(i * 0.2));
    const [quiet, loud] = [speechLoudness(wave(600), 16_000), speechLoudness(wave(20_000), 16_000)];
    for (const each of [quiet, loud]) expect(each[10]).toBeCloseTo(1, 1);
    expect(loud[40]).toBeLessThan(0.4);
    expect(loud).toHaveLength(50);
    expect(speechLoudness(new Int16Array(0), 16_000)).toEqual([]);
  });

  it("puts the stress on loud words", () => {
    const words = Array.from({ length: 40 }, (_, i) => ({
      text: "word",
      start: i * 700,
      end: i * 700 + 300,
    }));
    const loudness = Array.from({ length: 1400 }, (_, step) => (Math.floor(step / 35) % 2 === 0 ? 1 : 0));
    const stressed = chooseAccents(words, undefined, loudness).map(({ start }) => (start / 700) % 2);
    expect(stressed.filter((odd) => odd === 0).length).toBeGreaterThan(stressed.length * 0.55);
  });
});

describe("mood and expression", () => {
  it("has the moods and expressions that clients may send", () => {
    expect([moods, expressions]).toEqual([avatarMoods, avatarExpressions]);
  });

  it("takes the mood that was set for the answer instead of its words, and forgets it afterwards", () => {
    const behaviour = createPuppetBehaviour(mina);
    play(behaviour, 0, 500, 20);
    behaviour.setMood("concerned", 500);
    const timeline = spokenText("Hello, this is great.");
    behaviour.speak(timeline, 1000);
    const spoken = play(behaviour, 1000, 1000 + spokenMs(timeline), 20);
    expect(most(spoken, "browConcern")).toBeGreaterThan(0.4);
    expect(play(behaviour, 3000, 25_000, 20).at(-1)!.browConcern).toBeLessThan(0.02);
  });

  it.each([
    ["nod", "headNod"],
    ["shake", "headTurn"],
    ["smile", "smile"],
    ["raise_brows", "browRaise"],
    ["surprise", "browRaise"],
    ["wink", "blinkR"],
  ] as const)("shows %s once", (expression, key) => {
    const [moved, others] = [true, false].map((isExpressed) => {
      const behaviour = createPuppetBehaviour(mina);
      behaviour.step(0);
      if (isExpressed) behaviour.express(expression, 0);
      return valuesOf(play(behaviour, 20, 4000, 20), key);
    });
    const by = moved!.map((value, i) => Math.abs(value - others![i]!));
    expect(Math.max(...by.slice(0, 60))).toBeGreaterThan(0.15);
    expect(Math.max(...by.slice(150))).toBeLessThan(1e-6);
  });
});

describe("a held pose", () => {
  it("does not change for invisible drift, and never differs much from the real pose", () => {
    const hold = new PoseHold(mina, 512);
    const poses = play(createPuppetBehaviour(mina, { seed: 5 }), 0, 8_001);
    const held = poses.map((pose) => hold.hold(pose));
    for (const [key, off] of [
      ["headTurn", 0.03],
      ["headNod", 0.04],
      ["breath", 0.21],
    ] as const) {
      const real = valuesOf(poses, key);
      valuesOf(held, key).forEach((value, i) => expect(Math.abs(value - real[i]!)).toBeLessThan(off));
    }
    const stood = held.filter(({ headTurn }, i) => headTurn === held[i - 1]?.headTurn).length;
    expect(stood).toBeGreaterThan(100);
    expect(stood).toBeLessThan(200);
  });

  it("does not hold mouth, eyes and brows", () => {
    const hold = new PoseHold(mina, 512);
    const behaviour = createPuppetBehaviour(mina, { seed: 5 });
    behaviour.speak(longUtterance(), 0);
    for (const pose of play(behaviour, 0, 2_000)) {
      const { visemeWeights, blink, gazeX, gazeY, browRaise, smile } = hold.hold(pose);
      expect(pose).toMatchObject({ visemeWeights, blink, gazeX, gazeY, browRaise, smile });
    }
  });

  it("follows a turn of the head at once", () => {
    const hold = new PoseHold(mina, 512);
    hold.hold({ headTurn: 0 });
    expect(hold.hold({ headTurn: 0.1 }).headTurn).toBe(0.1);
  });
});
