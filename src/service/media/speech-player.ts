import type { SpeechFaultCode } from "../../protocol/data-channel.ts";
import type { PlayableSpeech, SpeechOutcome } from "./media-engine.ts";
import type { Pending } from "./order-book.ts";
import { Resampler } from "./resampler.ts";
import type { Guard } from "./session-guard.ts";

/** More texts than this are not queued; a client that sends them does not listen. */
const queueMaxLength = 64;

/** How many texts ahead of the one that plays are made into speech. */
const preparedAhead = 2;

/**
 * A stop fades out, else it clicks; in 48 kHz samples. With the 6.5 ms by which the audio codec delays them, they are over
 * within the packet of 10 ms in which they begin.
 */
const fadeSamples = 144;

/** Where an utterance's speech comes from. */
export interface SpeechSource {
  /** Asks for it. Its outcome never rejects. */
  request(): Pending<SpeechOutcome>;
  /** The utterance has left the queue, whatever became of it; called once. */
  release?(): void;
}

/** What a player asks of, and tells, its session. */
export interface SpeechPlayerEvents {
  /** Asks for the speech of a text. Its outcome never rejects. */
  request(text: string): Pending<SpeechOutcome>;
  /** This speech's first sample is the next one that is played. */
  onStart(text: string, speech: PlayableSpeech): void;
  /** Of the session. */
  guard: Guard;
  /** This text is not spoken. */
  onFault(text: string, code: SpeechFaultCode, detail: string): void;
}

interface Utterance {
  text: string;
  source: SpeechSource;
  pending?: Pending<SpeechOutcome>;
  outcome?: SpeechOutcome;
}

/** Plays texts one after another as 48 kHz audio, silence between; speech is made ahead while another plays. */
export class SpeechPlayer {
  readonly #events: SpeechPlayerEvents;
  #queue: Utterance[] = [];
  #playing: { audio: Resampler; position: number } | undefined;
  #isFading = false;

  constructor(events: SpeechPlayerEvents) {
    this.#events = events;
  }

  /** Whether something plays or is about to. */
  get isBusy(): boolean {
    return this.#playing !== undefined || this.#queue.length > 0;
  }

  /** Queues a text. */
  say(text: string): void {
    this.play(text, { request: () => this.#events.request(text) });
  }

  /** Queues speech that says `text` and comes from elsewhere. */
  play(text: string, source: SpeechSource): void {
    if (this.#queue.length >= queueMaxLength) {
      source.release?.();
      this.#events.onFault(text, "engine_failed", `${queueMaxLength} texts already wait to be spoken.`);
      return;
    }
    this.#queue.push({ text, source });
    this.#prepare();
  }

  /** Stops what plays (it fades out within 3 ms) and drops what is queued. */
  clear(): void {
    for (const { pending, outcome, source } of this.#queue) {
      if (!outcome) pending?.abandon();
      source.release?.();
    }
    this.#queue = [];
    this.#isFading = this.#playing !== undefined;
  }

  /** Writes the next samples. */
  fill(out: Int16Array): void {
    out.fill(0);
    if (!this.#playing) this.#startNext();
    const playing = this.#playing;
    if (!playing) return;
    playing.position += playing.audio.read(playing.position, out);
    if (this.#isFading) fadeOut(out);
    if (this.#isFading || playing.position >= playing.audio.length) {
      this.#playing = undefined;
      this.#isFading = false;
    }
  }

  #startNext(): void {
    const outcome = this.#queue[0]?.outcome;
    if (!outcome) return;
    const { text, source } = this.#queue.shift()!;
    source.release?.();
    this.#prepare();
    if (outcome.ok) {
      const { speech } = outcome;
      this.#playing = { audio: new Resampler(speech.pcm, speech.sampleRateHz), position: 0 };
      this.#events.onStart(text, speech);
    } else {
      this.#events.onFault(text, outcome.code, outcome.detail);
    }
  }

  /** One text at a time: what is heard first is not to share the machine with what is heard later. */
  #prepare(): void {
    const next = this.#queue.slice(0, preparedAhead).find(({ outcome }) => !outcome);
    if (!next || next.pending) return;
    next.pending = next.source.request();
    void next.pending.outcome.then(
      this.#events.guard((outcome: SpeechOutcome) => {
        next.outcome = outcome;
        this.#prepare();
      }),
    );
  }
}

function fadeOut(samples: Int16Array): void {
  samples.fill(0, fadeSamples);
  for (let index = 0; index < fadeSamples; index++)
    samples[index] = Math.round(samples[index]! * Math.cos((Math.PI / 2) * (index / fadeSamples)) ** 2);
}
