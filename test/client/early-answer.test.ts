import { afterEach, beforeEach, expect, test } from "vitest";
import { Conversation, type ConversationEvents } from "../../src/client/conversation/conversation.ts";
import { SessionRelay, SessionToken } from "../../src/client/relay/relay-client.ts";
import { askEarly as askEarlyByVoice } from "../../src/client/voice/turns/ask-early.ts";
import { TypedEvents } from "../../src/client/typed-events.ts";
import { PageStandIn } from "./page-stand-in.ts";
import { json, piece, refusal, RelayStandIn } from "./relay-stand-in.ts";

const finish = { status: "success", type: "finish", role: "assistant", content: "" };

const earlyPath = "/embed/v1/sessions/s1/llm/early";

let relay: RelayStandIn;
let page: PageStandIn;
let conversation: Conversation;

beforeEach(async () => {
  relay = new RelayStandIn();
  await relay.start();
  relay.handlers.set(`POST ${earlyPath}`, (_request, response) => response.writeHead(204).end());
  page = new PageStandIn();
  page.install();
  conversation = new Conversation(new TypedEvents<ConversationEvents>());
  conversation.line = {
    speaks: false,
    up: true,
    deliver: () => true,
    relay: new SessionRelay(relay.origin, "s1", new SessionToken("t1")),
  };
});

afterEach(async () => {
  page.remove();
  await relay.stop();
});

const askedEarly = () => relay.seen.filter(({ path }) => path === earlyPath).map(({ body }) => body);

const askEarly = async (text: string): Promise<void> => (await conversation.turnsOf("")).askEarly(text);

test("an answer that begins early is asked for in the words of the question that follows", async () => {
  conversation.setVariables({ plan: "gold" });
  conversation.say("Welcome.");
  relay.answerWith([piece("Oak."), finish]);
  await askEarly("Which wood?");
  expect(conversation.transcript.entries).toHaveLength(1);
  await conversation.ask("Which wood?");
  expect(relay.asked).toHaveLength(1);
  expect(askedEarly()).toEqual(relay.asked);
  expect(conversation.transcript.entries.map(({ text }) => text)).toEqual([
    "Welcome.",
    "Which wood?",
    "Oak.",
  ]);
});

test("nothing of it is kept when the visitor goes on", async () => {
  relay.answerWith([piece("Oak, in green."), finish]);
  await askEarly("Which wood?");
  await conversation.ask("Which wood in green?");
  expect(relay.asked[0]?.messages).toEqual([{ role: "user", content: "Which wood in green?" }]);
  expect(conversation.transcript.entries.map(({ text }) => text)).toEqual([
    "Which wood in green?",
    "Oak, in green.",
  ]);
});

test.each([
  ["does not know it", 404],
  ["refuses it", 400],
])("a service that %s is not asked again early", async (_name, status) => {
  relay.handlers.set(`POST ${earlyPath}`, (_request, response) => json(response, status, refusal("invalid")));
  await askEarly("Which wood?");
  await askEarly("Which green?");
  expect(askedEarly()).toHaveLength(1);
  expect(conversation.transcript.entries).toEqual([]);
});

test("no answer begins early where the owner does not want it", async () => {
  await askEarlyByVoice(conversation, "Which wood?", { begin_early: false });
  expect(askedEarly()).toEqual([]);
  await askEarlyByVoice(conversation, "Which wood?", {});
  expect(askedEarly()).toHaveLength(1);
});
