import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ClientMessage } from "../../../src/protocol/session/data-channel.ts";
import { Conversation, type ConversationEvents } from "../../../src/client/conversation/conversation.ts";
import { SessionRelay, SessionToken } from "../../../src/client/relay/relay-client.ts";
import { Speech } from "../../../src/client/speech/speech.ts";
import { TypedEvents } from "../../../src/client/typed-events.ts";
import { BargeIn } from "../../../src/client/voice/turns/barge-in.ts";
import { PageStandIn } from "../page-stand-in.ts";
import { piece, RelayStandIn } from "../relay-stand-in.ts";

const answer = "We deliver to Austria and Germany.";

let relay: RelayStandIn;
let page: PageStandIn;
let conversation: Conversation;
let bargeIn: BargeIn;
let sent: ClientMessage[];

beforeEach(async () => {
  // Otherwise the avatar may have said another word before it is interrupted.
  vi.useFakeTimers({ toFake: ["performance"] });
  relay = new RelayStandIn();
  await relay.start();
  page = new PageStandIn();
  page.install();
  vi.stubGlobal("MediaStream", EventTarget);
  sent = [];
  conversation = new Conversation(new TypedEvents<ConversationEvents>());
  conversation.speech = new Speech();
  conversation.line = {
    speaks: true,
    up: true,
    deliver: (message) => sent.push(message) > 0,
    relay: new SessionRelay(relay.origin, "s1", new SessionToken("t1")),
  };
  bargeIn = new BargeIn({ conversation, mediaElement: null, volume: 1 });
});

afterEach(async () => {
  conversation.speech?.reset();
  page.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await relay.stop();
});

/** The avatar has begun to say its answer so many ms ago. */
function speakSince(ms: number): void {
  conversation.say(answer);
  const words = [...answer.matchAll(/\S+/gu)].map(([text], index) => ({
    text,
    start: index * 500,
    end: index * 500 + 400,
  }));
  const data = { message: answer, duration: words.length * 500, words };
  conversation.speech?.handleNotice(data, performance.now() - ms);
}

const lines = (): string[] =>
  conversation.transcript.entries.map(({ role, text, status }) => `${role}: ${text} (${status})`);

test("what a visitor who speaks over the avatar has not heard is marked, and the model is told", async () => {
  speakSince(1_750);
  bargeIn.pause();
  expect(sent.at(-1)?.type).toBe("clear-buffer");
  relay.answerWith([piece("No.")]);
  await conversation.ask("Do you deliver to Spain?");
  expect(lines().slice(0, 2)).toEqual([
    "avatar: We deliver to Austria (interrupted)",
    "visitor: Do you deliver to Spain? (final)",
  ]);
  expect(conversation.transcript.entries[0]?.rest).toBe(" and Germany.");
  expect(relay.asked[0]?.messages).toEqual([
    {
      role: "assistant",
      content:
        "We deliver to Austria\n\n[The visitor interrupted here and has not heard the rest: and Germany.]",
    },
    { role: "user", content: "Do you deliver to Spain?" },
  ]);
});

test("after a cough the avatar says the rest, and nothing was interrupted", () => {
  speakSince(1_750);
  bargeIn.pause();
  expect(bargeIn.isPaused).toBe(true);
  bargeIn.goOn();
  const said = sent.flatMap((message) => (message.type === "ttstf" ? [message.data.message] : []));
  expect(said).toEqual([answer, " and Germany."]);
  expect(lines()).toEqual([`avatar: ${answer} (final)`]);
  expect(bargeIn.isPaused).toBe(false);
});
