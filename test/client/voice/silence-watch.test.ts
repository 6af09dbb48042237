import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Conversation, type ConversationEvents } from "../../../src/client/conversation/conversation.ts";
import type { SessionEvents } from "../../../src/client/session-events.ts";
import { TypedEvents } from "../../../src/client/typed-events.ts";
import { SilenceWatch } from "../../../src/client/voice/turns/silence-watch.ts";
import { VoiceState } from "../../../src/client/voice/voice-state.ts";

let state: VoiceState;
let isHeard: boolean;
let watch: SilenceWatch;

beforeEach(() => {
  vi.useFakeTimers();
  isHeard = false;
  state = new VoiceState(
    new Conversation(new TypedEvents<ConversationEvents>()),
    new TypedEvents<SessionEvents>(),
  );
  watch = new SilenceWatch(state, () => isHeard);
});

afterEach(() => {
  watch.stop();
  vi.useRealTimers();
});

test("a microphone that gives nothing for eight seconds is a fault until something is heard", () => {
  watch.start();
  vi.advanceTimersByTime(7_750);
  expect(state.status.fault).toBeNull();
  vi.advanceTimersByTime(250);
  expect(state.status.fault).toBe("silent");
  isHeard = true;
  vi.advanceTimersByTime(250);
  expect(state.status.fault).toBeNull();
  isHeard = false;
  vi.advanceTimersByTime(7_750);
  expect(state.status.fault).toBeNull();
  vi.advanceTimersByTime(250);
  expect(state.status.fault).toBe("silent");
});

test("the time begins with each start", () => {
  watch.start();
  vi.advanceTimersByTime(5_000);
  watch.start();
  vi.advanceTimersByTime(7_750);
  expect(state.status.fault).toBeNull();
});

test("nothing is told after the stop, and the fault is over", () => {
  watch.start();
  vi.advanceTimersByTime(8_000);
  watch.stop();
  expect(state.status.fault).toBeNull();
  vi.advanceTimersByTime(20_000);
  expect(state.status.fault).toBeNull();
});

test("another fault is neither replaced nor cleared", () => {
  state.change({ fault: "unclear" });
  watch.start();
  vi.advanceTimersByTime(9_000);
  expect(state.status.fault).toBe("unclear");
  isHeard = true;
  vi.advanceTimersByTime(250);
  watch.stop();
  expect(state.status.fault).toBe("unclear");
});
