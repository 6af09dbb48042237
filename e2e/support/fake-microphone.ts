import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type Page, type TestInfo } from "@playwright/test";
import { encodeWav } from "../../src/service/audio/wav-file.ts";
import { createFliteSynthesizer } from "../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { wholeChromium } from "./system-chromium.ts";
import { avatar, type AvatarElement } from "./widget.ts";

declare global {
  interface Window {
    /** The session, on a page whose address asks for it. */
    visavisDebug: { peerConnection: RTCPeerConnection };
  }
}

/** Something that is heard: a text that Flite speaks, a pause, or samples at the given rate. */
export type Heard = string | { readonly pauseMs: number } | ((sampleRateHz: number) => Int16Array);

/** A microphone's sound as a WAV file, which the browser plays once from the moment at which the microphone is opened. */
export async function soundFile(...parts: readonly Heard[]): Promise<string> {
  const flite = createFliteSynthesizer({ workerUrl: pathToFileURL("dist/server/flite-worker.js") });
  try {
    const rateHz = 16_000;
    const pieces: Int16Array[] = [];
    for (const part of parts) {
      if (typeof part === "string") pieces.push((await flite.synthesize({ text: part, voice: "slt" })).pcm);
      else if (typeof part === "function") pieces.push(part(rateHz));
      else pieces.push(new Int16Array((part.pauseMs * rateHz) / 1_000));
    }
    const pcm = Int16Array.from(pieces.flatMap((piece) => [...piece]));
    const path = join(mkdtempSync(join(tmpdir(), "visavis-sound-")), "microphone.wav");
    writeFileSync(path, encodeWav(pcm, rateHz));
    return path;
  } finally {
    await flite.close();
  }
}

/** A browser whose microphone plays the file; null: whose visitor refuses the microphone. */
export async function browserWithMicrophone({ project }: TestInfo, file: string | null): Promise<Browser> {
  const { launchOptions } = project.use;
  const args = launchOptions?.args ?? [];
  const own =
    file === null
      ? [...args.filter((arg) => !arg.startsWith("--use-fake-ui")), "--deny-permission-prompts"]
      : [...args, `--use-file-for-fake-audio-capture=${file}%noloop`];
  // The headless shell asks nobody for a permission, so nobody can refuse it.
  const whole = file === null && wholeChromium !== undefined ? { executablePath: wholeChromium } : {};
  return chromium.launch({ ...launchOptions, ...whole, args: own });
}

/** Waits until the microphone's level has risen and come down again: what there is to hear was heard. */
export async function untilHeard(page: Page): Promise<void> {
  await avatar(page).evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        const box = element.shadowRoot!.querySelector<HTMLElement>(".vv")!;
        let wasLoud = false;
        let quietMs = 0;
        let lookedMs = performance.now();
        const look = (): void => {
          const level = Number(box.style.getPropertyValue("--visavis-level"));
          if (level > 0.4) wasLoud = true;
          const nowMs = performance.now();
          // A page that stood still for a while has not seen that it was quiet.
          quietMs = level > 0.1 ? 0 : quietMs + Math.min(nowMs - lookedMs, 50);
          lookedMs = nowMs;
          // On a busy machine the sound itself stands still for a while.
          if (wasLoud && quietMs > 1_500) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

/** The element's microphone. */
export async function microphoneOf(page: Page): Promise<string> {
  return avatar(page).evaluate((element: AvatarElement) => element.microphone);
}
