import { chooseAccents } from "../../puppet/index.ts";
import type { ServerMessage, SpeechFaultCode } from "../../protocol/data-channel.ts";
import type { Backdrops } from "./backdrops.ts";
import type { CharacterPictures } from "./character-pictures.ts";
import { ClientMessageReader } from "./client-message.ts";
import { tickMs, type MediaClock } from "./media-clock.ts";
import type { PeerAnswer, PeerRequest, PlayableSpeech } from "./media-engine.ts";
import type { MediaProcessSettings, MessageFromProcess, OfferProgress, PeerEnd } from "./media-ipc.ts";
import type { PlaceOrder } from "./order-book.ts";
import { SessionFace } from "./session-face.ts";
import { sessionGuard } from "./session-guard.ts";
import { SessionPeers } from "./session-peers.ts";
import { SessionRecorder } from "./session-recorder.ts";
import { SpeechPlayer } from "./speech-player.ts";
import { UploadedSpeech } from "./uploaded-speech.ts";
import { wrtc } from "./wrtc.ts";

const sampleRateHz = 48_000;
const samplesPerTick = (sampleRateHz * tickMs) / 1_000;

/**
 * A voice is heard this much later than a picture that was sent with it is seen, by measurement at the receiver: the audio
 * encoder looks ahead.
 */
const voiceLagMs = 8;

/** 25 pictures a second. */
const ticksPerPicture = 4;

/** Signs of life are passed on at most this often. */
const activityEveryMs = 5_000;
const activityEveryTicks = activityEveryMs / tickMs;

/** What a session's avatar needs of its process. */
export interface AvatarSessionOptions {
  /** The session's first offer. */
  request: PeerRequest;
  settings: MediaProcessSettings;
  clock: MediaClock;
  pictures: CharacterPictures;
  backdrops: Backdrops;
  order: PlaceOrder;
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
  readonly #guard = sessionGuard((error) => this.#fail(error));
  readonly #samples = new Int16Array(samplesPerTick);
  /** Null where the caller draws. */
  readonly #face: SessionFace | null;
  readonly #player: SpeechPlayer;
  readonly #uploads: UploadedSpeech;
  readonly #recorder: SessionRecorder;
  readonly #reader: ClientMessageReader;
  readonly #stopListening: () => void;
  readonly #peers: SessionPeers;
  #isConnected = false;
  #hasPicture = false;
  #isClosed = false;
  #sentTicks = 0;
  #lastActivityMs = -Infinity;

  /** `phase` spreads the drawing of a process's sessions over time. Throws MediaError `invalid_character`. */
  constructor(options: AvatarSessionOptions, phase: number) {
    const { sessionId } = options.request;
    this.#options = options;
    this.#player = new SpeechPlayer({
      request: (text) => options.order(sessionId, "synthesize", text),
      guard: this.#guard,
      onStart: (message, speech) => this.#handleSpeech(message, speech),
      onFault: (message, code, detail) => this.#refuseSpeech(message, code, detail),
    });
    this.#uploads = this.#newUploads();
    this.#recorder = this.#newRecorder();
    this.#reader = new ClientMessageReader((message) => this.#warn(message));
    this.#face = this.#newFace();
    this.#peers = this.#newPeers();
    this.#stopListening = options.clock.listen(
      this.#guard((tick: number, isLate: boolean) =>
        this.#handleTick(tick % ticksPerPicture === phase, isLate),
      ),
    );
  }

  /** Answers an offer: by the present peer if it comes from the same client connection, else by a new one. */
  async exchange(
    { offerSdp, matte }: PeerRequest,
    onProgress: (progress: OfferProgress) => void,
  ): Promise<PeerAnswer> {
    const before = this.#peers.isAddressedBy(offerSdp) ? this.#face?.matte : undefined;
    const answerSdp = await this.#peers.exchange(offerSdp, onProgress);
    if (!this.#face || !this.#peers.hasVideo) return { answerSdp, matte: null };
    this.#face.setMatte(matte ?? before ?? "none");
    return { answerSdp, matte: this.#face.matte };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopListening();
    // One part that fails must not keep the others from their end.
    for (const end of [
      () => this.#player.clear(),
      () => this.#uploads.clear(),
      () => this.#recorder.close(),
      () => this.#peers.close(),
      () => this.#face?.close(),
    ])
      this.#guard(end)();
  }

  #newFace(): SessionFace | null {
    const { request, settings, clock, pictures, backdrops, order } = this.#options;
    const { sessionId, characterFile, matte = "none", scene } = request;
    if (characterFile === null) return null;
    return new SessionFace({
      ...{ sessionId, characterFile, matte, scene, clock, pictures, backdrops, order },
      pictureSize: settings.pictureSize,
      onFault: (detail) => this.#warn(detail),
      onUnknownTemplate: () => this.#reader.ignore("set-template"),
    });
  }

  #newUploads(): UploadedSpeech {
    const { order, request } = this.#options;
    return new UploadedSpeech(this.#player, {
      lipSync: (upload) => order(request.sessionId, "lipSync", upload),
      onFault: (detail) => this.#refuseSpeech("", "invalid_audio", detail),
    });
  }

  #newRecorder(): SessionRecorder {
    const { order, request } = this.#options;
    const { sessionId } = request;
    return new SessionRecorder({
      recognize: (recording) => order(sessionId, "recognize", recording),
      translate: (recording) => order(sessionId, "translate", recording),
      send: (message) => this.#send(message),
      guard: this.#guard,
    });
  }

  #newPeers(): SessionPeers {
    return new SessionPeers({
      settings: this.#options.settings,
      guard: this.#guard,
      audio: this.#audio,
      video: this.#face && this.#video,
      onConnected: () => this.#handleConnected(),
      onMessage: (data) => this.#handleMessage(data),
      files: this.#uploads,
      onMicrophone: (track) => this.#recorder.useMicrophone(track),
      onEnded: (cause) => this.#handleEnded(cause),
    });
  }

  get #sessionId(): string {
    return this.#options.request.sessionId;
  }

  /** How much time of audio has been sent. */
  get #nowMs(): number {
    return this.#sentTicks * tickMs;
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
    if (this.#sentTicks % activityEveryTicks === 0 && this.#peers.isConnected) this.#handleActivity();
    // A missing picture is hardly seen, a gap in the voice is heard. Before there is a connection one picture is enough:
    // it waits in the encoder, and what drawing others would cost makes the connection late.
    const isSeen = this.#peers.isConnected;
    if (isPictureDue && !isLate && (isSeen || !this.#hasPicture)) this.#showPicture();
  }

  /** Nobody draws for a client that takes sound alone. */
  #showPicture(): void {
    const frame = this.#peers.hasVideo ? this.#face?.frame(this.#nowMs) : undefined;
    if (!frame) return;
    this.#hasPicture = true;
    this.#video.onFrame(frame);
  }

  #handleSpeech(message: string, speech: PlayableSpeech): void {
    this.#face?.speak(speech, this.#nowMs + voiceLagMs);
    const { pcm, sampleRateHz: rateHz, words } = speech;
    const duration = (pcm.length * 1_000) / rateHz;
    this.#send({ type: "stf", data: { message, duration, words, ...(!this.#face && timeline(speech)) } });
  }

  /** A client that waits for the beginning of its text is released by one without length. */
  #refuseSpeech(message: string, code: SpeechFaultCode, detail: string): void {
    this.#send({ type: "stf-error", data: { message, code, detail } });
    this.#send({ type: "stf", data: { message, duration: 0 } });
  }

  #handleConnected(): void {
    // Pictures before this were in vain; the next one would come 20 ms later on average.
    this.#showPicture();
    this.#handleActivity();
    if (this.#isConnected) return;
    this.#isConnected = true;
    this.#options.report({ type: "connected", sessionId: this.#sessionId });
  }

  #handleActivity(): void {
    const now = performance.now();
    if (now - this.#lastActivityMs < activityEveryMs) return;
    this.#lastActivityMs = now;
    this.#options.report({ type: "activity", sessionId: this.#sessionId });
  }

  #handleEnded(cause: PeerEnd): void {
    this.close();
    this.#options.onEnded(cause);
  }

  /** A fault in one of the session's handlers: this session is over, the others do not notice. */
  #fail(error: unknown): void {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#warn(`The session ends by an unexpected error: ${detail}`);
    if (!this.#isClosed) this.#handleEnded("session-failed");
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
      case "stf":
        this.#uploads.play(message.data);
        break;
      case "record-start":
        this.#recorder.start();
        break;
      case "record-end-stt":
      case "record-end-translate":
        this.#recorder.end(message);
        break;
      case "clear-buffer":
        this.#face?.stopSpeaking(this.#nowMs);
        this.#player.clear();
        break;
      case "change-size":
        this.#face?.resize(message.data);
        break;
      case "set-template":
        if (this.#face) this.#face.wantTemplate(message.data);
        else this.#reader.ignore("set-template");
        break;
      case "activity":
        this.#face?.setActivity(message.data.activity);
        break;
      case "motion":
        this.#face?.setReducedMotion(message.data.reduced);
        break;
    }
  }

  #warn(message: string): void {
    this.#options.report({ type: "warning", sessionId: this.#sessionId, message });
  }

  #send(message: ServerMessage): void {
    this.#peers.send(message);
  }
}

/** What a caller that draws by itself needs besides the sound; times in ms from the speech's beginning. */
function timeline({ visemes, words }: PlayableSpeech) {
  return { visemes, accents: chooseAccents(words) };
}
