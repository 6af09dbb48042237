import { describe, expect, it } from "vitest";
import { mediaStand } from "./media-stand.ts";

const stand = mediaStand();

describe("stopping the engine", () => {
  it("tells clients at once, by closing their connections", async () => {
    const client = await stand.connect();
    await client.until("pictures", ({ pictures }) => pictures > 0);
    await stand.engine.stop();
    await client.until("the close", ({ channelState }) => channelState === "closed", 2_000);
  });

  it("stops what is being made for them, and does it twice without harm", async () => {
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
