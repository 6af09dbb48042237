import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Conversation } from "../../../src/client/conversation/conversation.ts";
import { SessionRelay, SessionToken } from "../../../src/client/relay/relay-client.ts";
import { TypedEvents } from "../../../src/client/typed-events.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  Reflect.deleteProperty(globalThis, Symbol.for("visavis.speaking-order"));
});

/** An avatar whose service speaks each text, one word a second. */
async function avatar() {
  const conversation = new Conversation(new TypedEvents(), "en");
  const spoken: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const queue: string[] = [];
  const next = () => {
    const message = queue.shift();
    if (message === undefined) {
      timer = undefined;
      return;
    }
    const duration = message.split(/\s+/).length * 1_000;
    const words = message
      .split(/\s+/)
      .map((text, index) => ({ text, start: index * 1_000, end: (index + 1) * 1_000 }));
    conversation.handleMessage({ type: "stf", data: { message, duration, words } });
    timer = setTimeout(next, duration);
  };
  conversation.connect({
    speaks: true,
    up: true,
    relay: new SessionRelay("", "session", new SessionToken("token")),
    deliver(message) {
      if (message.type === "clear-buffer") {
        clearTimeout(timer);
        timer = undefined;
        queue.length = 0;
      } else if (message.type === "ttstf") {
        queue.push(message.data.message);
        timer ??= setTimeout(next, 10);
      }
      return true;
    },
  });
  conversation.events.on("caption", ({ word }) => spoken.push(word));
  conversation.handleUp();
  await vi.dynamicImportSettled();
  return { conversation, spoken };
}

test("the avatar that begins last speaks, and the other one goes on where it was", async () => {
  const [first, second] = [await avatar(), await avatar()];
  first.conversation.say("One two three four.");
  await vi.advanceTimersByTimeAsync(1_500);
  expect(first.conversation.activity).toBe("speaking");
  second.conversation.say("Five six.");
  await vi.advanceTimersByTimeAsync(500);
  expect(second.conversation.activity).toBe("speaking");
  expect(first.conversation.activity).toBe("idle");
  // What it has to say meanwhile waits too.
  first.conversation.say("Seven.");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(first.spoken).toEqual(["One", "two"]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(second.spoken).toEqual(["Five", "six."]);
  expect(first.spoken).toEqual(["One", "two", "three", "four.", "Seven."]);
  expect(first.conversation.transcript.entries.map(({ status }) => status)).toEqual(["final", "final"]);
});

test("of several that wait, the one that was interrupted last goes on first", async () => {
  const all = [await avatar(), await avatar(), await avatar()];
  for (const [index, { conversation }] of all.entries()) {
    conversation.say(`${index}a ${index}b ${index}c.`);
    await vi.advanceTimersByTimeAsync(1_100);
  }
  const ended: number[] = [];
  for (const [index, { conversation }] of all.entries())
    conversation.events.on("captionend", () => ended.push(index));
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ended).toEqual([2, 1, 0]);
});

test("an interrupted avatar that waits says no more, and keeps nobody waiting", async () => {
  const [first, second] = [await avatar(), await avatar()];
  first.conversation.say("One two three four.");
  await vi.advanceTimersByTimeAsync(1_500);
  second.conversation.say("Five six.");
  await vi.advanceTimersByTimeAsync(200);
  first.conversation.interrupt();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(first.conversation.transcript.entries).toMatchObject([{ text: "One two", status: "interrupted" }]);
  expect(first.spoken).toEqual(["One", "two"]);
  second.conversation.say("Seven.");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(second.spoken).toEqual(["Five", "six.", "Seven."]);
});

test("an avatar whose session ends lets the other one go on", async () => {
  const [first, second] = [await avatar(), await avatar()];
  first.conversation.say("One two.");
  await vi.advanceTimersByTimeAsync(500);
  second.conversation.say("Three four five.");
  await vi.advanceTimersByTimeAsync(500);
  second.conversation.disconnect(false);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(first.spoken).toEqual(["One", "two."]);
});
