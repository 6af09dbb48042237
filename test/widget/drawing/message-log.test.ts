import { expect, it } from "vitest";
import type { ConnectionEvents } from "../../../src/client/link/avatar-connection.ts";
import { TypedEvents } from "../../../src/client/typed-events.ts";
import { MessageLog, type PassedMessage } from "../../../src/widget/drawing/message-log.ts";

const events = new TypedEvents<ConnectionEvents>();
const openLog = (): MessageLog => new MessageLog({ events });
const hear = (text: string): void => events.emit("message", { type: "stt", data: { text } });

/** What a follower was given. */
function textsOf(passed: readonly PassedMessage[]): unknown[] {
  return passed.map((message) => "received" in message && Reflect.get(message.received.data, "text"));
}

it("gives a face that comes later what has passed, and then each message", () => {
  const log = openLog();
  const passed: PassedMessage[] = [];
  hear("one");
  log.follow((message) => passed.push(message));
  hear("two");
  log.stop();
  hear("three");
  expect(textsOf(passed)).toEqual(["one", "two"]);
});

it("keeps only the last messages of a long conversation in which no face comes", () => {
  const log = openLog();
  const passed: PassedMessage[] = [];
  for (let number = 1; number <= 5_000; number++) hear(String(number));
  log.follow((message) => passed.push(message));
  log.stop();
  expect(passed.length).toBeLessThan(1_000);
  expect(textsOf(passed).at(-1)).toBe("5000");
});
