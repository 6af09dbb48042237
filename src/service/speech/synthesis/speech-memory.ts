import { LRUCache } from "lru-cache";
import type { Speech } from "../speech-synthesizer.ts";

/** How much speech is kept, in samples: two minutes at 16 kHz, 4 MB. */
const rememberedSamples = 16_000 * 120;

/** Recently synthesized speech, because every visitor gets the same greetings. Callers must not change it. */
export class SpeechMemory {
  readonly #entries = new LRUCache<string, Speech>({
    maxSize: rememberedSamples,
    sizeCalculation: ({ pcm }) => Math.max(1, pcm.length),
  });

  get(voice: string, text: string): Speech | undefined {
    return this.#entries.get(`${voice} ${text}`);
  }

  set(voice: string, text: string, speech: Speech): void {
    this.#entries.set(`${voice} ${text}`, speech);
  }
}
