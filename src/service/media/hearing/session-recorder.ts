import type { ClientMessage, ServerMessage } from "../../../protocol/session/data-channel.ts";
import { LiveWords } from "./live-words.ts";
import type { Recording, RecordingOutcome, RecordingPiece, RecordingToTranslate } from "../media-engine.ts";
import { MicrophoneRecording, RecentAudio, recordingRateHz } from "./microphone-recording.ts";
import type { Pending } from "../processes/order-book.ts";
import { PauseWords } from "./pause-words.ts";
import type { Guard } from "../session-guard.ts";
import type { AudioSink, HeardAudio, Track } from "../wrtc.ts";

/** How long audio from before the end command is still on its way at most: encoder, network, jitter buffer. */
const tailMs = 120;
/**
 * The wait ends after a silence of this length, because all speech has arrived by then. In ms, after the 80 ms for which a voice
 * is held.
 */
const silentMs = 40;

/** The most recordings that wait for their text at once; a normal client waits for its answers. */
const awaitedMax = 4;

/** Requests and reports of a recorder to its session. */
export interface SessionRecorderEvents {
  /** Receives the microphone's audio. */
  sinkOf(microphone: Track): AudioSink;
  hear(piece: RecordingPiece): Pending<string | null>;
  recognize(recording: Recording): Pending<RecordingOutcome>;
  translate(recording: RecordingToTranslate): Pending<RecordingOutcome>;
  send(message: ServerMessage): void;
  /** Samples of the microphone, during a recording. Returns whether there is a voice in them. */
  onHeard(samples: Int16Array): boolean;
  /** A recording's text; null if there is none. */
  onAnswer(text: string | null): void;
  /** The guard of the session. */
  guard: Guard;
  /** Whether the last half second of the microphone is kept, for recordings that begin before their command. */
  keepsRecent: boolean;
}

/** The client's wishes for a recording that starts. */
export type RecordingStart = Extract<ClientMessage, { type: "record-start" }>["data"];

/** The client's message that ends a recording. */
export type RecordingEnd = Extract<ClientMessage, { type: "record-end-stt" | "record-end-translate" }>;

/**
 * Records the client's microphone between `record-start` and `record-end-…`, and answers with `stt` or `stt-error`, in the
 * order in which recordings ended. Meanwhile `stt-partial` tells what was understood, where the recognizer can stream, or at pauses. Its own
 * error codes: `no_recording` (never started), `no_microphone` (the connection has no microphone track), `empty_recording` (the
 * track delivered no audio), `too_many_recordings`.
 */
export class SessionRecorder {
  readonly #events: SessionRecorderEvents;
  #microphone: Track | undefined;
  #sink: AudioSink | undefined;
  #recording: MicrophoneRecording | undefined;
  readonly #recent = new RecentAudio();
  #endTimer: NodeJS.Timeout | undefined;
  /** When a voice was heard last in the recording, by `performance.now()`; infinite before. */
  #voiceAtMs = Infinity;
  #finishNow: (() => void) | undefined;
  readonly #words: LiveWords;
  readonly #pauses: PauseWords;
  readonly #awaited = new Set<Pending<RecordingOutcome>>();
  #answers: Promise<void> = Promise.resolve();

  constructor(events: SessionRecorderEvents) {
    this.#events = events;
    this.#words = new LiveWords({
      hear: (piece) => events.hear(piece),
      onWords: (text) => events.send({ type: "stt-partial", data: { text } }),
      guard: events.guard,
    });
    this.#pauses = new PauseWords({
      recognize: (recording) => events.recognize(recording),
      onWords: (text) => events.send({ type: "stt-partial", data: { text, pause: true } }),
      guard: events.guard,
    });
  }

  /** Uses this microphone track, also during a recording; undefined if the connection has none. */
  useMicrophone(track: Track | undefined): void {
    this.#microphone = track;
    this.#stopListening();
    this.#recent.clear();
    this.#listen();
  }

  /** Starts a new recording, which begins `preroll_ms` before now. A recording that was not ended is dropped. */
  start({ preroll_ms: prerollMs = 0, language, pauses }: RecordingStart = {}): void {
    this.#finishNow?.();
    const recording = (this.#recording = new MicrophoneRecording());
    this.#voiceAtMs = Infinity;
    for (const heard of this.#recent.last(prerollMs)) recording.take(heard);
    this.#words.begin(recording, language);
    if (pauses) this.#pauses.begin(recording, language);
    else this.#pauses.drop();
    this.#listen();
  }

  /** Ends the recording and requests its text. */
  end(message: RecordingEnd): void {
    this.#finishNow?.();
    const recording = this.#recording;
    if (!recording) {
      this.#refuse("no_recording");
      return;
    }
    this.#finishNow = () => {
      clearTimeout(this.#endTimer);
      this.#finishNow = undefined;
      this.#recording = undefined;
      if (!this.#events.keepsRecent) this.#stopListening();
      this.#order(message, recording.pcm());
    };
    const isSilent = performance.now() - this.#voiceAtMs >= silentMs;
    this.#endTimer = setTimeout(this.#events.guard(this.#finishNow), isSilent ? 0 : tailMs);
  }

  /** Drops everything and sends no further answers. */
  close(): void {
    clearTimeout(this.#endTimer);
    this.#finishNow = undefined;
    this.#recording = undefined;
    this.#words.drop();
    this.#pauses.drop();
    this.useMicrophone(undefined);
    for (const pending of this.#awaited) pending.abandon();
    this.#awaited.clear();
  }

  /** Attaches a sink to the microphone, where one is needed: a sink causes a call every 10 ms. */
  #listen(): void {
    const isNeeded = this.#recording !== undefined || this.#events.keepsRecent;
    if (!isNeeded || !this.#microphone || this.#sink) return;
    this.#sink = this.#events.sinkOf(this.#microphone);
    this.#sink.ondata = this.#events.guard((heard: HeardAudio) => {
      this.#recording?.take(heard);
      if (this.#recording) this.#handleHeard(heard);
      if (this.#events.keepsRecent) this.#recent.take(heard);
    });
  }

  #handleHeard({ samples }: HeardAudio): void {
    const isVoice = this.#events.onHeard(samples);
    if (isVoice) this.#voiceAtMs = performance.now();
    this.#words.handleHeard(isVoice);
    // A stream knows nearly all words at any time.
    if (!this.#words.canStream) this.#pauses.handleHeard(isVoice);
  }

  #stopListening(): void {
    this.#sink?.stop();
    this.#sink = undefined;
  }

  #order({ type, data }: RecordingEnd, pcm: Int16Array): void {
    if (pcm.length === 0) {
      this.#refuse(this.#microphone ? "empty_recording" : "no_microphone");
      return;
    }
    if (this.#awaited.size >= awaitedMax) {
      this.#refuse("too_many_recordings");
      return;
    }
    // A translation names the language of the speech. The stream was opened without it.
    if (type === "record-end-translate") this.#words.drop();
    const heard = this.#words.end();
    const audio = { pcm, sampleRateHz: recordingRateHz };
    let pending: Pending<RecordingOutcome>;
    if (type === "record-end-stt") {
      const known = this.#pauses.end(data.language);
      const whole = () =>
        this.#events.recognize({ ...audio, language: data.language, ...(heard && { heard }) });
      pending = known ? firstText(known, whole) : whole();
    } else {
      this.#pauses.drop();
      pending = this.#events.translate({ ...audio, srcLang: data.src_lang, dstLang: data.dst_lang });
    }
    this.#awaited.add(pending);
    this.#answer(async () => {
      const outcome = await pending.outcome;
      this.#awaited.delete(pending);
      return outcome;
    });
  }

  #refuse(code: string): void {
    this.#answer(() => Promise.resolve({ ok: false, code }));
  }

  /** Sends the answer after the answers of all earlier recordings. */
  #answer(outcome: () => Promise<RecordingOutcome>): void {
    this.#answers = this.#answers.then(outcome).then(
      this.#events.guard((made: RecordingOutcome) => {
        this.#events.onAnswer(made.ok ? made.text : null);
        if (made.ok) this.#events.send({ type: "stt", data: { text: made.text } });
        else this.#events.send({ type: "stt-error", data: { code: made.code } });
      }),
    );
  }
}

/** A text that may turn out to be none, and what is asked for then. */
function firstText(
  known: Pending<RecordingOutcome>,
  otherwise: () => Pending<RecordingOutcome>,
): Pending<RecordingOutcome> {
  let awaited = known;
  return {
    outcome: known.outcome.then((outcome) => (outcome.ok ? outcome : (awaited = otherwise()).outcome)),
    abandon: () => awaited.abandon(),
  };
}
