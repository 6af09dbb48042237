/** Speech to be written down: mono PCM with what is known of its language. */
export interface RecognitionRequest {
  pcm: Int16Array;
  sampleRateHz: number;
  /** A language code such as `en` or `en-US`, where the caller knows it. */
  language?: string | undefined;
  /** Whom it is written down for: engines serve sessions in turn. Default: the service itself. */
  session?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Speech to be written down: an audio file as it came. */
export interface FileRecognitionRequest extends Omit<RecognitionRequest, "pcm" | "sampleRateHz"> {
  bytes: Uint8Array;
}

/** What was said, and in which language as far as the engine tells; empty text where it heard nothing. */
export interface Recognition {
  text: string;
  locale: string | null;
}

/** A speech recognition engine. Rejects with an Error whose message is for the operator's log alone. */
export interface SpeechRecognizer {
  recognize(request: RecognitionRequest): Promise<Recognition>;
  /**
   * For files of formats that the engine reads itself; null for a file of any other, which it takes as PCM. Rejects with
   * AudioError where it cannot read the file after all. Not there where the engine takes PCM alone.
   */
  recognizeFile?(request: FileRecognitionRequest): Promise<Recognition> | null;
  close(): Promise<void>;
}
