import type { ClientMessage, ServerMessage } from "../../protocol/data-channel.ts";
import type { Recording, RecordingOutcome, RecordingToTranslate } from "./media-engine.ts";
import { MicrophoneRecording, recordingRateHz } from "./microphone-recording.ts";
import type { Pending } from "./order-book.ts";
import type { Guard } from "./session-guard.ts";
import { wrtc, type AudioSink, type Track } from "./wrtc.ts";

/** What was said before the client asked for the end is still under way for this long: encoder, network, jitter buffer. */
const tailMs = 120;

/** Recordings that wait for their texts at once; a client that makes more does not wait for answers. */
const awaitedMax = 4;

/** What a recorder asks of, and tells, its session. */
export interface SessionRecorderEvents {
  recognize(recording: Recording): Pending<RecordingOutcome>;
  translate(recording: RecordingToTranslate): Pending<RecordingOutcome>;
  send(message: ServerMessage): void;
  /** Of the session. */
  guard: Guard;
}

/** The end of a recording, as the client asks for it. */
export type RecordingEnd = Extract<ClientMessage, { type: "record-end-stt" | "record-end-translate" }>;

/**
 * Records the client's microphone between `record-start` and `record-end-…`, and answers with `stt` or `stt-error`, in the
 * order in which recordings ended. Codes of its own: `no_recording` (never started), `no_microphone` (the connection brings
 * no microphone track), `empty_recording` (the track brought nothing), `too_many_recordings`.
 */
export class SessionRecorder {
  readonly #events: SessionRecorderEvents;
  #microphone: Track | undefined;
  #sink: AudioSink | undefined;
  #recording: MicrophoneRecording | undefined;
  #endTimer: NodeJS.Timeout | undefined;
  #finishNow: (() => void) | undefined;
  readonly #awaited = new Set<Pending<RecordingOutcome>>();
  #answers: Promise<void> = Promise.resolve();

  constructor(events: SessionRecorderEvents) {
    this.#events = events;
  }

  /** Takes the connection's microphone, also amid a recording; undefined where it has none. */
  useMicrophone(track: Track | undefined): void {
    this.#microphone = track;
    this.#listen();
  }

  /** Starts anew; what is recorded and was not ended is dropped. */
  start(): void {
    this.#finishNow?.();
    this.#recording = new MicrophoneRecording();
    this.#listen();
  }

  /** Ends the recording and has its text made. */
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
      this.#listen();
      this.#order(message, recording.pcm());
    };
    this.#endTimer = setTimeout(this.#events.guard(this.#finishNow), tailMs);
  }

  /** Drops everything; nothing is answered any more. */
  close(): void {
    clearTimeout(this.#endTimer);
    this.#finishNow = undefined;
    this.#recording = undefined;
    this.useMicrophone(undefined);
    for (const pending of this.#awaited) pending.abandon();
    this.#awaited.clear();
  }

  /** Hears the microphone while there is a recording: a sink costs a call every 10 ms. */
  #listen(): void {
    this.#sink?.stop();
    this.#sink = undefined;
    const recording = this.#recording;
    if (!recording || !this.#microphone) return;
    this.#sink = new wrtc.nonstandard.RTCAudioSink(this.#microphone);
    this.#sink.ondata = this.#events.guard((heard) => recording.take(heard));
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
    const audio = { pcm, sampleRateHz: recordingRateHz };
    const pending =
      type === "record-end-stt"
        ? this.#events.recognize({ ...audio, language: data.language })
        : this.#events.translate({ ...audio, srcLang: data.src_lang, dstLang: data.dst_lang });
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

  /** Answers after all that ended before. */
  #answer(outcome: () => Promise<RecordingOutcome>): void {
    this.#answers = this.#answers.then(outcome).then(
      this.#events.guard((made: RecordingOutcome) => {
        if (made.ok) this.#events.send({ type: "stt", data: { text: made.text } });
        else this.#events.send({ type: "stt-error", data: { code: made.code } });
      }),
    );
  }
}
