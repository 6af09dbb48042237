import { describe, expect, it } from "vitest";
import { mediaStand, ofType } from "./media-stand.ts";

const stand = mediaStand();

describe("stopping the engine", () => {
  it("tells clients at once, by closing their connections", async () => {
    const client = await stand.connect();
    await client.until("pictures", ({ pictures }) => pictures > 0);
    await stand.engine.stop();
    await client.until("the close", ({ channelState }) => channelState === "closed");
  });

  it("stops the synthesis for them, and may be called twice", async () => {
    const signals: AbortSignal[] = [];
    stand.hooks.synthesize = (_sessionId, _text, signal) => new Promise(() => signals.push(signal));
    const client = await stand.connect();
    await client.send("ttstf", { message: "Hello." });
    await expect.poll(() => signals.length).toBe(1);
    await Promise.all([stand.engine.stop(), stand.engine.stop()]);
    expect(signals[0]!.aborted).toBe(true);
    expect(stand.told.closed).toEqual([]);
  });
});

describe("announcing a restart", () => {
  it("reaches every client before its connection closes", async () => {
    const clients = [await stand.connect(), await stand.connect("second")];
    stand.engine.announceRestart();
    for (const client of clients)
      await client.until("the announcement", (seen) => ofType(seen, "restart").length === 1);
    expect(stand.told.closed).toEqual([]);
  });
});
