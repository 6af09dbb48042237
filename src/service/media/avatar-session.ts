import type { ServerMessage } from "../../protocol/data-channel.ts";
import { createPuppetBehaviour, type Behaviour } from "../../puppet/index.ts";
import { AvatarPicture } from "./avatar-picture.ts";
import type { CharacterPictures } from "./character-pictures.ts";
import { ClientMessageReader } from "./client-message.ts";
import { tickMs, type MediaClock } from "./media-clock.ts";
import type { PeerRequest } from "./media-engine.ts";
import { MediaError } from "./media-error.ts";
import type { MediaProcessSettings, MessageFromProcess, PeerEnd } from "./media-ipc.ts";
import { SessionPeer } from "./session-peer.ts";
import { SpeechPlayer, type PendingSpeech } from "./speech-player.ts";
import { wrtc } from "./wrtc.ts";

const sampleRateHz = 48_000;
const samplesPerTick = (sampleRateHz * tickMs) / 1_000;

/**
 * A voice is heard this much later than a picture that was sent with it is seen, by measurement at the receiver: the audio
 * encoder looks ahead, and its packets wait until they hold 20 ms.
 */
const voiceLagMs = 15;

/** 25 pictures a second. */
const ticksPerPicture = 4;

/** Signs of life are passed on at most this often. */
const activityEveryMs = 5_000;
const activityEveryTicks = activityEveryMs / tickMs;

/** What a session's avatar needs of its process. */
export interface AvatarSessionOptions {
  sessionId: string;
  characterFile: string;
  settings: MediaProcessSettings;
  clock: MediaClock;
  pictures: CharacterPictures;
  synthesize(sessionId: string, text: string): PendingSpeech;
  report(message: MessageFromProcess): void;
  /** The session is over, because its peer is. */
  onEnded(cause: PeerEnd): void;
}

/**
 * One avatar: its voice, its face and the peer connection that shows them. Its time is the audio that it has sent, so the
 * lips follow the voice whatever the machine's load.
 */
export class AvatarSession {
  readonly #options: AvatarSessionOptions;
  readonly #audio = new wrtc.nonstandard.RTCAudioSource();
  readonly #video = new wrtc.nonstandard.RTCVideoSource({ isScreencast: false, needsDenoising: false });
  readonly #samples = new Int16Array(samplesPerTick);
  readonly #behaviour: Behaviour;
  readonly #picture: AvatarPicture;
  readonly #player: SpeechPlayer;
  readonly #reader: ClientMessageReader;
  readonly #stopListening: () => void;
  #peer: SessionPeer | undefined;
  #isConnected = false;
  #hasPicture = false;
  #isClosed = false;
  #sentTicks = 0;
  #lastActivityMs = -Infinity;
  #exchanges: Promise<unknown> = Promise.resolve();

  /** `phase` spreads the drawing of a process's sessions over time. Throws MediaError `invalid_character`. */
  constructor(options: AvatarSessionOptions, phase: number) {
    const { sessionId, characterFile, pictures, settings } = options;
    this.#options = options;
    this.#behaviour = createPuppetBehaviour(pictures.character(characterFile), { seed: seedOf(sessionId) });
    this.#picture = new AvatarPicture(pictures, characterFile, settings.pictureSize);
    this.#player = new SpeechPlayer({
      request: (text) => options.synthesize(sessionId, text),
      onStart: (message, { pcm, sampleRateHz: rateHz, words, visemes }) => {
        this.#behaviour.speak({ visemes, words }, this.#nowMs + voiceLagMs);
        this.#send({ type: "stf", data: { message, duration: (pcm.length * 1_000) / rateHz, words } });
      },
      onFault: (message, code, detail) => this.#send({ type: "stf-error", data: { message, code, detail } }),
    });
    this.#reader = new ClientMessageReader((message) =>
      options.report({ type: "warning", sessionId, message }),
    );
    this.#stopListening = options.clock.listen((tick, isLate) =>
      this.#handleTick(tick % ticksPerPicture === phase, isLate),
    );
  }

  /** Answers an offer: by the present peer if it comes from the same client connection, else by a new one. */
  async exchange(request: PeerRequest): Promise<string> {
    const answered = this.#exchanges.then(() => this.#answer(request));
    this.#exchanges = answered.catch(() => undefined);
    return answered;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopListening();
    this.#player.clear();
    this.#peer?.close();
    this.#picture.release();
  }

  /** How much time of audio has been sent. */
  get #nowMs(): number {
    return this.#sentTicks * tickMs;
  }

  async #answer({ offerSdp, iceServers }: PeerRequest): Promise<string> {
    if (this.#isClosed) throw MediaError.stopped();
    if (this.#peer?.isAddressedBy(offerSdp)) return this.#peer.answer(offerSdp);
    const peer: SessionPeer = new SessionPeer({
      iceServers,
      settings: this.#options.settings,
      audio: this.#audio,
      video: this.#video,
      onConnected: () => this.#handleConnected(),
      onMessage: (data) => this.#handleMessage(data),
      onEnded: (cause) => this.#handleEnded(peer, cause),
    });
    try {
      const answer = await peer.answer(offerSdp);
      this.#replacePeer(peer);
      return answer;
    } catch (error) {
      peer.close();
      throw error;
    }
  }

  #replacePeer(peer: SessionPeer): void {
    if (this.#isClosed) throw MediaError.stopped();
    this.#peer?.close();
    this.#peer = peer;
  }

  #handleTick(isPictureDue: boolean, isLate: boolean): void {
    this.#player.fill(this.#samples);
    this.#audio.onData({
      samples: this.#samples,
      sampleRate: sampleRateHz,
      bitsPerSample: 16,
      channelCount: 1,
      numberOfFrames: samplesPerTick,
    });
    this.#sentTicks++;
    if (this.#sentTicks % activityEveryTicks === 0 && this.#peer?.isConnected) this.#handleActivity();
    // A missing picture is hardly seen, a gap in the voice is heard. Before there is a connection one picture is enough:
    // it waits in the encoder, and what drawing others would cost makes the connection late.
    const isSeen = this.#peer?.isConnected ?? false;
    if (isPictureDue && !isLate && (isSeen || !this.#hasPicture)) this.#showPicture();
  }

  #showPicture(): void {
    this.#hasPicture = true;
    this.#video.onFrame(this.#picture.draw(this.#behaviour.step(this.#nowMs)));
  }

  #handleConnected(): void {
    // Pictures before this were in vain; the next one would come 20 ms later on average.
    this.#showPicture();
    this.#handleActivity();
    if (this.#isConnected) return;
    this.#isConnected = true;
    this.#options.report({ type: "connected", sessionId: this.#options.sessionId });
  }

  #handleActivity(): void {
    const now = performance.now();
    if (now - this.#lastActivityMs < activityEveryMs) return;
    this.#lastActivityMs = now;
    this.#options.report({ type: "activity", sessionId: this.#options.sessionId });
  }

  #handleEnded(peer: SessionPeer, cause: PeerEnd): void {
    if (peer !== this.#peer || this.#isClosed) return;
    this.close();
    this.#options.onEnded(cause);
  }

  #handleMessage(data: unknown): void {
    const message = this.#reader.read(data);
    if (!message) return;
    switch (message.type) {
      case "ping":
        this.#handleActivity();
        this.#send({ type: "ping", data: {} });
        break;
      case "ttstf":
        this.#player.say(message.data.message);
        break;
      case "clear-buffer":
        this.#behaviour.stopSpeaking(this.#nowMs);
        this.#player.clear();
        break;
      case "change-size":
        this.#picture.resize(message.data);
        break;
      case "activity":
        this.#behaviour.setActivity(message.data.activity);
        break;
      case "motion":
        this.#behaviour.setReducedMotion(message.data.reduced);
        break;
      default:
        this.#reader.ignore(message.type);
    }
  }

  #send(message: ServerMessage): void {
    this.#peer?.send(message);
  }
}

/** Two avatars on one page are not to blink together. */
function seedOf(sessionId: string): number {
  return [...Buffer.from(sessionId)].reduce((seed, byte) => (Math.imul(seed, 31) + byte) | 0, 7);
}
