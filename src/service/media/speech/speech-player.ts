import type { SpeechFaultCode } from "../../../protocol/session/data-channel.ts";
import type { PlayableSpeech, SpeechOutcome, TextToSpeak } from "../media-engine.ts";
import type { Pending } from "../processes/order-book.ts";
import { Resampler } from "../../audio/resampler.ts";
import type { Guard } from "../session-guard.ts";

/** The most texts in the queue; a client that sends more does not listen to them. */
const queueMaxLength = 64;

/** How many texts after the current one are synthesized in advance. */
const preparedAhead = 2;

/** Length of the fade-out after a stop, in 48 kHz samples (20 ms); without it, a click is heard. */
const fadeSamples = 960;

/** The source of an utterance's speech. */
export interface SpeechSource {
  /** Requests the speech. Its outcome never rejects. */
  request(): Pending<SpeechOutcome>;
  /** Another request gives other speech once the rate has changed. */
  hasRate?: true;
  /** Called once when the utterance leaves the queue, whether it is played or dropped. */
  release?(): void;
}

/** Requests and reports of a player to its session. */
export interface SpeechPlayerEvents {
  /** Requests the speech of a text. Its outcome never rejects. */
  request(wanted: TextToSpeak): Pending<SpeechOutcome>;
  /** This speech starts: its first sample is the next one to be played. */
  onStart(text: string, speech: PlayableSpeech): void;
  /** The guard of the session. */
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

/** Plays texts one after another as 48 kHz audio, with silence between. The next speech is synthesized while another plays. */
export class SpeechPlayer {
  readonly #events: SpeechPlayerEvents;
  #queue: Utterance[] = [];
  #playing: { audio: Resampler; position: number } | undefined;
  /** How many samples of a fade-out have been played; undefined when nothing fades. */
  #faded: number | undefined;
  #isHeld = false;
  #rate = 1;

  constructor(events: SpeechPlayerEvents) {
    this.#events = events;
  }

  /** Whether something plays or is about to. */
  get isBusy(): boolean {
    return this.#playing !== undefined || this.#queue.length > 0;
  }

  /** Whether speech is being played. */
  get isPlaying(): boolean {
    return this.#playing !== undefined;
  }

  /** While held, the current speech is played to its end, and no other one starts. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
  }

  /** How fast the next texts are spoken. Those that wait already are synthesized again; the present one stays as it is. */
  set rate(rate: number) {
    if (rate === this.#rate) return;
    this.#rate = rate;
    this.#queue = this.#queue.map(asNew);
    this.#prepare();
  }

  /** Queues a text. */
  say(text: string): void {
    this.play(text, { request: () => this.#events.request({ text, rate: this.#rate }), hasRate: true });
  }

  /** Queues speech for `text` from another source. */
  play(text: string, source: SpeechSource): void {
    if (this.#queue.length >= queueMaxLength) {
      source.release?.();
      this.#events.onFault(
        text,
        "engine_failed",
        `${queueMaxLength} texts are already waiting to be spoken. Send the text again later.`,
      );
      return;
    }
    this.#queue.push({ text, source });
    this.#prepare();
  }

  /** Stops the current speech (it fades out within 20 ms) and empties the queue. */
  clear(): void {
    for (const { pending, outcome, source } of this.#queue) {
      if (!outcome) pending?.abandon();
      source.release?.();
    }
    this.#queue = [];
    if (this.#playing) this.#faded ??= 0;
  }

  /** Writes the next samples. */
  fill(out: Int16Array): void {
    out.fill(0);
    if (!this.#playing && !this.#isHeld) this.#startNext();
    const playing = this.#playing;
    if (!playing) return;
    playing.position += playing.audio.read(playing.position, out);
    if (this.#faded !== undefined) {
      fadeOut(out, this.#faded);
      this.#faded += out.length;
    }
    if ((this.#faded ?? 0) >= fadeSamples || playing.position >= playing.audio.length) {
      this.#playing = undefined;
      this.#faded = undefined;
    }
  }

  #startNext(): void {
    const [first] = this.#queue;
    if (!first?.outcome) return;
    const { text, source, outcome } = first;
    this.#queue.shift();
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

  /** Requests one text at a time, so that speech that is heard first does not share the CPU with speech that is heard later. */
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

/** An utterance without the speech that was requested for it. Uploads are spoken as they are, so they stay. */
function asNew(utterance: Utterance): Utterance {
  const { text, source, pending, outcome } = utterance;
  if (!source.hasRate) return utterance;
  if (!outcome) pending?.abandon();
  return { text, source };
}

/** Fades samples out, of which `faded` have been played since the fade began. */
function fadeOut(samples: Int16Array, faded: number): void {
  samples.forEach((sample, index) => {
    const share = Math.min(1, (faded + index) / fadeSamples);
    samples[index] = Math.round(sample * Math.cos((Math.PI / 2) * share) ** 2);
  });
}
