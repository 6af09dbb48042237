import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SpeechOutcome, TextToSpeak } from "../../../src/service/media/media-engine.ts";
import {
  createFliteSynthesizer,
  type FliteSynthesizer,
} from "../../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { SpeechError } from "../../../src/service/speech/speech-error.ts";
import { bundleEntry, type BundledEntry } from "../bundle-entry.ts";
import { until } from "../../patience.ts";
import type { Received } from "./client-process.ts";
import { characterFile, isAudible, mediaStand, ofType } from "./media-stand.ts";

const greeting = "Good morning, how may I help you today? We have 68 chairs.";

const stand = mediaStand();
let worker: BundledEntry;
let synthesizer: FliteSynthesizer;

async function speak(
  _session: string,
  { text, rate }: TextToSpeak,
  signal: AbortSignal,
): Promise<SpeechOutcome> {
  try {
    return { ok: true, speech: await synthesizer.synthesize({ text, rate, voice: "slt", signal }) };
  } catch (error) {
    const code = error instanceof SpeechError ? error.code : "engine_failed";
    return { ok: false, code, detail: String(error) };
  }
}

beforeAll(async () => {
  worker = await bundleEntry("src/service/speech/engines/flite/flite-worker.ts");
  synthesizer = createFliteSynthesizer({ workerUrl: worker.url });
  await synthesizer.warm();
});

afterAll(async () => {
  await synthesizer.close();
  worker.remove();
});

beforeEach(() => {
  stand.hooks = { synthesize: speak };
});

function movesMouth({ mouths }: Received): boolean {
  const darkness = mouths.map(([, dark]) => dark);
  return Math.max(...darkness) - Math.min(...darkness) > 0.05;
}

describe("a session's peer", () => {
  it("sends pictures with a matte in the size that the client requests, and reports once that it is connected", async () => {
    const refused = stand.engine.exchange({
      ...{ sessionId: "one", offerSdp: "v=0\r\n", characterFile: characterFile("mina") },
    });
    await expect(refused).rejects.toMatchObject({ name: "MediaError", code: "refused_offer" });
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

  it("speaks a text: a notice with the written words, then sound while the mouth moves, at the rate that the client chooses", async () => {
    const client = await stand.connect();
    await client.until("pictures", ({ pictures }) => pictures > 5);
    await client.forget();
    await client.send("ttstf", { message: greeting });
    const received = await client.until(
      "speech",
      (seen) => seen.heard.some(isAudible) && ofType(seen, "stf").length > 0 && movesMouth(seen),
    );
    const [notice] = ofType(received, "stf");
    const words = notice!.data["words"] as { text: string; start: number; end: number }[];
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
    const client = await stand.connect();
    for (const message of ["First one.", "안녕하세요", "Third one."]) await client.send("ttstf", { message });
    const received = await client.until("the last notice", (seen) => ofType(seen, "stf").length === 3);
    const outcomes = received.messages.map(({ type, data }) => [
      type,
      data["message"],
      data["duration"] === 0,
    ]);
    expect(outcomes).toEqual([
      ["stf", "First one.", false],
      ["stf-error", "안녕하세요", false],
      ["stf", "안녕하세요", true],
      ["stf", "Third one.", false],
    ]);
    expect(ofType(received, "stf-error")[0]!.data["code"]).toBe("unspeakable_text");
  });
});

describe("media processes", () => {
  it("are replaced when they die, after which a session's next exchange works, and end when the engine stops", async () => {
    const { engine, pids, told } = stand;
    await until("the processes", () => pids.length === 2);
    const client = await stand.connect();
    await client.send("ttstf", { message: greeting });
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
    await expect(
      engine.exchange({ sessionId: "one", offerSdp: "v=0", characterFile: characterFile("mina") }),
    ).rejects.toMatchObject({ code: "stopped" });
  });
});
