import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AvatarConnection, ConnectionEvents } from "../../../src/client/link/avatar-connection.ts";
import type { ConversationEvents } from "../../../src/client/conversation/conversation.ts";
import { watchRestart } from "../../../src/client/care/session-care.ts";
import { TypedEvents } from "../../../src/client/typed-events.ts";

const events = new TypedEvents<ConversationEvents>();
const noted: string[] = [];
let connection: AvatarConnection;
let closing: AbortController;

const announce = (): void => events.emit("notice", { type: "restart", data: {} });

beforeEach(() => {
  vi.useFakeTimers();
  noted.length = 0;
  closing = new AbortController();
  connection = {
    quiet: false,
    events: new TypedEvents<ConnectionEvents>(),
    handleLinkFault: () => noted.push(connection.quiet ? "quiet recovery" : "recovery"),
  } as unknown as AvatarConnection;
  connection.events.on("lost", () => noted.push("lost"));
  watchRestart(connection, { events }, closing.signal);
});

afterEach(() => {
  closing.abort();
  vi.useRealTimers();
});

test("an announced restart begins a quiet recovery, which is over when the connection is back", () => {
  announce();
  announce();
  expect(noted).toEqual(["quiet recovery"]);
  // The new link ends it.
  connection.quiet = false;
  vi.advanceTimersByTime(60_000);
  expect(noted).toEqual(["quiet recovery"]);
  announce();
  expect(noted).toEqual(["quiet recovery", "quiet recovery"]);
});

test("after 20 s the connection counts as lost", () => {
  announce();
  vi.advanceTimersByTime(19_999);
  expect(noted).toEqual(["quiet recovery"]);
  vi.advanceTimersByTime(1);
  expect([connection.quiet, ...noted]).toEqual([false, "quiet recovery", "lost"]);
});

test("other messages and a closed session do nothing", () => {
  events.emit("notice", { type: "ping", data: {} });
  announce();
  closing.abort();
  vi.advanceTimersByTime(60_000);
  announce();
  expect(noted).toEqual(["quiet recovery"]);
});
