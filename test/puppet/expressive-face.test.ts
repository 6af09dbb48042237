import { describe, expect, it } from "vitest";
import { spokenMs, spokenText } from "../../bench/face/spoken-text.ts";
import { chooseAccents } from "../../src/puppet/behaviour/accents.ts";
import { isQuestion, moodOf, spokenSentences } from "../../src/puppet/behaviour/mood.ts";
import {
  type Behaviour,
  createPuppetBehaviour,
  expressions,
  moods,
  type PuppetParams,
  speechLoudness,
} from "../../src/puppet/index.ts";
import { avatarExpressions, avatarMoods } from "../../src/protocol/session/data-channel.ts";
import { loadCharacter } from "./load-character.ts";
import { utterance } from "./speech-sample.ts";

const mina = loadCharacter("mina");

function play(behaviour: Behaviour, fromMs: number, toMs: number): PuppetParams[] {
  const frames = [];
  for (let ms = fromMs; ms < toMs; ms += 20) frames.push(behaviour.step(ms));
  return frames;
}

/** The frames of a text that is spoken after a second. */
function said(text: string): PuppetParams[] {
  const behaviour = createPuppetBehaviour(mina);
  play(behaviour, 0, 1000);
  const timeline = spokenText(text);
  behaviour.speak(timeline, 1000);
  return play(behaviour, 1000, 1000 + spokenMs(timeline));
}

const most = (
  frames: readonly PuppetParams[],
  key: "smile" | "concern" | "browRaise" | "browConcern",
): number => Math.max(...frames.map((params) => params[key] ?? 0));

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
    expect(sentences.map(({ mood, isQuestion }) => [mood, isQuestion])).toEqual([
      ["happy", false],
      ["concerned", false],
      ["neutral", true],
    ]);
  });

  it("of a greeting make the face smile, and those of bad news make it concerned", () => {
    const [greeting, news] = [said("Hello and welcome!"), said("I am sorry, it is sold out.")];
    expect(most(greeting, "smile")).toBeGreaterThan(0.55);
    expect(most(greeting, "concern")).toBe(0);
    expect(most(news, "concern")).toBeGreaterThan(0.25);
    expect(most(news, "browConcern")).toBeGreaterThan(0.4);
    expect(news.at(-1)!.smile).toBeLessThan(0.12);
  });

  it("of a question raise the brows at its end", () => {
    const frames = said("Would you like me to look at the order?");
    expect(frames.at(-5)!.browRaise).toBeGreaterThan(0.35);
  });
});

describe("a listener", () => {
  /** How much deeper the head nods than for a silent visitor. */
  function nodsWith(voiced: (ms: number) => boolean): number {
    const behaviour = createPuppetBehaviour(mina, { seed: 2 });
    const silent = createPuppetBehaviour(mina, { seed: 2 });
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
    const before = most(play(behaviour, 0, 2000), "browRaise");
    behaviour.hearWords(2000, "what time is it");
    expect(most(play(behaviour, 2000, 2600), "browRaise")).toBeGreaterThan(before + 0.2);
    expect(most(play(behaviour, 4000, 4200), "browRaise")).toBeLessThan(before + 0.05);
  });
});

describe("the eyes", () => {
  it("return from thinking before the first word", () => {
    const behaviour = createPuppetBehaviour(mina);
    behaviour.setActivity("thinking");
    expect(play(behaviour, 0, 2000).at(-1)!.gazeY).toBeLessThan(-0.3);
    behaviour.prepareToSpeak(2000);
    const look = play(behaviour, 2000, 2300).at(-1)!;
    expect(Math.abs(look.gazeX!)).toBeLessThan(0.35);
    expect(look.gazeY!).toBeGreaterThan(-0.2);
    behaviour.speak(spokenText("You can change it."), 2300);
    const first = play(behaviour, 2300, 2900);
    expect(Math.max(...first.map(({ gazeX }) => Math.abs(gazeX!)))).toBeLessThan(0.4);
  });

  it("stay with the visitor in the pause between two sentences, although the avatar was thinking before", () => {
    const behaviour = createPuppetBehaviour(mina);
    behaviour.setActivity("thinking");
    play(behaviour, 0, 1000);
    behaviour.speak(utterance(["aa", 600]), 1000);
    play(behaviour, 1000, 1600);
    expect(Math.min(...play(behaviour, 1600, 2200).map(({ gazeY }) => gazeY!))).toBeGreaterThan(-0.45);
  });
});

describe("loudness", () => {
  it("opens vowels farther in loud speech, and leaves closed lips closed", () => {
    const spoken = (loudness: number): PuppetParams[] => {
      const behaviour = createPuppetBehaviour(mina);
      behaviour.step(0);
      const timeline = utterance(["aa", 200], ["PP", 80], ["aa", 200]);
      behaviour.speak({ ...timeline, loudness: Array.from({ length: 24 }, () => loudness) }, 100);
      return play(behaviour, 100, 600);
    };
    const widest = (frames: readonly PuppetParams[]): number =>
      Math.max(...frames.map(({ visemeWeights }) => visemeWeights!.aa ?? 0));
    expect(widest(spoken(1))).toBeGreaterThan(widest(spoken(0.1)) + 0.25);
    for (const loudness of [0, 0.5, 1])
      expect(Math.max(...spoken(loudness).map(({ visemeWeights }) => visemeWeights!.PP ?? 0))).toBe(1);
  });

  it("is measured relative to the loud parts, so a quiet recording counts as much as a loud one", () => {
    const wave = (level: number): Int16Array =>
      Int16Array.from({ length: 16_000 }, (_, i) => (i < 8000 ? level : level / 10) * Math.sin(i * 0.2));
    const [quiet, loud] = [speechLoudness(wave(600), 16_000), speechLoudness(wave(20_000), 16_000)];
    expect(loud[10]).toBeCloseTo(1, 1);
    expect(quiet[10]).toBeCloseTo(1, 1);
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
    expect(moods).toEqual(avatarMoods);
    expect(expressions).toEqual(avatarExpressions);
  });

  it("takes the mood that was set for the answer instead of its words, and forgets it afterwards", () => {
    const behaviour = createPuppetBehaviour(mina);
    play(behaviour, 0, 500);
    behaviour.setMood("concerned", 500);
    const timeline = spokenText("Hello, this is great.");
    behaviour.speak(timeline, 1000);
    expect(most(play(behaviour, 1000, 1000 + spokenMs(timeline)), "browConcern")).toBeGreaterThan(0.4);
    expect(play(behaviour, 3000, 25_000).at(-1)!.browConcern).toBeLessThan(0.02);
  });

  it.each([
    ["nod", "headNod"],
    ["shake", "headTurn"],
    ["smile", "smile"],
    ["raise_brows", "browRaise"],
    ["surprise", "browRaise"],
    ["wink", "blinkR"],
  ] as const)("shows %s once", (expression, key) => {
    const [moved, still] = [createPuppetBehaviour(mina), createPuppetBehaviour(mina)];
    for (const each of [moved, still]) each.step(0);
    moved.express(expression, 0);
    const difference = play(moved, 20, 4000).map((params, i) => [params, i] as const);
    const others = play(still, 20, 4000);
    const by = difference.map(([params, i]) => Math.abs((params[key] ?? 0) - (others[i]![key] ?? 0)));
    expect(Math.max(...by.slice(0, 60))).toBeGreaterThan(0.15);
    expect(Math.max(...by.slice(150))).toBeLessThan(1e-6);
  });

  it("keeps the head still under reduced motion", () => {
    const behaviour = createPuppetBehaviour(mina, { reducedMotion: true });
    behaviour.step(0);
    for (const expression of expressions) behaviour.express(expression, 0);
    behaviour.setMood("concerned", 0);
    behaviour.setActivity("thinking");
    behaviour.speak(spokenText("Hello, this is really wonderful news!"), 500);
    for (const { headTurn, headNod, headTilt } of play(behaviour, 20, 6000))
      expect([headTurn, headNod, headTilt].map((angle) => Math.abs(angle!))).toEqual([0, 0, 0]);
  });
});
