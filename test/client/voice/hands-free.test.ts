import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TypedEvents } from "../../../src/client/typed-events.ts";
import type { BargeIn } from "../../../src/client/voice/turns/barge-in.ts";
import { Endpointing, endpointingOf } from "../../../src/client/voice/turns/endpointing.ts";
import { turnSettingsOf } from "../../../src/protocol/settings/turn-settings.ts";
import { HandsFree } from "../../../src/client/voice/turns/hands-free.ts";
import type { TurnRecognizer } from "../../../src/client/voice/turn-recognizer.ts";

/** What happened, in order. */
let told: string[];
/** The likely ends of turns that were told. */
let likely: string[];
/** The texts of the coming recordings. */
let texts: string[];
let avatar: { speaking: boolean; paused: boolean; words: string };
let echoCancellation: boolean;
/** How long the recognizer takes. */
let recognitionMs: number;
let recognizer: TurnRecognizer;
let handsFree: HandsFree;
let endpointing: Endpointing;
/** Why the recognizer fails. */
let failure: Error | null;

beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  likely = [];
  texts = [];
  avatar = { speaking: false, paused: false, words: "" };
  echoCancellation = true;
  recognitionMs = 0;
  failure = null;
  endpointing = new Endpointing(endpointingOf(turnSettingsOf({})), "en");
  recognizer = {
    events: new TypedEvents(),
    start: () => true,
    end: () =>
      new Promise((resolve, reject) =>
        setTimeout(() => (failure ? reject(failure) : resolve(texts.shift() ?? "")), recognitionMs),
      ),
    cancel: () => undefined,
    close: () => undefined,
  };
  const bargeIn: Pick<BargeIn, "isPaused" | "duck" | "unduck" | "pause" | "goOn"> = {
    get isPaused() {
      return avatar.paused;
    },
    duck: () => told.push("duck"),
    unduck: () => told.push("unduck"),
    pause: () => {
      told.push("pause");
      Object.assign(avatar, { paused: true, speaking: false });
    },
    goOn: () => {
      if (avatar.paused) told.push("go on");
      Object.assign(avatar, { speaking: avatar.paused, paused: false });
    },
  };
  handsFree = new HandsFree({
    recognizer,
    endpointing,
    bargeIn,
    get isEchoCancelled() {
      return echoCancellation;
    },
    record: () => undefined,
    get isAvatarSpeaking() {
      return avatar.speaking;
    },
    get avatarWords() {
      return avatar.words;
    },
    handleSpeech: (speaks) => told.push(speaks ? "speaks" : "silent"),
    handleWords: (words) => told.push(`words: ${words}`),
    handleLikelyEnd: (words) => likely.push(words),
    handleTurn: (text) => told.push(`turn: ${text}`),
    handleFault: () => told.push("fault"),
  });
});

afterEach(() => {
  vi.useRealTimers();
});

/** So much of speech or of silence, in ms. */
async function hear(isVoiced: boolean, ms: number): Promise<void> {
  for (let at = 0; at < ms; at += 10) {
    handsFree.take({ rms: isVoiced ? 0.1 : 0, isVoiced, isVowel: isVoiced });
    await vi.advanceTimersByTimeAsync(10);
  }
}

it("ends a turn 350 ms after a finished question", async () => {
  texts = ["how much is the chair"];
  await hear(true, 1_000);
  await hear(false, 340);
  expect(told.at(-1)).toBe("words: how much is the chair");
  await hear(false, 40);
  expect(told).toEqual(["unduck", "speaks", "words: how much is the chair", "turn: how much is the chair"]);
});

it("recognizes the words during the pause that ends the turn", async () => {
  recognitionMs = 90;
  texts = ["how much is the chair"];
  await hear(true, 1_000);
  await hear(false, 340);
  expect(told.at(-1)).not.toMatch(/^turn/);
  await hear(false, 20);
  expect(told.at(-1)).toBe("turn: how much is the chair");
});

it("tells of a likely end before the turn is over, at most twice in a turn", async () => {
  texts = ["how much is the chair", "in green", "or in blue", "where is it"];
  await hear(true, 1_000);
  await hear(false, 290);
  expect([likely, told.at(-1)]).toEqual([["how much is the chair"], "words: how much is the chair"]);
  await hear(true, 500);
  await hear(false, 290);
  await hear(true, 500);
  await hear(false, 500);
  const twice = ["how much is the chair", "how much is the chair in green"];
  expect([likely, told.at(-1)]).toEqual([twice, "turn: how much is the chair in green or in blue"]);
  await hear(true, 500);
  await hear(false, 500);
  expect(likely).toEqual([...twice, "where is it"]);
});

it("tells of a likely end as soon as the recognizer knows the words up to the pause, and not again", async () => {
  texts = ["how much is the chair"];
  await hear(true, 1_000);
  await hear(false, 150);
  recognizer.events.emit("pause", "how much is the chair");
  expect(likely).toEqual(["how much is the chair"]);
  await hear(false, 300);
  expect([likely, told.at(-1)]).toEqual([["how much is the chair"], "turn: how much is the chair"]);
});

it("joins the words up to a pause with those before it", async () => {
  texts = ["I want a chair and", "a table"];
  await hear(true, 800);
  await hear(false, 1_000);
  await hear(true, 600);
  await hear(false, 150);
  recognizer.events.emit("pause", "a table");
  expect(likely).toEqual(["I want a chair and a table"]);
});

it.each([
  ["while the visitor speaks", true],
  ["after the turn", false],
])("ignores words up to a pause that come %s", async (_name, speaks) => {
  texts = ["how much is the chair"];
  await hear(true, 1_000);
  if (!speaks) await hear(false, 500);
  const before = [...likely];
  recognizer.events.emit("pause", "how much");
  handsFree.close();
  recognizer.events.emit("pause", "how much");
  expect(likely).toEqual(before);
});

it.each([
  ["an unfinished clause", "I want a chair and", false],
  ["a greeting", "hello", false],
  ["nothing", "", false],
  ["words over the avatar", "how much is the chair", true],
])("tells of no likely end after %s", async (_name, text, isOverAvatar) => {
  avatar.speaking = isOverAvatar;
  texts = [text];
  await hear(true, 800);
  await hear(false, 340);
  expect(likely).toEqual([]);
});

it("loses nothing that is said while the words before are still being recognized", async () => {
  recognitionMs = 1_500;
  texts = ["I want a chair", "in green"];
  await hear(true, 800);
  await hear(false, 300);
  await hear(true, 700);
  await hear(false, 3_500);
  expect(told.filter((line) => line.startsWith("turn"))).toEqual(["turn: I want a chair in green"]);
});

it("waits after an unfinished clause, and adds what follows to the same turn", async () => {
  texts = ["I want a chair and", "a table"];
  await hear(true, 800);
  await hear(false, 1_500);
  expect(told.at(-1)).toBe("words: I want a chair and");
  await hear(true, 600);
  await hear(false, 500);
  expect(told.at(-1)).toBe("turn: I want a chair and a table");
  expect(told.filter((line) => line.startsWith("turn"))).toHaveLength(1);
});

it("ends an unfinished turn after 2.5 s", async () => {
  texts = ["I want a chair and"];
  await hear(true, 800);
  await hear(false, 2_440);
  expect(told.at(-1)).toBe("words: I want a chair and");
  await hear(false, 80);
  expect(told.at(-1)).toBe("turn: I want a chair and");
});

it("ducks the avatar at the onset, stops it after 250 ms, and sends what was said", async () => {
  avatar = { ...avatar, speaking: true, words: "We deliver to Austria and Germany." };
  texts = ["can I pay by card"];
  await hear(true, 60);
  expect(told).toEqual(["duck"]);
  await hear(true, 220);
  expect(told).toEqual(["duck", "pause", "speaks"]);
  await hear(true, 600);
  await hear(false, 400);
  expect(told.at(-1)).toBe("turn: can I pay by card");
});

it("lets the avatar speak on after a cough", async () => {
  avatar.speaking = true;
  await hear(true, 150);
  await hear(false, 400);
  expect(told).toEqual(["duck", "unduck"]);
});

it.each([
  ["a sign of listening", "uh-huh"],
  ["the avatar's own words", "deliver to Austria"],
  ["nothing", ""],
])("lets the avatar go on where it stopped after %s", async (_name, text) => {
  avatar = { ...avatar, speaking: true, words: "We deliver to Austria and Germany." };
  texts = [text];
  await hear(true, 500);
  await hear(false, 500);
  expect(told.slice(-2)).toEqual(["go on", "silent"]);
  expect(told.some((line) => line.startsWith("turn"))).toBe(false);
});

it("hears nothing while the avatar speaks where the browser does not cancel the echo", async () => {
  avatar.speaking = true;
  echoCancellation = false;
  await hear(true, 2_000);
  avatar.speaking = false;
  await hear(true, 390);
  expect(told).toEqual([]);
  texts = ["where is it"];
  await hear(true, 500);
  await hear(false, 500);
  expect(told.at(-1)).toBe("turn: where is it");
});

it("begins no turn for a noise", async () => {
  texts = [""];
  await hear(true, 200);
  await hear(false, 600);
  expect(told.filter((line) => line.startsWith("turn"))).toEqual([]);
});

it("tells of no likely end when the turn is over at once anyway", async () => {
  texts = ["how much is the chair", "where is it"];
  recognitionMs = 95;
  await hear(true, 1_000);
  await hear(false, 500);
  expect(likely).toEqual([]);
  recognitionMs = 85;
  await hear(true, 1_000);
  await hear(false, 500);
  expect(likely).toEqual(["where is it"]);
});

it("learns from the pauses after which the visitor goes on", async () => {
  const learn = vi.spyOn(endpointing, "learn");
  texts = ["I want a chair and", "a table"];
  await hear(true, 800);
  await hear(false, 600);
  expect(learn).not.toHaveBeenCalled();
  await hear(true, 600);
  expect(learn.mock.calls).toEqual([[600]]);
  await hear(false, 500);
  await hear(true, 400);
  // The pause that ended the turn teaches nothing.
  expect(learn).toHaveBeenCalledTimes(1);
});

it("says what was understood so far, and forgets it with the next turn", async () => {
  texts = ["I want a chair and", "a table", "hello"];
  expect(handsFree.words).toBe("");
  await hear(true, 800);
  await hear(false, 600);
  expect(handsFree.words).toBe("I want a chair and");
  await hear(true, 600);
  await hear(false, 500);
  await hear(true, 100);
  expect(handsFree.words).toBe("");
});

it("stops at the close: nothing more is told, and the avatar goes on", async () => {
  recognitionMs = 100;
  texts = ["how much is the chair"];
  await hear(true, 800);
  await hear(false, 300);
  told = [];
  avatar.paused = true;
  handsFree.close();
  expect(told).toEqual(["silent", "go on"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toEqual(["silent", "go on"]);
});

it("tells at the close only of a visitor who spoke, and of no fault after it", async () => {
  handsFree.close();
  expect(told).toEqual([]);
  failure = new Error("lost");
  recognitionMs = 100;
  await hear(true, 800);
  await hear(false, 300);
  handsFree.close();
  told = [];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toEqual([]);
});

it("tells of a recognizer that fails, and hears the next turn", async () => {
  failure = new Error("lost");
  avatar = { ...avatar, speaking: true };
  await hear(true, 800);
  await hear(false, 300);
  expect(told.slice(-3)).toEqual(["go on", "silent", "fault"]);
  failure = null;
  avatar.speaking = false;
  texts = ["where is it"];
  await hear(false, 3_000);
  await hear(true, 800);
  await hear(false, 400);
  expect(told.at(-1)).toBe("turn: where is it");
});

it.each([
  ["are its echo within 1.6 s of its last word", 600, "silent"],
  ["may be the visitor's later", 900, "turn: deliver to Austria"],
])("the avatar's own words %s", async (_, waitMs, end) => {
  avatar = { ...avatar, speaking: true, words: "We deliver to Austria and Germany." };
  await hear(false, 10);
  avatar.speaking = false;
  texts = ["deliver to Austria"];
  await hear(false, waitMs);
  await hear(true, 400);
  await hear(false, 400);
  expect(told.at(-1)).toBe(end);
});

it("tells no words where nothing was understood", async () => {
  await hear(true, 400);
  await hear(false, 600);
  expect(told).toEqual(["unduck", "speaks", "silent"]);
});
