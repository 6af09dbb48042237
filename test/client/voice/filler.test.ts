import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ClientMessage } from "../../../src/protocol/session/data-channel.ts";
import type { Activity } from "../../../src/client/session-events.ts";
import { Conversation, type ConversationEvents } from "../../../src/client/conversation/conversation.ts";
import { SessionRelay, SessionToken } from "../../../src/client/relay/relay-client.ts";
import { Speech } from "../../../src/client/speech/speech.ts";
import { TypedEvents } from "../../../src/client/typed-events.ts";
import { fillWaits } from "../../../src/client/voice/filler.ts";

let events: TypedEvents<ConversationEvents>;
let conversation: Conversation;
let sent: ClientMessage[];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
});

afterEach(() => {
  stop();
  conversation.speech?.reset();
  vi.useRealTimers();
});

function converse(voice: unknown, speaks = true): void {
  events = new TypedEvents();
  conversation = new Conversation(events);
  conversation.speech = new Speech();
  conversation.line = {
    speaks,
    up: true,
    deliver: (message) => sent.push(message) > 0,
    relay: new SessionRelay("", "session", new SessionToken("token")),
  };
  stop = fillWaits(voice, conversation, events);
}

function become(activity: Activity): void {
  conversation.rest = activity;
  conversation.handleTurn();
}

const said = (): unknown[] =>
  sent.flatMap((message) => (message.type === "ttstf" ? [message.data.message] : []));

it("says one of the owner's texts when an answer takes longer than the owner says", async () => {
  converse({ filler_texts: ["Let me see.", "One moment."], filler_after_ms: 900 });
  become("thinking");
  await vi.advanceTimersByTimeAsync(890);
  expect(said()).toEqual([]);
  await vi.advanceTimersByTimeAsync(20);
  expect(said()).toHaveLength(1);
  conversation.speech?.reset();
  become("idle");
  become("thinking");
  await vi.advanceTimersByTimeAsync(910);
  expect([...said()].sort()).toEqual(["Let me see.", "One moment."]);
  expect(conversation.transcript.entries).toEqual([]);
});

it("waits 1.2 s unless the owner says otherwise, and says nothing if the answer comes before", async () => {
  converse({ filler_texts: ["Let me see."] });
  become("thinking");
  await vi.advanceTimersByTimeAsync(1_190);
  become("idle");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(said()).toEqual([]);
  become("thinking");
  await vi.advanceTimersByTimeAsync(1_210);
  expect(said()).toEqual(["Let me see."]);
});

it("fills the wait for one question once", async () => {
  converse({ filler_texts: ["Let me see."] });
  become("thinking");
  await vi.advanceTimersByTimeAsync(1_300);
  conversation.speech?.handleNotice({ message: "Let me see.", duration: 500 }, performance.now());
  conversation.handleTurn();
  expect(conversation.activity).toBe("speaking");
  await vi.advanceTimersByTimeAsync(600);
  conversation.handleTurn();
  expect(conversation.activity).toBe("thinking");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(said()).toEqual(["Let me see."]);
});

it("says nothing in writing, and nothing where the owner has no texts", async () => {
  converse({ filler_texts: ["Let me see."] }, false);
  become("thinking");
  await vi.advanceTimersByTimeAsync(5_000);
  stop();
  converse({ filler_after_ms: 500 });
  become("thinking");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(said()).toEqual([]);
});
