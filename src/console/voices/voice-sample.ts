import type { voiceSampleSchema } from "../../protocol/console/previews.ts";
import type * as z from "zod";
import { errorText } from "../parts/error-text.ts";
import type { Services } from "../services.ts";
import type { TemplateResult } from "lit";
import { outline } from "../parts/icons.ts";

/** Who lets a voice be heard. */
interface SampleHost {
  readonly services: Pick<Services, "api" | "toasts">;
  /** What to say when the voice fails, before the reason. */
  readonly failed: string;
  /** Which voice is heard has changed. */
  update(): void;
}

/** A voice that is heard. Without a sound, the server is asked for it. */
interface Sample {
  readonly name: string;
  sound: HTMLAudioElement | null;
  address: string | null;
}

/** The sample that is heard, one at a time. */
let playing: Sample | null = null;

/** The voice that is heard, or about to be; null: none. */
export const heardVoice = (): string | null => playing?.name ?? null;

/** Ends the sample that is heard. */
export function stopSample(): void {
  playing?.sound?.pause();
  if (playing?.address) URL.revokeObjectURL(playing.address);
  playing = null;
}

/** Lets a voice say something, in place of the one that is heard. A failure is told at the foot of the page. */
export async function playSample(host: SampleHost, body: z.input<typeof voiceSampleSchema>): Promise<void> {
  stopSample();
  const sample: Sample = { name: body.tts_type, sound: null, address: null };
  playing = sample;
  host.update();
  try {
    const sound = await host.services.api.file("/api/console/voice-sample/", { method: "POST", body });
    if (playing === sample) await play(host, sample, sound);
  } catch (error) {
    if (playing !== sample) return;
    stopSample();
    host.services.toasts.show(`${host.failed} ${errorText(error)}`);
    host.update();
  }
}

async function play(host: SampleHost, sample: Sample, sound: Blob): Promise<void> {
  sample.address = URL.createObjectURL(sound);
  const player = new Audio(sample.address);
  sample.sound = player;
  player.addEventListener("ended", () => {
    if (playing === sample) stopSample();
    host.update();
  });
  await player.play();
}

const paths = {
  play: "M8.5 6.3v11.4c0 .62.68 1 1.2.66l8.9-5.7a.78.78 0 0 0 0-1.32L9.7 5.64c-.52-.34-1.2.04-1.2.66z",
  pause: "M9 6v12M15 6v12",
} as const;

/** The sign of a button that lets a voice be heard, or stops it. */
export const voiceIcon = (name: keyof typeof paths): TemplateResult => outline(paths[name]);
