import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMediaEngine } from "../../../src/service/media/create-media-engine.ts";
import type { MediaEngine, SpeechOutcome, TextToSpeak } from "../../../src/service/media/media-engine.ts";
import {
  createFliteSynthesizer,
  type FliteSynthesizer,
} from "../../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { SpeechError } from "../../../src/service/speech/speech-error.ts";
import { bundleEntry, type BundledEntry } from "../bundle-entry.ts";
import type { HeardPeak, Received } from "./client-process.ts";
import { MediaClient } from "./media-client.ts";
import { testPatience, unavailable } from "./media-stand.ts";
import { until } from "../../patience.ts";

const characterFile = join(import.meta.dirname, "../../../public/characters/mina.json");
const greeting = "Good morning, how may I help you today? We have 68 chairs.";
const audible = 1_000;

let entries: Record<"process" | "worker" | "client", BundledEntry>;
let synthesizer: FliteSynthesizer;
let engine: MediaEngine;
let clients: MediaClient[] = [];
let abandoned: string[] = [];
let pids: number[] = [];
let connected: string[] = [];
let active: string[] = [];
let closed: [string, string][] = [];
let warnings: string[] = [];
let deaths = 0;

async function speak(
  _session: string,
  { text, rate }: TextToSpeak,
  signal: AbortSignal,
): Promise<SpeechOutcome> {
  signal.addEventListener("abort", () => abandoned.push(text));
  try {
    return { ok: true, speech: await synthesizer.synthesize({ text, rate, voice: "slt", signal }) };
  } catch (error) {
    const code = error instanceof SpeechError ? error.code : "engine_failed";
    return { ok: false, code, detail: String(error) };
  }
}

beforeAll(async () => {
  const [process, worker, client] = await Promise.all([
    bundleEntry("src/service/media/media-process.ts"),
    bundleEntry("src/service/speech/engines/flite/flite-worker.ts"),
    bundleEntry("test/service/media/client-process.ts"),
  ]);
  entries = { process, worker, client };
  synthesizer = createFliteSynthesizer({ workerUrl: worker.url });
  await synthesizer.warm();
});

afterAll(async () => {
  await synthesizer.close();
  for (const entry of Object.values(entries)) entry.remove();
});

beforeEach(async () => {
  [abandoned, pids, connected, active, closed, warnings, clients] = [[], [], [], [], [], [], []];
  deaths = 0;
  engine = createMediaEngine({
    processUrl: entries.process.url,
    hooks: {
      synthesize: speak,
      lipSync: unavailable,
      hear: () => Promise.resolve(null),
      recognize: unavailable,
      translate: unavailable,
      template: () => Promise.resolve(null),
      background: () => Promise.resolve(null),
      onConnected: (sessionId) => connected.push(sessionId),
      onActivity: (sessionId) => active.push(sessionId),
      onClosed: (sessionId, cause) => closed.push([sessionId, cause]),
      onProcessDied: () => void (deaths += 1),
    },
    log: {
      info: (_message, fields) => pids.push(Number(fields?.["pid"])),
      warn: (message) => warnings.push(message),
    },
    settings: { pictureSize: 256 },
    patience: testPatience,
  });
  // An exchange with a process that still starts may take too long on a busy machine.
  await until("a media process", () => engine.readyProcesses > 0);
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await engine.stop();
});

function newClient(): MediaClient {
  const client = new MediaClient(entries.client.url);
  clients.push(client);
  return client;
}

async function exchange(client: MediaClient, sessionId: string, iceRestart = false): Promise<string> {
  const offerSdp = await client.offer(iceRestart);
  const { answerSdp } = await engine.exchange({ sessionId, offerSdp, characterFile, matte: "packed-alpha" });
  await client.accept(answerSdp);
  return answerSdp;
}

async function connect(sessionId: string): Promise<MediaClient> {
  const client = newClient();
  await exchange(client, sessionId);
  return client;
}

function ofType(received: Received, type: string): Received["messages"] {
  return received.messages.filter((message) => message.type === type);
}

function movesMouth({ mouths }: Received): boolean {
  const darkness = mouths.map(([, dark]) => dark);
  return Math.max(...darkness) - Math.min(...darkness) > 0.05;
}

const isAudible = ([, peak]: HeardPeak): boolean => peak > audible;

describe("a session's peer", () => {
  it("sends pictures with a matte, and reports once that it is connected", async () => {
    const client = await connect("one");
    const { lastPicture } = await client.until("pictures", ({ pictures }) => pictures > 25);
    expect(lastPicture).toMatchObject({ width: 256, height: 512 });
    expect(lastPicture!.cornerMean).toBeLessThan(24);
    expect(lastPicture!.matteMean).toBeGreaterThan(60);
    expect(lastPicture!.matteMean).toBeLessThan(200);
    expect(connected).toEqual(["one"]);
  });

  it("speaks a text: a notice with the written words, then sound while the mouth moves", async () => {
    const client = await connect("one");
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
  });

  it("speaks at the rate that the client chooses, and says what is wrong with a rate that it refuses", async () => {
    const client = await connect("one");
    await client.send("ttstf", { message: greeting });
    await client.send("voice", { rate: 9 });
    await client.until("the usual rate", (seen) => ofType(seen, "stf").length === 1);
    await client.send("clear-buffer", {});
    await client.send("voice", { rate: 2 });
    await client.send("ttstf", { message: greeting });
    const received = await client.until("twice the rate", (seen) => ofType(seen, "stf").length === 2);
    const [usual, fast] = ofType(received, "stf").map(({ data }) => Number(data["duration"]));
    expect(usual! / fast!).toBeGreaterThan(1.7);
    expect(warnings).toEqual([expect.stringContaining('"voice" (data.rate)')]);
  });

  it("speaks texts in order, and reports a text that cannot be spoken at its place", async () => {
    const client = await connect("one");
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

  it("is silent after clear-buffer, and drops queued texts", async () => {
    const client = await connect("one");
    // The first one is so long that it is not over when the client stops it.
    for (const text of [greeting.repeat(8), greeting, greeting])
      await client.send("ttstf", { message: text });
    await client.until("speech", ({ heard }) => heard.some(isAudible));
    await client.send("clear-buffer", {});
    await client.until("silence", ({ heard }) => heard.length > 80 && !heard.slice(-60).some(isAudible));
    const received = await client.received();
    expect(ofType(received, "stf")).toHaveLength(1);
    await client.send("ttstf", { message: "Yes?" });
    await client.until("the next text", (seen) => ofType(seen, "stf").length === 2);
  });

  it("answers pings, and ignores what it does not understand, with one warning each", async () => {
    const client = await connect("one");
    for (const text of ["{", "{", '{"type":"dance","data":{}}', '{"type":"dance","data":{}}']) {
      await client.sendText(text);
    }
    await client.sendText(JSON.stringify({ type: "ttstf", data: { message: "x".repeat(70_000) } }));
    await client.send("activity", { activity: "dancing" });
    await client.send("ping", {});
    await client.until("the answer", (received) => ofType(received, "ping").length === 1);
    await until("warnings", () => warnings.length >= 3);
    expect(warnings).toHaveLength(3);
    expect(active).toContain("one");
  });

  it("sends the size that the client requests", async () => {
    const client = await connect("one");
    await client.send("change-size", { width: 900, height: 300 });
    await client.until(
      "the size",
      ({ lastPicture }) => lastPicture?.width === 304 && lastPicture.height === 608,
    );
  });

  it("keeps its peer during an ICE restart, and replaces it for another client", async () => {
    const first = await connect("one");
    await first.until("pictures", ({ pictures }) => pictures > 0);
    await exchange(first, "one", true);
    const { pictures } = await first.received();
    await first.until("more pictures", (received) => received.pictures > pictures + 10);
    const second = await connect("one");
    await second.until("pictures", (received) => received.pictures > 10);
    expect(closed).toEqual([]);
    expect(connected).toEqual(["one"]);
  });

  it("is closed when the client leaves", async () => {
    const client = await connect("one");
    await client.close();
    await until("the end", () => closed.length > 0);
    expect(closed).toEqual([["one", "peer-closed"]]);
  });

  it("refuses text that is not an offer, and accepts a valid offer after it", async () => {
    await expect(
      engine.exchange({ sessionId: "one", offerSdp: "v=0\r\n", characterFile }),
    ).rejects.toMatchObject({ name: "MediaError", code: "refused_offer" });
    const client = await connect("one");
    await client.until("pictures", ({ pictures }) => pictures > 0);
  });
});

describe("media processes", () => {
  it("are replaced when they die: the session is notified, and its next exchange works", async () => {
    // A session that is created before any process is ready gets the process that was started first.
    await until("the processes", () => pids.length === 2);
    const client = await connect("one");
    await client.send("ttstf", { message: greeting });
    await client.until("speech", ({ heard }) => heard.some(isAudible));
    process.kill(pids[0]!, "SIGKILL");
    await until("the news", () => closed.length > 0);
    expect(closed).toEqual([["one", "process-died"]]);
    expect([deaths, engine.peerCount]).toEqual([1, 0]);
    const again = await connect("one");
    await again.until("pictures", ({ pictures }) => pictures > 5);
    expect(engine.peerCount).toBe(1);
    await until("the replacement", () => pids.length === 3);
  });

  it("end when the engine stops", async () => {
    await until("the processes", () => pids.length === 2);
    await engine.stop();
    expect(deaths).toBe(0);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
    await expect(engine.exchange({ sessionId: "one", offerSdp: "v=0", characterFile })).rejects.toMatchObject(
      { code: "stopped" },
    );
  });
});
