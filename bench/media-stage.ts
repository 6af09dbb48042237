import { copyFileSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createMediaEngine } from "../src/service/media/create-media-engine.ts";
import type { VideoMatte } from "../src/protocol/session/exchange.ts";
import { defaultPaddings } from "../src/protocol/settings/stage-settings.ts";
import type { MediaEngine, PlayableSpeech } from "../src/service/media/media-engine.ts";
import {
  createFliteSynthesizer,
  type FliteSynthesizer,
} from "../src/service/speech/engines/flite/flite-synthesizer.ts";
import { bundleEntry } from "../test/service/bundle-entry.ts";
import { newMediaClient, type MediaClient } from "../test/service/media/media-client.ts";

/** The character that is drawn. */
export const characterFile = new URL("../public/characters/mina.json", import.meta.url).pathname;

/** A character from a photograph. */
export const photoCharacterFile = new URL("../test/photo/mina.json", import.meta.url).pathname;

const backgroundFile = new URL("../public/backgrounds/room.webp", import.meta.url).pathname;

/** Usual sentences of about five seconds. */
export const spokenTexts = [
  "The Alder reading chair costs four hundred and eighty euros, and it is made of oak and wool.",
  "Our drivers carry the furniture into the room of your choice and take the packaging with them.",
  "Maybe papa bought a big lamp, a table and a small blue mat for the map room above the bar.",
  "You can pay by card, by bank transfer, or in three instalments without any interest at all.",
];

/** A media engine with real speech synthesis, and clients in separate processes. */
export interface MediaStage {
  synthesizer: FliteSynthesizer;
  engine: MediaEngine;
  /** All synthesized speech, by text. */
  spoken: Map<string, PlayableSpeech>;
  /** The media processes: the serving one and its spare. */
  pids: number[];
  /** Connects a client. Returns the times until the answer and until the first picture, in ms. */
  connect(
    sessionId: string,
    matte?: VideoMatte,
  ): Promise<{ client: MediaClient; exchangeMs: number; firstPictureMs: number }>;
  close(): Promise<void>;
}

function notUsed(): Promise<never> {
  return Promise.reject(new Error("No benchmark uses this hook."));
}

/** How a stage differs from the usual one. */
export interface MediaStageOptions {
  /** The script of the media processes, from the repository's root. */
  mediaSource?: string;
  /** A text that was synthesized once is not synthesized again, so that synthesis takes no time from what is measured. */
  keepsSpeech?: boolean;
}

/** Opens the stage: one serving process and its spare. */
export async function openMediaStage({
  mediaSource = "src/service/media/media-process.ts",
  keepsSpeech = false,
}: MediaStageOptions = {}): Promise<MediaStage> {
  const [media, photoWorker, worker, clientEntry] = await Promise.all([
    bundleEntry(mediaSource),
    bundleEntry("src/service/media/photo/photo-worker.ts"),
    bundleEntry("src/service/speech/engines/flite/flite-worker.ts"),
    bundleEntry("test/service/media/client-process.ts"),
  ]);
  // The build puts both in one folder, too.
  copyFileSync(photoWorker.url, new URL("./photo-worker.js", media.url));
  const synthesizer = createFliteSynthesizer({ workerUrl: worker.url });
  await synthesizer.warm();
  const [spoken, pids, clients] = [new Map<string, PlayableSpeech>(), [] as number[], [] as MediaClient[]];
  const engine = createMediaEngine({
    processUrl: media.url,
    hooks: {
      async synthesize(_session, { text, rate }, signal) {
        const kept = keepsSpeech ? spoken.get(text) : undefined;
        const speech = kept ?? (await synthesizer.synthesize({ text, rate, voice: "slt", signal }));
        spoken.set(text, speech);
        return { ok: true, speech };
      },
      lipSync: notUsed,
      hear: notUsed,
      recognize: notUsed,
      translate: notUsed,
      template: notUsed,
      background: () => readFile(backgroundFile),
      onConnected: () => undefined,
      onActivity: () => undefined,
      onClosed: () => undefined,
      onProcessDied: () => undefined,
    },
    log: { info: (_message, fields) => pids.push(Number(fields?.["pid"])), warn: () => undefined },
    settings: { preloadCharacters: [characterFile] },
  });
  while (pids.length < 2) await pause(50);
  return {
    synthesizer,
    engine,
    spoken,
    pids,
    async connect(sessionId, matte = "packed-alpha") {
      const client = newMediaClient(clientEntry.url);
      clients.push(client);
      await client.received();
      const offerSdp = await client.offer();
      const start = performance.timeOrigin + performance.now();
      const { answerSdp } = await engine.exchange({
        ...{ sessionId, offerSdp, characterFile, matte },
        scene: { paddings: defaultPaddings, background: "room" },
      });
      const answeredMs = performance.timeOrigin + performance.now() - start;
      await client.accept(answerSdp);
      const { firstPictureAtMs } = await client.until("a picture", ({ pictures }) => pictures > 0);
      return { client, exchangeMs: answeredMs, firstPictureMs: firstPictureAtMs! - start };
    },
    async close() {
      await Promise.all(clients.map((client) => client.end()));
      await engine.stop();
      await synthesizer.close();
      for (const entry of [media, photoWorker, worker, clientEntry]) entry.remove();
    },
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Processor time that a process has used so far, in ms, and its memory in MB. */
export function usageOf(pid: number): { cpuMs: number; rssMb: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ticksPerSecond = 100;
  const pageBytes = 4_096;
  return {
    cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond,
    rssMb: (Number(fields[21]) * pageBytes) / 2 ** 20,
  };
}
