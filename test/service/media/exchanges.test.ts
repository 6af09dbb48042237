import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SpeechOutcome, TextToSpeak } from "../../../src/service/media/media-engine.ts";
import { createFliteSynthesizer } from "../../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { SpeechError } from "../../../src/service/speech/speech-error.ts";
import { until } from "../../patience.ts";
import { bundleEntry, type BundledEntry } from "../bundle-entry.ts";
import type { Received } from "./client-process.ts";
import type { MediaClient } from "./media-client.ts";
import { characterFile, isAudible, mediaStand, ofType } from "./media-stand.ts";

const stand = mediaStand();

/** An exchange of text that is no offer. */
const brokenExchange = () =>
  stand.engine.exchange({ sessionId: "one", offerSdp: "v=0\r\n", characterFile: characterFile("mina") });
const refused = { name: "MediaError", code: "refused_offer" };

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

const linesOf = (sdp: string, start: string): string[] =>
  sdp.split("\r\n").filter((line) => line.startsWith(start));
const ufragOf = ({ answerSdp }: { answerSdp: string }): string | undefined =>
  linesOf(answerSdp, "a=ice-ufrag:")[0];

describe("a first exchange", () => {
  it("answers an offer without candidates with an answer to which the client can connect", async () => {
    const client = stand.newClient();
    const offerSdp = await client.offer();
    expect(offerSdp).not.toContain("a=candidate");
    const { answerSdp } = await stand.exchange(client, { offerSdp, matte: undefined });
    const media = (sdp: string) => linesOf(sdp, "m=").map((line) => line.split(" ")[0]);
    expect(media(answerSdp)).toEqual(media(offerSdp));
    expect(linesOf(answerSdp, "a=candidate").some((line) => / udp .* typ host/i.test(line))).toBe(true);
    expect(linesOf(answerSdp, "a=setup")).toContain("a=setup:passive");
    expect(linesOf(answerSdp, "a=group:BUNDLE")).toEqual(linesOf(offerSdp, "a=group:BUNDLE"));
    expect(linesOf(answerSdp, "a=sendonly")).toHaveLength(2);
    const streams = linesOf(answerSdp, "a=msid:").map((line) => line.split(" ")[0]);
    expect(streams).toHaveLength(2);
    expect(new Set(streams).size).toBe(1);
    await expectMedia(client);
  });

  it("gives pictures with a matte in the size that the client requests, and is reported once as connected", async () => {
    await expect(brokenExchange()).rejects.toMatchObject(refused);
    const client = await stand.connect();
    const { lastPicture } = await client.until("pictures", ({ pictures }) => pictures > 5);
    expect(lastPicture).toMatchObject({ width: 256, height: 512 });
    expect(lastPicture!.cornerMean).toBeLessThan(24);
    expect(lastPicture!.matteMean).toBeGreaterThan(60);
    expect(lastPicture!.matteMean).toBeLessThan(200);
    await client.send("change-size", { width: 900, height: 300 });
    const isSized = ({ lastPicture: last }: Received): boolean => last?.width === 304 && last.height === 608;
    await client.until("the size", isSized);
    expect(stand.told.connected).toEqual(["one"]);
  });
});

describe("a further exchange of the same client", () => {
  it("adds a microphone to the existing connection", async () => {
    const client = stand.newClient();
    const first = await stand.exchange(client);
    await client.addMicrophone();
    const second = await stand.exchange(client);
    expect(ufragOf(second)).toBe(ufragOf(first));
    for (const line of ["a=sendrecv", "a=candidate"]) expect(second.answerSdp).toContain(`\r\n${line}`);
    await expectMedia(client);
    expect(stand.told).toMatchObject({ connected: ["one"], closed: [] });
  });

  it("restarts ICE repeatedly, and changes nothing when it cannot be answered", async () => {
    const client = stand.newClient();
    const ufrags = [ufragOf(await stand.exchange(client))];
    for (let count = 0; count < 2; count++) {
      ufrags.push(ufragOf(await stand.exchange(client, {}, true)));
      await expectMedia(client);
    }
    expect(new Set(ufrags).size).toBe(3);
    await expect(brokenExchange()).rejects.toMatchObject(refused);
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

describe("a voice", () => {
  const greeting = "Good morning, how may I help you today? We have 68 chairs.";
  let worker: BundledEntry;
  let synthesizer: ReturnType<typeof createFliteSynthesizer>;

  beforeAll(async () => {
    worker = await bundleEntry("src/service/speech/engines/flite/flite-worker.ts");
    synthesizer = createFliteSynthesizer({ workerUrl: worker.url });
    await synthesizer.warm();
  });
  afterAll(async () => {
    await synthesizer.close();
    worker.remove();
  });

  async function speak(
    _session: string,
    { text, rate }: TextToSpeak,
    signal: AbortSignal,
  ): Promise<SpeechOutcome> {
    try {
      return { ok: true, speech: await synthesizer.synthesize({ text, rate, voice: "slt", signal }) };
    } catch (error) {
      if (!(error instanceof SpeechError)) throw error;
      return { ok: false, code: error.code, detail: error.message };
    }
  }

  it("speaks a text: a notice with the written words, then sound while the mouth moves, at the rate that the client chooses", async () => {
    stand.hooks.synthesize = speak;
    const client = await stand.connect();
    await client.until("pictures", ({ pictures }) => pictures > 5);
    await client.forget();
    await client.send("ttstf", { message: greeting });
    const movesMouth = ({ mouths }: Received): boolean => {
      const darkness = mouths.map(([, dark]) => dark);
      return Math.max(...darkness) - Math.min(...darkness) > 0.05;
    };
    const received = await client.until(
      "speech",
      (seen) => seen.heard.filter(isAudible).length > 200 && movesMouth(seen),
    );
    const [notice] = ofType(received, "stf");
    const words = notice!.data["words"] as { text: string; end: number }[];
    expect(notice!.data["message"]).toBe(greeting);
    expect(words.map(({ text }) => text).join(" ")).toBe(greeting);
    expect(notice!.data["duration"]).toBeGreaterThan(words.at(-1)!.end);
    await client.send("clear-buffer", {});
    for (const rate of [2, 9]) await client.send("voice", { rate });
    await client.send("ttstf", { message: greeting });
    const again = await client.until("twice the rate", (seen) => ofType(seen, "stf").length === 2);
    const [usual, fast] = ofType(again, "stf").map(({ data }) => Number(data["duration"]));
    expect(usual! / fast!).toBeGreaterThan(1.7);
    expect(stand.told.warnings).toEqual([expect.stringContaining('"voice" (data.rate)')]);
  });

  it("speaks texts in order, and reports a text that cannot be spoken at its place", async () => {
    stand.hooks.synthesize = speak;
    const client = await stand.connect();
    for (const message of ["First one.", "안녕하세요", "Third one."]) await client.send("ttstf", { message });
    const received = await client.until("the last notice", (seen) => ofType(seen, "stf").length === 3);
    const outcomes = received.messages.map(({ type, data }) =>
      [type, data["message"], data["code"] ?? data["duration"] === 0].join(" "),
    );
    expect(outcomes).toEqual([
      ...["stf First one. false", "stf-error 안녕하세요 unspeakable_text", "stf 안녕하세요 true"],
      "stf Third one. false",
    ]);
  });
});

describe("the engine", () => {
  it("replaces processes that die, after which a session's next exchange works, and ends them when it stops", async () => {
    const { engine, pids, told } = stand;
    await until("the processes", () => pids.length === 2);
    const client = await stand.connect();
    await client.send("ttstf", { message: "Hello." });
    await client.until("speech", ({ heard }) => heard.some(isAudible));
    // The one that was ready first serves. The other one is the spare.
    process.kill(pids[0]!, "SIGKILL");
    await until("the news", () => told.closed.length > 0);
    expect(told.closed).toEqual([["one", "process-died"]]);
    expect([told.diedProcesses, engine.peerCount]).toEqual([1, 0]);
    const again = await stand.connect();
    await again.until("pictures", ({ pictures }) => pictures > 0);
    expect(engine.peerCount).toBe(1);
    await until("the replacement", () => pids.length === 3);
    await engine.stop();
    expect(told.diedProcesses).toBe(1);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
    await expect(brokenExchange()).rejects.toMatchObject({ code: "stopped" });
  });

  it("stops the synthesis when it stops, tells clients at once by closing their connections, and may be stopped twice", async () => {
    const signals: AbortSignal[] = [];
    stand.hooks.synthesize = (_sessionId, _text, signal) => new Promise(() => signals.push(signal));
    const client = await stand.connect();
    await client.send("ttstf", { message: "Hello." });
    await expect.poll(() => signals.length).toBe(1);
    await Promise.all([stand.engine.stop(), stand.engine.stop()]);
    expect(signals[0]!.aborted).toBe(true);
    expect(stand.told.closed).toEqual([]);
    await client.until("the close", ({ channelState }) => channelState === "closed");
  });

  it("announces a restart to every client before its connection closes", async () => {
    const clients = [await stand.connect(), await stand.connect("second")];
    stand.engine.announceRestart();
    for (const client of clients)
      await client.until("the announcement", (seen) => ofType(seen, "restart").length === 1);
    expect(stand.told.closed).toEqual([]);
  });
});
