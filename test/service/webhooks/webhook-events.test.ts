/** Conversations go on whatever becomes of the events that owners are told of. */
import { expect, test } from "vitest";
import type { LogFields, Logger } from "../../../src/logging/logger.ts";
import type { Store } from "../../../src/service/store/store.ts";
import { createWebhookEvents } from "../../../src/service/webhooks/webhook-events.ts";

/** Events on a store that lists webhooks like this. */
function eventsOn(list: Store["webhooks"]["list"]) {
  const lines: (LogFields & { level: string })[] = [];
  const at = (level: string) => (_message: string, fields?: LogFields) =>
    void lines.push({ level, ...fields });
  const log: Logger = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  const store = { webhooks: { list } } as unknown as Store;
  const parts = { store, log, clock: { nowMs: () => 1 }, consoleUrl: "", wake: () => undefined };
  return { events: createWebhookEvents(parts), lines };
}

const session = { id: "s", organizationId: "o" };

test("a store that fails is in the log, and the next event is noted", async () => {
  const outcomes = [() => Promise.reject(new Error("The disk is full.")), () => Promise.resolve([])];
  let listed = 0;
  const { events, lines } = eventsOn(() => outcomes[listed++]!());
  events.publish("conversation.ended", session);
  events.publish("person.asked", session);
  await events.settled();
  expect(listed).toBe(2);
  expect(lines).toEqual([{ level: "error", detail: "conversation.ended", error: "The disk is full." }]);
});

test("a store that does not answer gets no endless queue", async () => {
  let answer = (): void => undefined;
  const answered = new Promise<[]>((resolve) => (answer = () => resolve([])));
  let listed = 0;
  const { events, lines } = eventsOn(() => {
    listed++;
    return answered;
  });
  for (let count = 0; count < 1_005; count++) events.publish("rating.down", session);
  expect(lines.map(({ level }) => level)).toEqual(Array.from({ length: 5 }, () => "warn"));
  answer();
  await events.settled();
  expect(listed).toBe(1_000);
  events.publish("rating.down", session);
  await events.settled();
  expect(listed).toBe(1_001);
});
