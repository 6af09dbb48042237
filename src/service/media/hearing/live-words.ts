import { randomUUID } from "node:crypto";
import type { Recording, RecordingPiece } from "../media-engine.ts";
import { recordingRateHz, type MicrophoneRecording } from "./microphone-recording.ts";
import type { Pending } from "../processes/order-book.ts";
import type { Guard } from "../session-guard.ts";

/** How much of the recording the recognizer gets at a time, in samples: 100 ms. */
const pieceSamples = recordingRateHz / 10;

/** Requests and reports to the session. */
export interface LiveWordsEvents {
  hear(piece: RecordingPiece): Pending<string | null>;
  /** What was understood of the present recording so far. */
  onWords(text: string): void;
  guard: Guard;
}

/**
 * Gives a recording to the session's recognizer while it goes on, where that can stream. Begins when somebody is heard: hands-free,
 * recordings contain much silence.
 */
export class LiveWords {
  readonly #events: LiveWordsEvents;
  #recording: MicrophoneRecording | undefined;
  #recordingId = "";
  #language: string | undefined;
  /** How many samples of the recording the recognizer has got. */
  #given = 0;
  #isHeard = false;
  #awaited: Pending<string | null> | undefined;
  #words = "";
  /** False once the recognizer has answered that it cannot. */
  #canStream = true;

  constructor(events: LiveWordsEvents) {
    this.#events = events;
  }

  /** Whether the recognizer can stream, as far as is known. */
  get canStream(): boolean {
    return this.#canStream;
  }

  /** A recording has begun. The one before it was ended or is dropped. `language`: the one that is probably spoken. */
  begin(recording: MicrophoneRecording, language?: string): void {
    this.drop();
    this.#language = language;
    // A number would begin again with the session's next connection, whose pieces would then join an abandoned stream.
    this.#recordingId = randomUUID();
    this.#recording = recording;
  }

  /** More sound was recorded. `isVoice`: it contains a voice. */
  handleHeard(isVoice: boolean): void {
    this.#isHeard ||= isVoice;
    const recording = this.#recording;
    if (!recording || !this.#isHeard || !this.#canStream || this.#awaited) return;
    if (recording.length - this.#given < pieceSamples) return;
    const pcm = recording.pcm(this.#given);
    this.#given = recording.length;
    const awaited = (this.#awaited = this.#events.hear(this.#piece(pcm)));
    void awaited.outcome.then(
      this.#events.guard((text: string | null) => {
        if (awaited === this.#awaited) this.#take(text);
      }),
    );
  }

  /** The recording is over. Returns how much of it the recognizer has got. */
  end(): Recording["heard"] {
    const isStreamed = this.#given > 0 && this.#canStream;
    const heard = isStreamed ? { recordingId: this.#recordingId, samples: this.#given } : undefined;
    this.#forget();
    return heard;
  }

  /** The recording is not needed. */
  drop(): void {
    if (this.#given > 0) this.#events.hear({ ...this.#piece(new Int16Array(0)), isDropped: true });
    this.#forget();
  }

  #piece(pcm: Int16Array): RecordingPiece {
    const [recordingId, language] = [this.#recordingId, this.#language];
    return { recordingId, pcm, sampleRateHz: recordingRateHz, language, isDropped: false };
  }

  #take(text: string | null): void {
    this.#awaited = undefined;
    this.#canStream = text !== null;
    if (!text || text === this.#words) return;
    this.#words = text;
    this.#events.onWords(text);
  }

  #forget(): void {
    this.#recording = undefined;
    this.#given = 0;
    this.#isHeard = false;
    this.#awaited = undefined;
    this.#words = "";
  }
}
