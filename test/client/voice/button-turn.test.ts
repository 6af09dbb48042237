import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SessionEvents } from "../../../src/client/session-events.ts";
import { Conversation, type ConversationEvents } from "../../../src/client/conversation.ts";
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

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  told = [];
  texts = [];
  recognitionMs = 100;
  const events = new TypedEvents<SessionEvents>();
  state = new VoiceState(new Conversation(new TypedEvents<ConversationEvents>()), events);
  const tell = (what: string): void => void told.push(`${Date.now()} ${what}`);
  const recognizer: TurnRecognizer = {
    events: new TypedEvents(),
    start: (prerollMs) => {
      tell(`record from ${prerollMs} ms before`);
      return true;
    },
    end() {
      tell("end");
      return new Promise((resolve) => setTimeout(() => resolve(texts.shift() ?? ""), recognitionMs));
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
        return track as MediaStreamTrack;
      },
    },
    open: () => Promise.resolve(recognizer),
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
