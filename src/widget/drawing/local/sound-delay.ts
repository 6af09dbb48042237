import { matchEnvelopes, type Heard } from "./envelope-match.ts";
import type { VoiceClock } from "./voice-clock.ts";

/** How often the receiver is asked how long it holds sound back, in ms. */
const askEveryMs = 500;
/** How often the sound that is heard is compared with what was announced. */
const matchEveryMs = 300;
/** How far the comparison looks before and after the announcement. */
const searchMs = [-150, 650] as const;
/** A notice that was lost and sent again may come so much later than its sound. Only much sound tells that. */
const lateMs = [-1_500, searchMs[0]] as const;
const lateSamples = 60;
/** The sound before it is compared. More would follow a change too slowly. */
const memoryMs = 2_500;
/** Samples of one measurement: their middle is half of them ago. */
const windowSamples = 1_024;
/** A picture is seen so much later than it is drawn, on a usual screen. */
const displayMs = 16;
/** A speech that was announced late counts as announced so long before it is heard, or as long as the clock is behind. */
const usualDelayMs = 60;

/** What is heard, and who receives it. */
export interface HeardLink {
  readonly link: {
    readonly stream: Pick<MediaStream, "getAudioTracks"> | null;
    readonly peerConnection: Pick<RTCPeerConnection, "getStats"> | null;
  };
}

/** A speech, and when its notice arrived. */
export interface AnnouncedSpeech {
  readonly atMs: number;
  readonly durationMs: number;
  readonly loudness: readonly number[];
}

/**
 * Keeps the face's clock in time with the sound that is really heard. The receiver's statistics say roughly how late that is; the
 * sound itself, compared with the loudness that was announced, says it exactly.
 */
export class SoundDelay {
  readonly #clock: VoiceClock;
  readonly #connection: HeardLink;
  readonly #handleLate: (speech: AnnouncedSpeech) => void;
  #audio: AudioContext | null = null;
  #analyser: AnalyserNode | null = null;
  #track: MediaStreamTrack | null = null;
  readonly #samples = new Float32Array(windowSamples);
  #heard: Heard[] = [];
  #announced: AnnouncedSpeech | null = null;
  #matchedAtMs = 0;
  /** The comparison has succeeded for the present speech. */
  #isMatched = false;
  #emitted = { sec: 0, count: 0 };
  readonly #timer = setInterval(() => void this.#ask().catch(() => undefined), askEveryMs);

  /** `handleLate` gets a speech that had begun before it was announced, with the time at which it should have been. */
  constructor(connection: HeardLink, clock: VoiceClock, handleLate: (speech: AnnouncedSpeech) => void) {
    this.#connection = connection;
    this.#clock = clock;
    this.#handleLate = handleLate;
    this.listen();
    void this.#ask().catch(() => undefined);
  }

  /** Listens to the connection's present sound. */
  listen(): void {
    const [track] = this.#connection.link.stream?.getAudioTracks() ?? [];
    if (!track || track === this.#track) return;
    this.#track = track;
    void this.#audio?.close();
    this.#audio = this.#analyser = null;
    try {
      this.#audio = new AudioContext();
      this.#analyser = this.#audio.createAnalyser();
      this.#analyser.fftSize = windowSamples;
      this.#audio.createMediaStreamSource(new MediaStream([track])).connect(this.#analyser);
    } catch {
      // Then the receiver's statistics have to do.
    }
  }

  /** A speech begins. */
  announce(speech: AnnouncedSpeech): void {
    this.#announced = speech;
    this.#isMatched = false;
    this.#matchedAtMs = speech.atMs;
    this.#heard = [];
  }

  /** Measures what is heard now. To be called with each frame. */
  hear(pageMs: number): void {
    const announced = this.#announced;
    if (!announced || !this.#analyser || this.#audio?.state !== "running") return;
    if (pageMs > announced.atMs + announced.durationMs + searchMs[1]) {
      this.#announced = null;
      return;
    }
    this.#analyser.getFloatTimeDomainData(this.#samples);
    let sum = 1e-9;
    for (const sample of this.#samples) sum += sample * sample;
    const atMs = pageMs - (windowSamples * 500) / this.#audio.sampleRate;
    this.#heard.push({ atMs, level: 10 * Math.log10(sum / windowSamples) });
    if (pageMs - this.#matchedAtMs < matchEveryMs) return;
    this.#matchedAtMs = pageMs;
    this.#heard = this.#heard.filter((heard) => heard.atMs > pageMs - memoryMs);
    const delayMs = matchEnvelopes(this.#heard, announced.loudness, announced.atMs, searchMs);
    if (delayMs === null) {
      this.#lookForLate(announced);
      return;
    }
    this.#isMatched = true;
    this.#clock.delayMs = delayMs + this.#afterwards();
  }

  close(): void {
    clearInterval(this.#timer);
    void this.#audio?.close();
  }

  #lookForLate({ atMs, durationMs, loudness }: AnnouncedSpeech): void {
    if (this.#heard.length < lateSamples) return;
    const delayMs = matchEnvelopes(this.#heard, loudness, atMs, lateMs);
    if (delayMs === null) return;
    // As if announced in time, so that the clock need not change.
    const usualMs = Math.max(usualDelayMs, this.#clock.delayMs);
    this.#announced = { atMs: atMs + delayMs - usualMs, durationMs, loudness };
    this.#handleLate(this.#announced);
  }

  /** How much later than here a sound is heard, minus how much later a picture is seen. */
  #afterwards(): number {
    return (this.#audio?.outputLatency ?? 0) * 1_000 - displayMs;
  }

  async #ask(): Promise<void> {
    const report = await this.#connection.link.peerConnection?.getStats();
    report?.forEach((stats: Partial<RTCInboundRtpStreamStats>) => {
      if (stats.type !== "inbound-rtp" || stats.kind !== "audio") return;
      const { jitterBufferDelay: sec = 0, jitterBufferEmittedCount: count = 0 } = stats;
      const before = this.#emitted;
      this.#emitted = { sec, count };
      if (count <= before.count || this.#isMatched) return;
      this.#clock.delayMs = ((sec - before.sec) / (count - before.count)) * 1_000 + this.#afterwards();
    });
  }
}
