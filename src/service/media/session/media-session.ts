import type {
  ClientMessage,
  ServerMessage,
  SpeechFaultCode,
} from "../../../protocol/session/data-channel.ts";
import type { AvatarSessionOptions } from "./avatar-session-options.ts";
import { ClientMessageReader } from "./client-message.ts";
import { tickMs } from "../media-clock.ts";
import type { PeerAnswer, PeerRequest, PlayableSpeech } from "../media-engine.ts";
import type { OfferProgress, PeerEnd } from "../processes/media-ipc.ts";
import { SentPictures } from "../pictures/sent-pictures.ts";
import { faceOf, type SessionFace } from "./session-face.ts";
import { SessionLook } from "./session-look.ts";
import { sessionGuard } from "../session-guard.ts";
import { SessionPeers } from "./session-peers.ts";
import { SessionRecorder } from "../hearing/session-recorder.ts";
import { SpeechAnnouncer } from "../speech/speech-announcer.ts";
import { SpeechPlayer } from "../speech/speech-player.ts";
import { UploadedSpeech } from "./uploaded-speech.ts";
import { VoicePresence } from "../hearing/voice-presence.ts";
import { wrtc } from "../wrtc.ts";

const sampleRateHz = 48_000;
const samplesPerTick = (sampleRateHz * tickMs) / 1_000;

/**
 * The voice is heard this much later than a picture that was sent with it is seen, measured at the receiver. The reason is
 * the look-ahead of the audio encoder.
 */
const voiceLagMs = 8;

/** 25 pictures per second. */
const ticksPerPicture = 4;

/** Activity of the client is reported at most this often. */
const activityEveryMs = 5_000;
const activityEveryTicks = activityEveryMs / tickMs;

/** How long the avatar looks as if it were thinking after a recording, unless the client says what it does. */
const thinkingMs = 12_000;

/** What a client has paused. */
type Pause = Extract<ClientMessage, { type: "pause" }>["data"];
const noPause: Pause = { video: false, speech: false, audio: false };

/**
 * One avatar: its voice, its face and the peer connection that sends them. Its time is the duration of the audio that it has
 * sent, so the lips follow the voice under any load.
 */
export class MediaSession {
  readonly #options: AvatarSessionOptions;
  readonly #audio = new wrtc.nonstandard.RTCAudioSource();
  /**
   * The library's mode for screens codes drawings well: half the bits and a tenth less work than its mode for cameras, whose pictures are
   * finer than can be seen. Where bits are scarce, pictures become coarser, and are neither left out nor scaled down.
   */
  readonly #video = new wrtc.nonstandard.RTCVideoSource({ isScreencast: true, needsDenoising: false });
  readonly #guard = sessionGuard((error) => this.#fail(error));
  readonly #samples = new Int16Array(samplesPerTick);
  /** Null if the caller draws. */
  readonly #face: SessionFace | null;
  readonly #look: SessionLook;
  readonly #player: SpeechPlayer;
  readonly #uploads: UploadedSpeech;
  readonly #recorder: SessionRecorder;
  readonly #voice = new VoicePresence();
  readonly #pictures: SentPictures;
  readonly #reader: ClientMessageReader;
  readonly #stopListening: () => void;
  readonly #peers: SessionPeers;
  readonly #announcer: SpeechAnnouncer;
  #isConnected = false;
  #isClosed = false;
  #ticks = 0;
  #sentTicks = 0;
  #pause = noPause;
  #lastActivityMs = -Infinity;

  /**
   * `phase` (0 to 3) is the tick of each picture period at which it draws; it spreads the drawing of a process's sessions over
   * time. Throws MediaError `invalid_character`.
   */
  constructor(options: AvatarSessionOptions, phase: number) {
    const { sessionId } = options.request;
    this.#options = options;
    this.#player = new SpeechPlayer({
      request: (wanted) => options.order(sessionId, "synthesize", wanted),
      guard: this.#guard,
      onStart: (message, speech) => this.#handleSpeech(message, speech),
      onFault: (message, code, detail) => this.#refuseSpeech(message, code, detail),
    });
    this.#uploads = this.#newUploads();
    this.#recorder = this.#newRecorder();
    this.#reader = new ClientMessageReader((message) => this.#warn(message));
    this.#face = faceOf(options.request, { ...options, onFault: (detail) => this.#warn(detail) });
    this.#look = this.#newLook();
    this.#peers = this.#newPeers();
    this.#pictures = this.#newPictures();
    this.#announcer = new SpeechAnnouncer(this.#peers);
    this.#stopListening = options.clock.listen(
      this.#guard((tick: number, isLate: boolean) =>
        this.#handleTick(tick % ticksPerPicture === phase, isLate),
      ),
    );
  }

  /** Answers an offer: with the current peer if it comes from the same client connection, otherwise with a new peer. */
  async exchange(
    { offerSdp, matte }: PeerRequest,
    onProgress: (progress: OfferProgress) => void,
  ): Promise<PeerAnswer> {
    const isSameClient = this.#peers.isAddressedBy(offerSdp);
    const before = isSameClient ? this.#face?.matte : undefined;
    // Another client, such as the next page of the same tab, is sent everything, and says itself how fast.
    if (!isSameClient) {
      this.#setPause(noPause);
      this.#player.rate = 1;
    }
    const answerSdp = await this.#peers.exchange(offerSdp, onProgress);
    this.#face?.setShown(this.#peers.hasVideo);
    if (!this.#face || !this.#peers.hasVideo) return { answerSdp, matte: null };
    this.#face.setMatte(matte ?? before ?? "none");
    return { answerSdp, matte: this.#face.matte };
  }

  /** Whether it draws and sends video. */
  get hasVideo(): boolean {
    return this.#peers.hasVideo;
  }

  /** Tells the client that the service restarts. */
  announceRestart(): void {
    this.#send({ type: "restart", data: {} });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopListening();
    // A part that fails to close must not prevent the others from closing.
    for (const end of [
      () => this.#player.clear(),
      () => this.#uploads.clear(),
      () => this.#recorder.close(),
      () => this.#peers.close(),
      () => this.#look.close(),
      () => this.#face?.close(),
    ])
      this.#guard(end)();
  }

  #newLook(): SessionLook {
    const { order, request } = this.#options;
    return new SessionLook({
      find: (wanted) => order(request.sessionId, "template", wanted),
      face: this.#face,
      send: (message) => this.#send(message),
      onUnknown: () => this.#reader.ignore("set-template"),
      onFault: (detail) => this.#warn(detail),
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
      sinkOf: (microphone) => new wrtc.nonstandard.RTCAudioSink(microphone),
      hear: (piece) => order(sessionId, "hear", piece),
      recognize: (recording) => order(sessionId, "recognize", recording),
      translate: (recording) => order(sessionId, "translate", recording),
      send: (message) => this.#send(message),
      guard: this.#guard,
      onHeard: (samples) => {
        const isVoice = this.#voice.take(samples);
        this.#face?.hearVoice(this.#nowMs, isVoice);
        return isVoice;
      },
      onAnswer: (text) => this.#handleRecording(text),
      keepsRecent: request.recognizes !== false,
    });
  }

  #newPeers(): SessionPeers {
    return new SessionPeers({
      settings: this.#options.settings,
      isBusy: this.#options.isBusy,
      guard: this.#guard,
      audio: this.#audio,
      video: this.#face && this.#video,
      onConnected: () => this.#handleConnected(),
      onOpen: () => this.#look.announce(),
      onMessage: (data) => this.#handleMessage(data),
      files: this.#uploads,
      onMicrophone: (track) => this.#recorder.useMicrophone(track),
      onEnded: (cause) => this.#handleEnded(cause),
    });
  }

  #newPictures(): SentPictures {
    return new SentPictures({
      isSeen: () => this.#peers.isConnected,
      // For a client that receives only audio, or has paused the video, nothing is drawn.
      draw: () => (this.#peers.hasVideo && !this.#pause.video ? this.#face?.frame(this.#nowMs) : undefined),
      isStill: () => this.#face?.isStill === true && !this.#player.isPlaying,
      send: (frame) => this.#video.onFrame(frame),
    });
  }

  get #sessionId(): string {
    return this.#options.request.sessionId;
  }

  /** The duration of the audio that has been sent. */
  get #nowMs(): number {
    return this.#sentTicks * tickMs;
  }

  #handleTick(isPictureDue: boolean, isLate: boolean): void {
    // What is being spoken is heard to its end.
    if (!this.#pause.audio || this.#player.isPlaying) this.#sendAudio();
    this.#announcer.tick();
    this.#ticks++;
    if (this.#ticks % activityEveryTicks === 0 && this.#peers.isConnected) this.#handleActivity();
    this.#pictures.tick(isPictureDue, isLate);
  }

  #sendAudio(): void {
    this.#player.fill(this.#samples);
    this.#audio.onData({
      samples: this.#samples,
      sampleRate: sampleRateHz,
      bitsPerSample: 16,
      channelCount: 1,
      numberOfFrames: samplesPerTick,
    });
    this.#sentTicks++;
  }

  #setPause(pause: Pause): void {
    const isVideoBack = this.#pause.video && !pause.video;
    this.#pause = pause;
    this.#player.hold(pause.speech || pause.audio);
    // It is a key frame if the receiver has asked for one meanwhile, as browsers do after 3 s without pictures.
    if (isVideoBack && this.#peers.isConnected) this.#pictures.begin();
  }

  #handleSpeech(message: string, speech: PlayableSpeech): void {
    const isDrawnThere = !this.#face || !this.#peers.hasVideo;
    const timeline = this.#announcer.announce(message, speech, isDrawnThere);
    this.#face?.speak(timeline, this.#nowMs + voiceLagMs);
  }

  /** A recording became text; null if it did not. The answer follows from the client, unless it has none. */
  #handleRecording(text: string | null): void {
    if (text === null || text.trim() === "") this.#face?.setActivity("idle");
    else this.#face?.hearWords(this.#nowMs, text);
  }

  /** Reports speech that is not spoken. The `stf` without length releases a client that waits for its text to begin. */
  #refuseSpeech(message: string, code: SpeechFaultCode, detail: string): void {
    this.#send({ type: "stf-error", data: { message, code, detail } });
    this.#send({ type: "stf", data: { message, duration: 0 } });
  }

  #handleConnected(): void {
    // Earlier pictures did not arrive, and the next one would be sent 20 ms later on average.
    this.#pictures.begin();
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

  /** An exception in one of the session's handlers: it ends this session; the other sessions continue. */
  #fail(error: unknown): void {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#warn(`The session ended because of an unexpected error: ${detail}`);
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
        this.#face?.prepareToSpeak(this.#nowMs);
        this.#player.say(message.data.message);
        break;
      case "stf":
        this.#face?.prepareToSpeak(this.#nowMs);
        this.#uploads.play(message.data);
        break;
      case "record-start":
        this.#face?.setActivity("listening");
        this.#recorder.start(message.data);
        break;
      case "record-end-stt":
      case "record-end-translate":
        this.#face?.setActivity("thinking", this.#nowMs + thinkingMs);
        this.#recorder.end(message);
        break;
      case "clear-buffer":
        this.#face?.stopSpeaking(this.#nowMs);
        this.#announcer.clear();
        this.#player.clear();
        break;
      case "change-size":
        this.#face?.resize(message.data);
        break;
      case "set-template":
        this.#look.want(message.data);
        break;
      case "activity":
        this.#face?.setActivity(message.data.activity);
        break;
      case "pause":
        this.#setPause(message.data);
        break;
      case "motion":
        this.#face?.setReducedMotion(message.data.reduced);
        break;
      case "voice":
        this.#player.rate = message.data.rate;
        break;
      case "expression":
        this.#face?.express(message.data, this.#nowMs);
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
