import type { Speech } from "./speech-synthesizer.ts";

/** How much speech is remembered, in samples: two minutes at 16 kHz, 4 MB. */
const rememberedSamples = 16_000 * 120;

/** The speech of what was said last: greetings come again with every visitor. Callers must not change it. */
export class SpeechMemory {
  readonly #entries = new Map<string, Speech>();
  #samples = 0;

  get(voice: string, text: string): Speech | undefined {
    const key = `${voice} ${text}`;
    const speech = this.#entries.get(key);
    if (!speech) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, speech);
    return speech;
  }

  set(voice: string, text: string, speech: Speech): void {
    const key = `${voice} ${text}`;
    const before = this.#entries.get(key);
    if (before) this.#forget(key, before);
    this.#entries.set(key, speech);
    this.#samples += speech.pcm.length;
    for (const [oldest, itsSpeech] of this.#entries) {
      if (this.#samples <= rememberedSamples) break;
      this.#forget(oldest, itsSpeech);
    }
  }

  #forget(key: string, speech: Speech): void {
    this.#entries.delete(key);
    this.#samples -= speech.pcm.length;
  }
}
