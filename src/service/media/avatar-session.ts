import type { ServerMessage } from "../../protocol/data-channel.ts";
import { AvatarPicture } from "./avatar-picture.ts";
import type { CharacterPictures } from "./character-pictures.ts";
import { ClientMessageReader } from "./client-message.ts";
import { KeptBehaviour } from "./kept-behaviour.ts";
import { tickMs, type MediaClock } from "./media-clock.ts";
import type { PeerRequest } from "./media-engine.ts";
import type { MediaProcessSettings, MessageFromProcess, PeerEnd } from "./media-ipc.ts";
import type { PlaceOrder } from "./order-book.ts";
import { pictureSizeFor } from "./picture-size.ts";
import { prepareCharacter } from "./prepare-character.ts";
import { sessionGuard } from "./session-guard.ts";
import { SessionPeers } from "./session-peers.ts";
import { SessionRecorder } from "./session-recorder.ts";
import { SpeechPlayer } from "./speech-player.ts";
import { TemplateSwitch } from "./template-switch.ts";
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
  sessionId: string;
  characterFile: string;
  settings: MediaProcessSettings;
  clock: MediaClock;
  pictures: CharacterPictures;
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
  readonly #behaviour: KeptBehaviour;
  #picture: AvatarPicture;
  #pictureSize: number;
  readonly #template: TemplateSwitch;
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
    const { sessionId, characterFile, pictures, settings } = options;
    this.#options = options;
    this.#behaviour = new KeptBehaviour(pictures.character(characterFile), seedOf(sessionId));
    this.#pictureSize = settings.pictureSize;
    this.#picture = new AvatarPicture(pictures, characterFile, settings.pictureSize);
    this.#player = new SpeechPlayer({
      request: (text) => options.order(sessionId, "synthesize", text),
      guard: this.#guard,
      onStart: (message, { pcm, sampleRateHz: rateHz, words, visemes }) => {
        this.#behaviour.speak({ visemes, words }, this.#nowMs + voiceLagMs);
        this.#send({ type: "stf", data: { message, duration: (pcm.length * 1_000) / rateHz, words } });
      },
      onFault: (message, code, detail) => this.#send({ type: "stf-error", data: { message, code, detail } }),
    });
    this.#template = this.#newTemplateSwitch();
    this.#uploads = this.#newUploads();
    this.#recorder = this.#newRecorder();
    this.#reader = new ClientMessageReader((message) =>
      options.report({ type: "warning", sessionId, message }),
    );
    this.#peers = this.#newPeers();
    this.#stopListening = options.clock.listen(
      this.#guard((tick: number, isLate: boolean) =>
        this.#handleTick(tick % ticksPerPicture === phase, isLate),
      ),
    );
  }

  /** Answers an offer: by the present peer if it comes from the same client connection, else by a new one. */
  exchange({ offerSdp }: PeerRequest): Promise<string> {
    return this.#peers.exchange(offerSdp);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopListening();
    // One part that fails must not keep the others from their end.
    for (const end of [
      () => this.#player.clear(),
      () => this.#template.close(),
      () => this.#uploads.clear(),
      () => this.#recorder.close(),
      () => this.#peers.close(),
      () => this.#picture.release(),
    ])
      this.#guard(end)();
  }

  #newTemplateSwitch(): TemplateSwitch {
    const { sessionId, pictures, clock, order, report } = this.#options;
    return new TemplateSwitch({
      find: (wanted) => order(sessionId, "characterFile", wanted),
      prepare: (file) => prepareCharacter(pictures, clock, file, this.#pictureSize),
      onReady: (file) => this.#takeCharacter(file),
      onUnknown: () => this.#reader.ignore("set-template"),
      onFault: (error) => report({ type: "warning", sessionId, message: String(error) }),
    });
  }

  #newUploads(): UploadedSpeech {
    const { sessionId, order } = this.#options;
    return new UploadedSpeech(this.#player, {
      lipSync: (upload) => order(sessionId, "lipSync", upload),
      onFault: (detail) =>
        this.#send({ type: "stf-error", data: { message: "", code: "invalid_audio", detail } }),
    });
  }

  #newRecorder(): SessionRecorder {
    const { sessionId, order } = this.#options;
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
      video: this.#video,
      onConnected: () => this.#handleConnected(),
      onMessage: (data) => this.#handleMessage(data),
      files: this.#uploads,
      onMicrophone: (track) => this.#recorder.useMicrophone(track),
      onEnded: (cause) => this.#handleEnded(cause),
    });
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

  #showPicture(): void {
    this.#hasPicture = true;
    this.#video.onFrame(this.#picture.draw(this.#behaviour.step(this.#nowMs)));
  }

  #takeCharacter(characterFile: string): void {
    const { pictures } = this.#options;
    const picture = new AvatarPicture(pictures, characterFile, this.#pictureSize);
    this.#behaviour.changeCharacter(pictures.character(characterFile));
    this.#picture.release();
    this.#picture = picture;
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

  #handleEnded(cause: PeerEnd): void {
    this.close();
    this.#options.onEnded(cause);
  }

  /** A fault in one of the session's handlers: this session is over, the others do not notice. */
  #fail(error: unknown): void {
    const { sessionId, report } = this.#options;
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    report({ type: "warning", sessionId, message: `The session ends by an unexpected error: ${detail}` });
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
        this.#behaviour.stopSpeaking(this.#nowMs);
        this.#player.clear();
        break;
      case "change-size":
        this.#pictureSize = pictureSizeFor(message.data.height);
        this.#picture.resize(message.data);
        break;
      case "set-template":
        this.#template.want(message.data);
        break;
      case "activity":
        this.#behaviour.setActivity(message.data.activity);
        break;
      case "motion":
        this.#behaviour.setReducedMotion(message.data.reduced);
        break;
    }
  }

  #send(message: ServerMessage): void {
    this.#peers.send(message);
  }
}

/** Two avatars on one page are not to blink together. */
function seedOf(sessionId: string): number {
  return [...Buffer.from(sessionId)].reduce((seed, byte) => (Math.imul(seed, 31) + byte) | 0, 7);
}
