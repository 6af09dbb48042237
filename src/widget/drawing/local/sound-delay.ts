import type { PuppetParams, TimedViseme, TimedWord } from "../../../puppet/index.ts";
import type { AvatarConnection } from "../../../client/link/avatar-connection.ts";
import type { ServerMessage } from "../../../protocol/session/data-channel.ts";
import { speechChannelLabel } from "../../../protocol/speech/speech-part.ts";
import { type Heard, matchEnvelopes } from "./envelope-match.ts";
import { type ReadSpeech, SpeechReader } from "./speech-reader.ts";
import type { VoiceClock } from "./voice-clock.ts";

type Weights = NonNullable<PuppetParams["visemeWeights"]>;

/** This many dB below the loud parts of a voice, the mouth is closed. */
const rangeDb = 24;
/** Nothing below this counts as voice, in dB of full scale; and no voice counts as quieter than this. */
const silenceDb = -58;
const quietDb = -38;
/** How fast what counts as loud is forgotten, in dB a second. */
const forgetDbPerSec = 3;
/** How fast the mouth opens and closes. */
const openMs = 30;
const closeMs = 65;
/** How long the mouth takes to follow the sound instead of its timeline, and back. */
const blendMs = 110;
/** How often the vowel changes: about as often as syllables do. */
const vowelMs = 175;
/** The mouth of a loud vowel. More looks like shouting. */
const widest = 0.75;

/** Moves the mouth by the loudness of the voice that is heard: for speech of which nothing else is known, or not yet. */
export class HeardMouth {
  #loudDb = quietDb;
  #open = 0;
  #share = 0;
  #atMs = Number.NaN;
  #isMuted = false;

  /** What is heard now. `isKnown`: the mouth shapes are known from elsewhere. */
  hear(levelDb: number, atMs: number, isKnown: boolean): void {
    const passedMs = Math.min(Math.max(0, atMs - this.#atMs) || 0, 100);
    this.#atMs = atMs;
    this.#loudDb = Math.max(levelDb, quietDb, this.#loudDb - (forgetDbPerSec * passedMs) / 1_000);
    const wanted = levelDb > silenceDb ? Math.max(0, 1 + (levelDb - this.#loudDb) / rangeDb) : 0;
    if (wanted === 0) this.#isMuted = false;
    const way = (this.#isMuted ? 0 : wanted) - this.#open;
    this.#open += way * (1 - Math.exp(-passedMs / (way > 0 ? openMs : closeMs)));
    const step = passedMs / blendMs;
    this.#share = Math.min(Math.max(this.#share + (isKnown ? -step : step), 0), 1);
  }

  /** The voice was stopped: what is still heard of it does not count. */
  mute(): void {
    this.#isMuted = true;
  }

  /** The mouth shapes, where others leave room. */
  addTo(others: Weights = {}): Weights {
    const strength = this.#share * this.#open * widest;
    if (strength < 0.01) return others;
    const taken = Object.values(others).reduce((sum, weight) => sum + weight, 0);
    const room = Math.max(0, 1 - taken) * strength;
    // Louder vowels are more open ones.
    const round = 0.5 + 0.5 * Math.sin((this.#atMs * Math.PI) / vowelMs);
    const added = {
      aa: room * this.#open,
      E: room * (1 - this.#open) * (1 - round),
      oh: room * (1 - this.#open) * round,
    };
    const weights: Weights = { ...others };
    for (const viseme of ["aa", "E", "oh"] as const) weights[viseme] = (weights[viseme] ?? 0) + added[viseme];
    return weights;
  }
}

/** A word without mouth shapes opens the mouth so often. */
const syllableMs = 140;

/** Mouth shapes for a word of which only the time is known: the mouth opens and closes. */
export function syllables({ start, end }: TimedWord): TimedViseme[] {
  const count = Math.max(1, Math.round((end - start) / syllableMs));
  const each = (end - start) / count;
  return Array.from({ length: count }, (_, i) => {
    const at = start + i * each;
    return [
      { viseme: i % 2 ? "E" : "aa", start: at, end: at + each * 0.6 },
      { viseme: "DD", start: at + each * 0.6, end: at + each },
    ] as const;
  }).flat();
}

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
/** The mouth begins to move before a speech and closes after it. */
const edgeMs = 200;

/** What is heard, and who receives it. */
export interface HeardLink {
  readonly events: Pick<AvatarConnection["events"], "emit">;
  readonly link: {
    readonly stream: Pick<MediaStream, "getAudioTracks"> | null;
    readonly peerConnection: Pick<RTCPeerConnection, "getStats" | "createDataChannel"> | null;
  };
}

/** A speech, and when its notice arrived. */
export interface AnnouncedSpeech {
  readonly atMs: number;
  /** What its notice says. */
  readonly data: Notice;
  /** Null if the notice does not say what to draw. */
  readonly loudness: readonly number[] | null;
}

/** One whose face is known. */
type DrawnNotice = AnnouncedSpeech & { readonly loudness: readonly number[] };
type Notice = Extract<ServerMessage, { type: "stf" }>["data"];

/**
 * Keeps the face's clock in time with the sound that is really heard. The receiver's statistics say roughly how late that is; the
 * sound itself, compared with the loudness that was announced, says it exactly. The timelines of speeches come in parts on a channel of
 * their own; as long as none is there, the mouth follows the loudness.
 */
export class SoundDelay {
  readonly #clock: VoiceClock;
  readonly #connection: HeardLink;
  readonly #speak: (notice: Notice, atMs: number) => void;
  readonly #reader = new SpeechReader(
    (speech) => this.#handleRead(speech),
    // Whoever shows captions need not know which way their words have come.
    (data) => this.#connection.events.emit("message", { type: "stf", data: { ...data } }),
  );
  readonly #mouth = new HeardMouth();
  #peer: HeardLink["link"]["peerConnection"] = null;
  #audio: AudioContext | null = null;
  #analyser: AnalyserNode | null = null;
  #track: MediaStreamTrack | null = null;
  readonly #samples = new Float32Array(windowSamples);
  #heard: Heard[] = [];
  #announced: DrawnNotice | null = null;
  /** The speech whose parts are known. */
  #read: ReadSpeech | null = null;
  #matchedAtMs = 0;
  /** The comparison has succeeded for the present speech. */
  #isMatched = false;
  #emitted = { sec: 0, count: 0 };
  readonly #timer = setInterval(() => void this.#ask().catch(() => undefined), askEveryMs);

  /** `speak` gets what the face is to say, and the time at which that should have been announced. */
  constructor(connection: HeardLink, clock: VoiceClock, speak: (notice: Notice, atMs: number) => void) {
    this.#connection = connection;
    this.#clock = clock;
    this.#speak = speak;
    this.listen();
    void this.#ask().catch(() => undefined);
  }

  /** Listens to the connection's present sound. */
  listen(): void {
    this.#openChannel();
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

  /** A speech begins; null: what was said is stopped. */
  announce(speech: AnnouncedSpeech | null): void {
    if (!speech) {
      this.#announced = this.#read = null;
      this.#reader.stop();
      this.#mouth.mute();
      return;
    }
    const { data, loudness, atMs } = speech;
    const { words = [] } = data;
    if (loudness) this.#begin({ atMs, data, loudness });
    else if (data["speech"] !== undefined) this.#reader.takeWords(data["speech"], words);
    // Neither is it known what to draw nor can it be heard.
    else if (!this.#isHearing) this.#speak({ ...data, visemes: words.flatMap(syllables) }, atMs);
  }

  /** Measures what is heard now. To be called with each frame. */
  hear(pageMs: number): void {
    if (!this.#analyser || !this.#audio || !this.#isHearing) return;
    this.#analyser.getFloatTimeDomainData(this.#samples);
    let sum = 1e-9;
    for (const sample of this.#samples) sum += sample * sample;
    const level = 10 * Math.log10(sum / windowSamples);
    this.#mouth.hear(level, pageMs, this.#isKnown(pageMs));
    this.#heard.push({ atMs: pageMs - (windowSamples * 500) / this.#audio.sampleRate, level });
    if (pageMs - this.#matchedAtMs < matchEveryMs) return;
    this.#matchedAtMs = pageMs;
    this.#heard = this.#heard.filter(({ atMs }) => atMs > pageMs - memoryMs);
    this.#match(pageMs);
  }

  /** The pose of a face, with a mouth that follows the sound where nothing else is known of it. */
  withMouth(pose: PuppetParams): PuppetParams {
    return { ...pose, visemeWeights: this.#mouth.addTo(pose.visemeWeights) };
  }

  close(): void {
    clearInterval(this.#timer);
    void this.#audio?.close();
  }

  get #isHearing(): boolean {
    return this.#audio?.state === "running";
  }

  /** Whether the face knows what is heard now. */
  #isKnown(pageMs: number): boolean {
    const announced = this.#announced;
    if (!announced) return false;
    const ms = pageMs - this.#clock.delayMs - announced.atMs;
    const { duration } = announced.data;
    return (
      ms > -edgeMs &&
      ms < duration + edgeMs &&
      (this.#read?.covers(Math.min(Math.max(ms, 0), duration - 1)) ?? true)
    );
  }

  /** What is heard from now on is this speech. */
  #begin(speech: DrawnNotice): void {
    this.#announced = speech;
    this.#read = null;
    this.#isMatched = false;
    this.#matchedAtMs = speech.atMs;
    this.#heard = [];
  }

  #handleRead(speech: ReadSpeech): void {
    const { atMs, durationMs: duration, drawn } = speech;
    const announced = { atMs, loudness: drawn.loudness, data: { message: "", duration, ...drawn } };
    if (this.#read?.number === speech.number) this.#announced = announced;
    else this.#begin(announced);
    this.#read = speech;
    this.#speak(announced.data, atMs);
  }

  #match(pageMs: number): void {
    const announced = this.#announced;
    if (!announced) return;
    const { atMs, data, loudness } = announced;
    if (pageMs > atMs + data.duration + searchMs[1]) {
      this.#announced = this.#read = null;
      return;
    }
    const delayMs = matchEnvelopes(this.#heard, loudness, atMs, searchMs);
    if (delayMs === null) {
      this.#lookForLate(announced);
      return;
    }
    this.#isMatched = true;
    this.#clock.delayMs = delayMs + this.#afterwards();
  }

  #lookForLate({ atMs, data, loudness }: DrawnNotice): void {
    if (this.#heard.length < lateSamples) return;
    const delayMs = matchEnvelopes(this.#heard, loudness, atMs, lateMs);
    if (delayMs === null) return;
    // As if announced in time, so that the clock need not change.
    const usualMs = Math.max(usualDelayMs, this.#clock.delayMs);
    this.#announced = { atMs: atMs + delayMs - usualMs, data, loudness };
    this.#speak(data, this.#announced.atMs);
  }

  /** How much later than here a sound is heard, minus how much later a picture is seen. */
  #afterwards(): number {
    return (this.#audio?.outputLatency ?? 0) * 1_000 - displayMs;
  }

  /** Sound that was blocked until the visitor did something is not heard by itself afterwards, nor after a phone call. */
  #wake(): void {
    if (!this.#audio || this.#isHearing) return;
    const mayBegin = !("userActivation" in navigator) || navigator.userActivation.hasBeenActive;
    if (mayBegin) this.#audio.resume().catch(() => undefined);
  }

  /** Takes the parts of timelines from the present connection. A service that does not know them closes the channel. */
  #openChannel(): void {
    const { peerConnection } = this.#connection.link;
    if (!peerConnection || peerConnection === this.#peer) return;
    this.#peer = peerConnection;
    this.#reader.restart();
    try {
      const channel = peerConnection.createDataChannel(speechChannelLabel, { ordered: false });
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (peerConnection === this.#peer) this.#reader.take(data, performance.now());
      };
    } catch {
      // It is closed already.
    }
  }

  async #ask(): Promise<void> {
    this.#wake();
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
