import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ChannelSender } from "../../../../src/service/media/session/file-channel.ts";
import { sessionGuard } from "../../../../src/service/media/session-guard.ts";
import type { DataChannel } from "../../../../src/service/media/wrtc.ts";

let sent: string[];
let isOpen: boolean;
let faults: unknown[];
let sender: ChannelSender;

beforeEach(() => {
  vi.useFakeTimers();
  [sent, isOpen, faults] = [[], true, []];
  const channel: Pick<DataChannel, "send"> = {
    send(text) {
      if (!isOpen) throw new Error("InvalidStateError");
      sent.push(text);
    },
  };
  sender = new ChannelSender(
    channel as DataChannel,
    sessionGuard((error) => faults.push(error)),
  );
});
afterEach(() => vi.useRealTimers());

describe("texts over a channel", () => {
  it("are sent a moment later, in their order", () => {
    for (const text of ["one", "two", "three"]) sender.send(text);
    expect(sent).toEqual([]);
    vi.runAllTimers();
    expect(sent).toEqual(["one", "two", "three"]);
  });

  it("go on after a pause", () => {
    sender.send("one");
    vi.runAllTimers();
    sender.send("two");
    vi.runAllTimers();
    expect(sent).toEqual(["one", "two"]);
  });

  it("are sent at once, and only once, before the service closes the channel", () => {
    sender.send("the end");
    sender.flush();
    vi.runAllTimers();
    expect(sent).toEqual(["the end"]);
  });

  it("are dropped when the client has closed the channel meanwhile", () => {
    sender.send("too late");
    sender.discard();
    vi.runAllTimers();
    expect(sent).toEqual([]);
  });

  it("for a channel that is not open are dropped without an error", () => {
    isOpen = false;
    sender.send("too late");
    vi.runAllTimers();
    expect([sent, faults]).toEqual([[], []]);
  });
});
