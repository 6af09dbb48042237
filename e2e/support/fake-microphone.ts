import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type Page, type TestInfo } from "@playwright/test";
import { encodeWav } from "../../src/service/audio/wav-file.ts";
import { createFliteSynthesizer } from "../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { avatar, type AvatarElement } from "./widget.ts";

declare global {
  interface Window {
    /** The session, on a page whose address asks for it. */
    visavisDebug: { peerConnection: RTCPeerConnection };
    /** Plays a WAV file, in base64, in the microphone of `useMicrophone`. */
    playInMicrophone(wav: string): Promise<void>;
  }
}

/** Something that is heard: a text that Flite speaks, a pause, or samples at the given rate. */
export type Heard = string | { readonly pauseMs: number } | ((sampleRateHz: number) => Int16Array);

/** A sound as a WAV file. */
export async function soundOf(...parts: readonly Heard[]): Promise<Uint8Array> {
  const flite = createFliteSynthesizer({ workerUrl: pathToFileURL("dist/server/flite-worker.js") });
  try {
    const rateHz = 16_000;
    const pieces: Int16Array[] = [];
    for (const part of parts) {
      if (typeof part === "string") pieces.push((await flite.synthesize({ text: part, voice: "slt" })).pcm);
      else if (typeof part === "function") pieces.push(part(rateHz));
      else pieces.push(new Int16Array((part.pauseMs * rateHz) / 1_000));
    }
    return encodeWav(Int16Array.from(pieces.flatMap((piece) => [...piece])), rateHz);
  } finally {
    await flite.close();
  }
}

/** Gives a page that is not loaded yet a microphone in which there is only what `hear` plays. */
export async function useMicrophone(page: Page): Promise<void> {
  await page.addInitScript(() => {
    navigator.mediaDevices.getUserMedia = async () => {
      const context = new AudioContext();
      await context.resume();
      const microphone = context.createMediaStreamDestination();
      window.playInMicrophone = async (wav) => {
        const bytes = Uint8Array.from(atob(wav), (letter) => letter.charCodeAt(0));
        const sound = context.createBufferSource();
        sound.buffer = await context.decodeAudioData(bytes.buffer);
        sound.connect(microphone);
        const ended = new Promise((resolve) => sound.addEventListener("ended", resolve));
        sound.start();
        await ended;
      };
      return microphone.stream;
    };
  });
}

/** Plays a sound in the page's open microphone. Resolves when it is over. */
export async function hear(page: Page, wav: Uint8Array): Promise<void> {
  await page.evaluate((sound) => window.playInMicrophone(sound), Buffer.from(wav).toString("base64"));
}

/** A microphone's sound as a file, which the browser plays once from the moment at which the microphone is opened. */
export async function soundFile(...parts: readonly Heard[]): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), "visavis-sound-")), "microphone.wav");
  writeFileSync(path, await soundOf(...parts));
  return path;
}

/** A browser whose microphone plays the file. */
export async function browserWithMicrophone({ project }: TestInfo, file: string): Promise<Browser> {
  const { launchOptions } = project.use;
  const args = [...(launchOptions?.args ?? []), `--use-file-for-fake-audio-capture=${file}%noloop`];
  return chromium.launch({ ...launchOptions, args });
}

/** The element's microphone. */
export async function microphoneOf(page: Page): Promise<string> {
  return avatar(page).evaluate((element: AvatarElement) => element.microphone);
}
