import type { TypedEvents } from "../typed-events.ts";

export interface RecognizerEvents {
  /** What has been understood of the present turn so far. */
  partial: string;
  /** All words of the present turn up to the pause that the visitor makes. */
  pause: string;
}

/** Turns the visitor's speech into text, one turn at a time. */
export interface TurnRecognizer {
  readonly events: TypedEvents<RecognizerEvents>;
  /** Gets what it needs before its first turn, such as a model. Rejects with VisavisError. */
  prepare?(): Promise<void>;
  /** The microphone stays open between turns: a recognizer without pre-roll listens all the time. */
  listen?(track: MediaStreamTrack): void;
  /** The microphone was switched off. */
  rest?(): void;
  /**
   * A turn begins, so many ms before now where the recognizer can. False if that is not possible at the moment. `looksAtPauses`: the
   * words are wanted at each pause, where the recognizer can.
   */
  start(prerollMs: number, track: MediaStreamTrack, looksAtPauses?: boolean): boolean;
  /** The turn is over. Resolves with its text, "" if nothing was understood. Rejects with VisavisError. */
  end(): Promise<string>;
  /** Forgets the turn. */
  cancel(): void;
  close(): void;
}
