/** Speech to recognize: mono PCM, and its language if known. */
export interface RecognitionRequest {
  pcm: Int16Array;
  sampleRateHz: number;
  /** A language code such as `en` or `en-US`, if the caller knows it. */
  language?: string | undefined;
  /** The session of the request: engines serve sessions in turn. Default: the service itself. */
  session?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Speech to recognize: an audio file as it was received. */
export interface FileRecognitionRequest extends Omit<RecognitionRequest, "pcm" | "sampleRateHz"> {
  bytes: Uint8Array;
}

/** The recognized text, empty if there was no speech, and its language if the engine reports it. */
export interface Recognition {
  text: string;
  locale: string | null;
}

/** What a stream of speech is opened with. */
export interface RecognitionStreamRequest extends Omit<RecognitionRequest, "pcm"> {
  /** Is called with everything that was understood so far, when that has changed. Later words may correct earlier ones. */
  onPartial(text: string): void;
}

/** Speech that is recognized while it is spoken. Aborting the request's signal discards it. */
export interface RecognitionStream {
  /** Adds mono PCM at the request's sample rate, in pieces of any length. Never throws: `end` reports what went wrong. */
  write(pcm: Int16Array): void;
  /** Ends the speech. Resolves with the whole text, and rejects like `recognize`. The stream is closed in both cases. */
  end(): Promise<Recognition>;
}

/** A speech recognition engine. Rejects with an Error whose message is only for the operator's log. */
export interface SpeechRecognizer {
  /** It runs on this machine: to recognize a recording that may go on costs only time. */
  readonly isLocal?: boolean;
  recognize(request: RecognitionRequest): Promise<Recognition>;
  /**
   * Recognizes a file in a format that the engine reads itself; null for other formats, which must be decoded to PCM first.
   * Rejects with AudioError when it cannot read the file after all. Missing in engines that only accept PCM.
   */
  recognizeFile?(request: FileRecognitionRequest): Promise<Recognition> | null;
  /** Opens a stream. Missing in engines that only recognize whole recordings. */
  openStream?(request: RecognitionStreamRequest): RecognitionStream;
  close(): Promise<void>;
}

/** A span of speech in a recording, in ms from its start. */
export interface SpeechSpan {
  startMs: number;
  endMs: number;
}

/** Finds speech in recordings. */
export interface VoiceActivity {
  /** The spans of speech, in order; empty if nobody speaks. Rejects with an Error for the operator's log. */
  speechIn(recording: Omit<RecognitionRequest, "language">): Promise<SpeechSpan[]>;
  close(): Promise<void>;
}
