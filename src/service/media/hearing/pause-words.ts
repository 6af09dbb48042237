import type { Recording, RecordingOutcome } from "../media-engine.ts";
import { recordingRateHz, type MicrophoneRecording } from "./microphone-recording.ts";
import type { Pending } from "../processes/order-book.ts";
import type { Guard } from "../session-guard.ts";

/** A pause begins after so many calls of 10 ms without a voice, which is itself held for 80 ms. */
const pauseCalls = 1;
/** Less voice is no sentence, in calls of 10 ms. */
const voiceCallsLeast = 20;
/** A longer recording takes too long to be recognized more than once, in samples: 20 s. */
const samplesMax = 20 * recordingRateHz;
/** The most pauses of a recording whose words are recognized. */
const pausesMax = 3;

/** Requests and reports to the session. */
export interface PauseWordsEvents {
  recognize(recording: Recording): Pending<RecordingOutcome>;
  /** All words of the recording up to the present pause. */
  onWords(text: string): void;
  guard: Guard;
}

/**
 * Recognizes a recording whenever the visitor pauses, because they may have finished. If the recording ends in that pause, its text is
 * known already; if they go on, the work is discarded.
 */
export class PauseWords {
  readonly #events: PauseWordsEvents;
  #recording: MicrophoneRecording | undefined;
  #language: string | undefined;
  #voiceCalls = 0;
  #silentCalls = 0;
  #pauses = 0;
  #pending: Pending<RecordingOutcome> | undefined;

  constructor(events: PauseWordsEvents) {
    this.#events = events;
  }

  /** A recording has begun. The one before it was ended or is dropped. */
  begin(recording: MicrophoneRecording, language: string | undefined): void {
    this.drop();
    this.#recording = recording;
    this.#language = language;
  }

  /** 10 ms more were recorded. `isVoice`: they contain a voice. */
  handleHeard(isVoice: boolean): void {
    if (!this.#recording) return;
    if (isVoice) this.#handleVoice();
    else if (++this.#silentCalls === pauseCalls) this.#handlePause(this.#recording);
  }

  /**
   * The recording is over. Returns its text, which was begun in the pause that has lasted since; undefined if there is none. The text
   * may still turn out to be none: then the recording has to be recognized.
   */
  end(language: string | undefined): Pending<RecordingOutcome> | undefined {
    const pending = language === this.#language ? this.#pending : undefined;
    if (pending) this.#pending = undefined;
    this.drop();
    return pending;
  }

  /** The recording is not needed. */
  drop(): void {
    this.#discard();
    this.#recording = undefined;
    this.#voiceCalls = this.#silentCalls = this.#pauses = 0;
  }

  #handleVoice(): void {
    this.#voiceCalls++;
    this.#silentCalls = 0;
    this.#discard();
  }

  #handlePause(recording: MicrophoneRecording): void {
    if (this.#voiceCalls < voiceCallsLeast || this.#pauses >= pausesMax) return;
    if (recording.length > samplesMax) return;
    this.#pauses++;
    const audio = { pcm: recording.pcm(), sampleRateHz: recordingRateHz };
    const pending = this.#events.recognize({ ...audio, language: this.#language, isSpeculative: true });
    this.#pending = pending;
    void pending.outcome.then(
      this.#events.guard((outcome: RecordingOutcome) => {
        if (pending === this.#pending && outcome.ok) this.#events.onWords(outcome.text);
      }),
    );
  }

  #discard(): void {
    this.#pending?.abandon();
    this.#pending = undefined;
  }
}
