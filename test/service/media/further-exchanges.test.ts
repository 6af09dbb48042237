import { describe, expect, it } from "vitest";
import type { MediaClient } from "./media-client.ts";
import { characterFile, isAudible, mediaStand, ofType } from "./media-stand.ts";

const stand = mediaStand();

/** Waits until new pictures, voice and messages reach the client. */
async function expectMedia(client: MediaClient): Promise<void> {
  await client.forget();
  const before = await client.received();
  await client.send("ttstf", { message: "Hello." });
  await client.until(
    "pictures, voice and messages",
    ({ pictures, heard, messages }) =>
      pictures > before.pictures + 5 && heard.some(isAudible) && messages.length > before.messages.length,
  );
}

const ufragOf = (sdp: string): string => /^a=ice-ufrag:(.+)$/m.exec(sdp)![1]!;
const linesOf = (sdp: string, start: string): string[] =>
  sdp.split("\r\n").filter((line) => line.startsWith(start));

describe("a first exchange", () => {
  it("answers an offer without candidates with an answer to which the client can connect", async () => {
    const client = stand.newClient();
    const offerSdp = await client.offer();
    expect(offerSdp).not.toContain("a=candidate");
    const request = { sessionId: "one", offerSdp, characterFile: characterFile("mina") };
    const { answerSdp } = await stand.engine.exchange(request);
    const media = (sdp: string): (string | undefined)[] =>
      linesOf(sdp, "m=").map((line) => line.split(" ")[0]);
    expect(media(answerSdp)).toEqual(media(offerSdp));
    expect(linesOf(answerSdp, "a=candidate").some((line) => / udp .* typ host/i.test(line))).toBe(true);
    expect(linesOf(answerSdp, "a=setup")).toContain("a=setup:passive");
    expect(linesOf(answerSdp, "a=group:BUNDLE")).toEqual(linesOf(offerSdp, "a=group:BUNDLE"));
    expect(linesOf(answerSdp, "a=sendonly")).toHaveLength(2);
    const streams = linesOf(answerSdp, "a=msid:").map((line) => line.slice("a=msid:".length).split(" ")[0]);
    expect(streams).toHaveLength(2);
    expect(new Set(streams).size).toBe(1);
    await client.accept(answerSdp);
    await expectMedia(client);
  });
});

describe("a further exchange of the same client", () => {
  it("adds a microphone to the existing connection", async () => {
    const client = stand.newClient();
    const first = await stand.exchange(client);
    await client.addMicrophone();
    const second = await stand.exchange(client);
    expect(ufragOf(second)).toBe(ufragOf(first));
    expect(linesOf(second, "a=sendrecv").length).toBeGreaterThan(0);
    expect(linesOf(second, "a=candidate").length).toBeGreaterThan(0);
    await expectMedia(client);
    expect(stand.told).toMatchObject({ connected: ["one"], closed: [] });
  });

  it("restarts ICE repeatedly, and changes nothing when it cannot be answered", async () => {
    const client = stand.newClient();
    const ufrags = [ufragOf(await stand.exchange(client))];
    for (let count = 0; count < 2; count++) {
      ufrags.push(ufragOf(await stand.exchange(client, "one", true)));
      await expectMedia(client);
    }
    expect(new Set(ufrags).size).toBe(3);
    const broken = { sessionId: "one", offerSdp: "v=0\r\n", characterFile: characterFile("mina") };
    await expect(stand.engine.exchange(broken)).rejects.toMatchObject({ code: "refused_offer" });
    await expectMedia(client);
    expect(stand.told).toMatchObject({ connected: ["one"], closed: [] });
  });
});

describe("an exchange of another client", () => {
  it("replaces the first client, whose connection closes; the session continues until the second leaves", async () => {
    const first = await stand.connect();
    await expectMedia(first);
    const second = await stand.connect();
    await expectMedia(second);
    await first.until("its close", ({ channelState }) => channelState === "closed");
    await expectMedia(second);
    expect(stand.told).toMatchObject({ connected: ["one"], closed: [] });
    await second.close();
    await expect.poll(() => stand.told.closed).toEqual([["one", "peer-closed"]]);
  });

  it("lets the second client play files that the first has uploaded", async () => {
    const asked: string[] = [];
    stand.hooks.lipSync = (_sessionId, { message }) => {
      asked.push(message);
      return Promise.resolve({ ok: false, code: "invalid_audio", detail: "No sound." });
    };
    const first = await stand.connect();
    const { reference } = await first.upload(Uint8Array.of(1, 2, 3), new Uint8Array());
    const second = await stand.connect();
    await second.send("stf", { message: "Kept.", file_ref: reference, format: "wav" });
    await second.until("the outcome", (seen) => ofType(seen, "stf-error").length === 1);
    expect(asked).toEqual(["Kept."]);
  });
});
