import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SessionEvents } from "../../../src/client/session-events.ts";
import { Conversation, type ConversationEvents } from "../../../src/client/conversation/conversation.ts";
import { TypedEvents } from "../../../src/client/typed-events.ts";
import type { TurnRecognizer } from "../../../src/client/voice/turn-recognizer.ts";
import { ButtonTurn } from "../../../src/client/voice/turns/button-turn.ts";
import { SilenceWatch } from "../../../src/client/voice/turns/silence-watch.ts";
import { VoiceState } from "../../../src/client/voice/voice-state.ts";

/** What the recognizer was told, with the time, and what was asked. */
let told: string[];
/** The texts of the coming recordings. */
let texts: string[];
/** How long the recognizer takes, in ms. */
let recognitionMs: number;
let state: VoiceState;
let button: ButtonTurn;
/** What opening the microphone gives, and what the microphone has. */
let opening: Promise<unknown>;
let hasTrack: boolean;
/** Whether the recognizer can begin, and what its end gives. */
let canStart: boolean;
let failure: Error | null;
let heard: SessionEvents["transcript"][];

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  told = [];
  texts = [];
  recognitionMs = 100;
  opening = Promise.resolve();
  [hasTrack, canStart, failure, heard] = [true, true, null, []];
  const events = new TypedEvents<SessionEvents>();
  events.on("transcript", (transcript) => heard.push(transcript));
  state = new VoiceState(new Conversation(new TypedEvents<ConversationEvents>()), events);
  const tell = (what: string): void => void told.push(`${Date.now()} ${what}`);
  const recognizer: TurnRecognizer = {
    events: new TypedEvents(),
    start: (prerollMs) => {
      tell(`record from ${prerollMs} ms before`);
      return canStart;
    },
    end() {
      tell("end");
      return new Promise((resolve, reject) =>
        setTimeout(() => (failure ? reject(failure) : resolve(texts.shift() ?? "")), recognitionMs),
      );
    },
    cancel: () => tell("cancel"),
    close: () => undefined,
  };
  button = new ButtonTurn({
    state,
    events,
    silence: new SilenceWatch(state, () => true),
    recognizer: { made: recognizer },
    microphone: {
      get track() {
        const track: Partial<MediaStreamTrack> = { enabled: true };
        return hasTrack ? (track as MediaStreamTrack) : null;
      },
    },
    open: () => opening.then(() => recognizer),
    interrupt: () => tell("interrupt"),
    handleLimit: () => button.end("send"),
    ask: (question) => tell(`ask: ${question}`),
    handleFault: (error) => tell(String(error)),
  });
});

afterEach(() => {
  button.stop();
  vi.useRealTimers();
});

test("a turn ends exactly when the button is released, and its text is asked", async () => {
  texts = ["how much is it"];
  await button.begin();
  await vi.advanceTimersByTimeAsync(1_234);
  button.end("send");
  expect(told).toEqual(["0 interrupt", "0 record from 300 ms before", "1234 end"]);
  expect(state.status.turn).toBe("recognizing");
  await vi.advanceTimersByTimeAsync(100);
  expect([told.at(-1), state.status.turn]).toEqual(["1334 ask: how much is it", "none"]);
});

test("a turn that is cancelled is never asked", async () => {
  texts = ["how much is it"];
  await button.begin();
  await vi.advanceTimersByTimeAsync(500);
  button.end("cancel");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told.at(-1)).toBe("500 cancel");
});

test("who presses again while the words are recognized adds to the question", async () => {
  texts = ["I want a chair", "in green"];
  recognitionMs = 1_000;
  await button.begin();
  await vi.advanceTimersByTimeAsync(500);
  button.end("send");
  await button.begin();
  await vi.advanceTimersByTimeAsync(1_500);
  button.end("send");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told.filter((line) => line.includes("ask"))).toEqual(["3000 ask: I want a chair in green"]);
});

test("a turn in which nothing was understood says so", async () => {
  await button.begin();
  await vi.advanceTimersByTimeAsync(500);
  button.end("send");
  await vi.advanceTimersByTimeAsync(100);
  expect(state.status).toMatchObject({ turn: "none", fault: "unclear" });
});

test("a turn is sent before the service's longest recording is full", async () => {
  texts = ["a long story"];
  await button.begin();
  await vi.advanceTimersByTimeAsync(58_100);
  expect(told.at(-1)).toBe("58100 ask: a long story");
});

test("a turn is shown from its beginning, without what is left of another", async () => {
  state.change({ fault: "unclear", words: "before" });
  const begun = button.begin();
  expect(state.status).toMatchObject({ turn: "button", words: "", fault: null });
  await begun;
  expect([state.isRecording, button.carried]).toEqual([true, ""]);
  state.change({ words: "so far" });
  button.end("cancel");
  expect(state.status).toMatchObject({ turn: "none", words: "", fault: null });
  expect(state.isRecording).toBe(false);
});

test("a turn that ends before the microphone is open records nothing", async () => {
  texts = ["nothing"];
  const begun = button.begin();
  button.end("send");
  await begun;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual(["0 cancel"]);
  expect(state.status.turn).toBe("none");
});

test("a microphone that cannot be opened is told once, and not after the turn", async () => {
  opening = Promise.reject(new Error("blocked"));
  await expect(button.begin()).rejects.toThrow("blocked");
  expect(told).toEqual(["0 Error: blocked"]);
  const begun = button.begin();
  button.end("cancel");
  await expect(begun).rejects.toThrow("blocked");
  expect(told).toEqual(["0 Error: blocked", "0 cancel"]);
});

test.each([
  ["the microphone has no track", () => void (hasTrack = false)],
  ["the recognizer cannot begin", () => void (canStart = false)],
])("a turn does not begin where %s", async (_, spoil) => {
  spoil();
  await button.begin();
  expect(told.at(-1)).toBe("0 VisavisError: The connection was lost.");
  expect(state.isRecording).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told.some((entry) => entry.includes("end"))).toBe(false);
});

test("what was understood is told, and kept for the question only while the visitor goes on", async () => {
  texts = ["I want a chair", "in green"];
  await button.begin();
  button.end("send");
  await button.begin();
  await vi.advanceTimersByTimeAsync(100);
  expect(button.carried).toBe("I want a chair");
  expect(heard).toEqual([{ text: "I want a chair", final: true }]);
  expect(state.status.turn).toBe("button");
  button.end("send");
  await vi.advanceTimersByTimeAsync(100);
  expect(button.carried).toBe("");
  expect(told.at(-1)).toBe("200 ask: I want a chair in green");
  expect(state.status).toMatchObject({ turn: "none", fault: null, words: "" });
});

test("nothing is told of a turn in which nothing was understood", async () => {
  await button.begin();
  button.end("send");
  await vi.advanceTimersByTimeAsync(100);
  expect([heard, told.at(-1)]).toEqual([[], "0 end"]);
});

test("a recognizer that fails is told while its turn is the present one", async () => {
  failure = new Error("lost");
  await button.begin();
  button.end("send");
  await vi.advanceTimersByTimeAsync(100);
  expect(told.at(-1)).toBe("100 Error: lost");
  await button.begin();
  button.end("send");
  await button.begin();
  told = [];
  await vi.advanceTimersByTimeAsync(100);
  expect(told).toEqual([]);
});

test("the limit of a turn ends with the turn", async () => {
  texts = ["short"];
  await button.begin();
  button.end("send");
  await vi.advanceTimersByTimeAsync(70_000);
  expect(told.filter((entry) => entry.includes("end"))).toHaveLength(1);
});
