import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { encodeWav } from "../../src/service/audio/wav-file.ts";
import { findSherpa } from "../../src/service/speech/engines/sherpa/sherpa-program.ts";
import {
  tones,
  writeStreamingToneRecognizer,
  writeToneRecognizer,
} from "../../test/service/speech/engines/sherpa/tiny-models.ts";
import type { Heard } from "./fake-microphone.ts";
import { putRecognizer } from "./put-recognizer.ts";
import { canaryKey, type Server } from "./stack.ts";

// Recognizers of four tones: real models of sherpa-onnx, small enough for a test. They tell apart what a voice says in any language.

/** Whether sherpa-onnx is missing, without which no model runs. */
export const lacksSherpa = findSherpa(process.env["VISAVIS_SHERPA_PATH"]) === null;

/** What to install for the tests that need it. */
export const sherpaHint = "sherpa-onnx is not installed: VISAVIS_SHERPA_PATH names its folder.";

/** The environment of a server that finds sherpa-onnx. */
export const sherpaEnvironment = { VISAVIS_SHERPA_PATH: process.env["VISAVIS_SHERPA_PATH"] ?? "" };

interface ToneRecognizer {
  readonly name: string;
  readonly locale: string;
  /** The words that it hears for the tones, from low to high. Default: the numbers in English. */
  readonly words?: readonly string[];
  /** It recognizes speech while it is spoken. Default: whole recordings. */
  readonly streaming?: boolean;
}

/** Adds such a recognizer to a server's catalogue. */
export async function addToneRecognizer(
  server: Server,
  { name, locale, words, streaming }: ToneRecognizer,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "visavis-tones-"));
  const config = streaming
    ? writeStreamingToneRecognizer(folder, undefined, words)
    : writeToneRecognizer(folder, words);
  await putRecognizer(server, name, { type: "sherpa-onnx", locale, config, ...(streaming && { streaming }) });
}

const voiceHz = 125;
const wordSec = 0.25;
const gapSec = 0.06;

/** Words of a voice for these recognizers, by the number of their tone: a vowel with the tone as its strongest part, and a gap. */
export const voiced =
  (...numbers: readonly number[]): Heard =>
  (rateHz) => {
    const length = Math.round(wordSec * rateHz);
    const words = numbers.map((number) => {
      const hz = tones[number]?.hz ?? 0;
      return Int16Array.from({ length: length + Math.round(gapSec * rateHz) }, (_, at) => {
        if (at >= length) return 0;
        let sample = 0.24 * Math.sin((2 * Math.PI * hz * at) / rateHz);
        for (let part = voiceHz; part < 4_000; part += voiceHz)
          sample += 0.018 * Math.sqrt(voiceHz / part) * Math.sin((2 * Math.PI * part * at) / rateHz);
        return 32_767 * sample * Math.sin((Math.PI * at) / length) ** 0.7;
      });
    });
    return Int16Array.from(words.flatMap((word) => [...word]));
  };

/** Gives the page the microphone as it is: to a browser that suppresses noise, tones are noise. */
export async function hearTones(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    const raw = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    navigator.mediaDevices.getUserMedia = () => open({ audio: raw });
  });
}

/** Lets the session's recognizer load its model, which it does when it is first used. */
export async function loadRecognizer(server: Server, sessionId: string): Promise<void> {
  const body = new FormData();
  body.set("audio", new Blob([new Uint8Array(encodeWav(new Int16Array(8_000), 16_000))]), "speech.wav");
  const headers = { "ServicePlatform-APIKey": canaryKey };
  const answer = await fetch(`${server.origin}/api/v1/session/${sessionId}/stt/`, {
    method: "POST",
    headers,
    body,
  });
  if (!answer.ok) throw new Error(`The recognizer answered ${answer.status}: ${await answer.text()}`);
}
