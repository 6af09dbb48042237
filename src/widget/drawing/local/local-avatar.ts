import type { ClientMessage, ServerMessage } from "../../../protocol/session/data-channel.ts";
import { drawnSpeechSchema } from "../../../protocol/speech/drawn-speech.ts";
import { type Behaviour, createPuppetBehaviour, type PuppetParams } from "../../../puppet/index.ts";
import type { HttpLink } from "../../../client/http-voice/http-link.ts";
import { VoiceClock } from "./voice-clock.ts";
import type { AvatarConnection } from "../../../client/link/avatar-connection.ts";
import type { Size, Stage } from "../../../stage/index.ts";
import { hasVideo } from "../has-video.ts";
import type { MessageLog, PassedMessage } from "../message-log.ts";
import { DrawingCost, LocalRenderer } from "./local-renderer.ts";
import { HeardClock, usualDelayMs } from "./heard-clock.ts";
import type { Look } from "./look.ts";
import type { AnnouncedSpeech } from "./sound-delay.ts";

/** How long the avatar looks as if it were thinking after a recording, unless the client says what it does. */
const thinkingMs = 12_000;

/** The face follows what the client sends, as the service's own face does. */
export function followSent(face: Behaviour, message: ClientMessage, nowMs: number): void {
  switch (message.type) {
    case "ttstf":
    case "stf":
      face.prepareToSpeak(nowMs);
      break;
    case "clear-buffer":
      face.stopSpeaking(nowMs);
      break;
    case "record-start":
      face.setActivity("listening");
      break;
    case "record-end-stt":
    case "record-end-translate":
      face.setActivity("thinking", nowMs + thinkingMs);
      break;
    case "activity":
      face.setActivity(message.data.activity);
      break;
    case "motion":
      face.setReducedMotion(message.data.reduced);
      break;
    case "expression":
      if (message.data.mood) face.setMood(message.data.mood, nowMs);
      if (message.data.expression) face.express(message.data.expression, nowMs);
      break;
  }
}

/**
 * The face follows what the service hears and says. Returns the loudness of a speech that begins; null if the notice does not say what to
 * draw: then the face does not speak yet.
 */
export function followReceived(
  face: Behaviour,
  message: ServerMessage,
  nowMs: number,
): readonly number[] | null | undefined {
  if (message.type === "stt") {
    if (message.data.text.trim()) face.hearWords(nowMs, message.data.text);
    else face.setActivity("idle");
  }
  if (message.type !== "stf" || message.data.duration === 0) return undefined;
  const { words = [], visemes, loudness, accents } = drawnSpeechSchema.safeParse(message.data).data ?? {};
  if (!visemes?.length) return null;
  face.speak({ words, visemes, accents, loudness }, nowMs);
  return loudness ?? [];
}

/** Keeps the face's clock in time with sentences that are played one by one: the player knows where it is. */
class SentenceClock {
  readonly #clock = new VoiceClock();
  readonly #link: HttpLink;

  constructor(link: HttpLink) {
    this.#link = link;
  }

  /** The face's time now. */
  step(pageMs: number): number {
    this.#clock.delayMs = this.#link.lagMs;
    return this.#clock.at(pageMs);
  }

  /** The player needs no notice. */
  announce(): void {
    return;
  }

  /** The player knows the mouth shapes of what it plays. */
  withMouth(pose: PuppetParams): PuppetParams {
    return pose;
  }

  close(): void {
    return;
  }
}

/** While the avatar does not speak, it is drawn 30 times a second. */
const idleGapMs = 1_000 / 30;
/** A screen's frames do not come evenly. */
const earlyMs = 4;
/** How long the mouth moves after the last message of a speech, at most. */
const speechTailMs = 1_000;
/** A visitor who is so loud speaks. It only decides when a listening avatar nods. */
const voiceLevel = 0.3;
/** How often the video is switched off again, when the connection is busy. */
const switchAgainMs = 1_000;

/** The stage takes the size of a square picture with its matte below it. */
const frameSize: Size = { width: 512, height: 1_024 };

/** How an avatar is drawn. */
export interface LocalOptions {
  /** It is drawn here whatever a frame costs, unless it freezes the page. */
  mayBeSlow(): boolean | undefined;
  /** Nobody else can draw it: where a frame costs much, fewer are drawn. */
  isOnlyWay(): boolean;
  readonly isReduced: boolean;
  /** The height of the avatar's frame, in CSS pixels. */
  readonly framePx: number;
  /** Whether the avatar speaks, as far as the session knows. */
  isSpeaking(): boolean;
  /** How loud the visitor is, 0 to 1; null while no microphone is on. */
  visitorLevel(): number | null;
  handleTooSlow(): void;
}

/** The avatar of one connection, drawn in the browser. */
export class LocalAvatar {
  readonly #stage: Stage;
  #look: Look;
  /** Its face at rest, while nobody has seen it. */
  #painted: LocalRenderer | null;
  readonly #options: LocalOptions;
  readonly #cost = new DrawingCost();
  readonly #face: Behaviour;
  readonly #stops: (() => void)[] = [];
  readonly #views = new IntersectionObserver((entries) => {
    this.#inView = entries.at(-1)?.isIntersecting ?? true;
  });
  #renderer: LocalRenderer | null = null;
  #sound: HeardClock | SentenceClock | null = null;
  /** The last one that was announced. */
  #speech: AnnouncedSpeech | null = null;
  /** As it was drawn last. */
  #pose: PuppetParams | undefined;
  #frame = 0;
  /** How many the browser has shown since one was drawn. */
  #shown = 0;
  #drawnAtMs = -Infinity;
  /** The page has its turn until then. */
  #restsUntilMs = -Infinity;
  #speaksUntilMs = -Infinity;
  /** What begins now was stopped before its notice was here. */
  #isStopped = false;
  #inView = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** It does not take over any more. */
  #isHeld = false;

  /** `painted`: its face at rest, if that has been painted already. */
  constructor(look: Look, stage: Stage, options: LocalOptions, painted: LocalRenderer | null = null) {
    this.#look = look;
    this.#painted = painted;
    this.#stage = stage;
    this.#options = options;
    this.#face = createPuppetBehaviour(look.motion, {
      seed: Math.trunc(Math.random() * 2 ** 31),
      reducedMotion: options.isReduced,
    });
  }

  /** Shows the face at rest, before there is a connection. */
  appear(): void {
    this.#use(this.#painted ?? this.#newRenderer());
    this.#painted = null;
    this.#stops.push(() => this.#views.disconnect());
    this.#frame = requestAnimationFrame((ms) => this.#step(ms));
  }

  /**
   * Draws the connection's avatar: at once where it has no video, else from the next silence on. `handleDrawn` is called when the
   * first frame is drawn.
   */
  drive(connection: AvatarConnection, log: MessageLog, handleDrawn: () => void): void {
    log.follow((message) => this.#handleMessage(message));
    this.#stops.push(connection.events.on("channelopen", () => this.#followSound(connection)));
    if (!this.#renderer && hasVideo(connection)) void this.#takeOver(connection, handleDrawn);
    else this.#begin(connection, handleDrawn);
  }

  /** Takes no video away any more, but still draws until `stop()`. */
  hold(): void {
    this.#isHeld = true;
    clearTimeout(this.#timer);
  }

  /** Goes on with another look, even within a word. */
  changeLook(look: Look): void {
    this.#look = look;
    this.#dropPainted();
    this.#face.changeCharacter(look.motion);
    if (this.#renderer) this.#use(this.#newRenderer(this.#pose));
  }

  /** Draws nothing any more. The stage shows the video's frames again. */
  stop(): void {
    this.hold();
    cancelAnimationFrame(this.#frame);
    for (const stop of this.#stops.splice(0)) stop();
    this.#sound?.close();
    this.#dropPainted();
    if (this.#renderer) this.#stage.use(null);
    this.#sound = null;
    this.#renderer = null;
  }

  #handleMessage(message: PassedMessage): void {
    const { atMs } = message;
    if ("sent" in message) {
      const { type } = message.sent;
      if (type === "ttstf" || type === "stf") this.#isStopped = false;
      if (type === "clear-buffer") {
        // What was stopped is not taken up again.
        this.#isStopped = true;
        this.#sound?.announce((this.#speech = null));
      }
      followSent(this.#face, message.sent, atMs);
      return;
    }
    const { received } = message;
    const loudness = this.#follow(received, atMs);
    if (loudness === undefined || received.type !== "stf") return;
    this.#speech = { atMs, data: received.data, loudness };
    this.#sound?.announce(this.#speech);
  }

  /** As `followReceived`. */
  #follow(message: ServerMessage, atMs: number): readonly number[] | null | undefined {
    if (message.type === "stf") {
      if (this.#isStopped) return undefined;
      this.#speaksUntilMs = atMs + message.data.duration + speechTailMs;
    }
    return followReceived(this.#face, message, atMs);
  }

  /** Waits for a silence: a speech whose timeline is not known would have a still mouth. */
  async #takeOver(connection: AvatarConnection, handleDrawn: () => void): Promise<void> {
    const isSilent = !this.#options.isSpeaking() && performance.now() > this.#speaksUntilMs;
    if (isSilent)
      try {
        const { switchVideo } = await import("../../../client/link/video-switch.ts");
        await switchVideo(connection, false);
        if (!this.#hasBeenHeld()) this.#begin(connection, handleDrawn);
        return;
      } catch {
        // The connection is busy, perhaps with its recovery, or the page is offline.
      }
    if (this.#hasBeenHeld()) return;
    this.#timer = setTimeout(
      () => void this.#takeOver(connection, handleDrawn),
      isSilent ? switchAgainMs : idleGapMs,
    );
  }

  /** Read anew after waiting. */
  #hasBeenHeld(): boolean {
    return this.#isHeld;
  }

  #begin(connection: AvatarConnection, handleDrawn: () => void): void {
    this.#sound = this.#newSound(connection);
    if (this.#speech) this.#sound.announce(this.#speech);
    if (!this.#renderer) this.appear();
    handleDrawn();
  }

  /** It shows this pose; without one, the face at rest. */
  #newRenderer(pose?: PuppetParams): LocalRenderer {
    const { framePx } = this.#options;
    const renderer = new LocalRenderer(this.#look, this.#stage.avatarRect().height * framePx);
    if (pose) renderer.show(pose);
    return renderer;
  }

  #dropPainted(): void {
    this.#painted?.destroy();
    this.#painted = null;
  }

  #use(renderer: LocalRenderer): void {
    this.#renderer = renderer;
    this.#stage.use(renderer, frameSize);
    this.#views.disconnect();
    this.#views.observe(renderer.element);
  }

  /** Follows the connection's present sound, which recovery may have replaced. */
  #followSound(connection: AvatarConnection): void {
    if (this.#sound instanceof HeardClock && connection.link.peerConnection) this.#sound.listen();
    else if (this.#sound) {
      this.#sound.close();
      this.#sound = this.#newSound(connection);
    }
  }

  /** Where the sound of a connection is. */
  #newSound(connection: AvatarConnection): HeardClock | SentenceClock {
    const { link } = connection;
    if (link.peerConnection === null) return new SentenceClock(link);
    return new HeardClock(connection, (data, atMs) => this.#follow({ type: "stf", data }, atMs));
  }

  /** Browsers call this only while the page is visible. */
  #step(frameMs: number): void {
    this.#frame = requestAnimationFrame((ms) => this.#step(ms));
    this.#shown++;
    const isSpeaking = frameMs < this.#speaksUntilMs;
    if (frameMs < this.#restsUntilMs) return;
    if (!this.#inView || (!isSpeaking && frameMs - this.#drawnAtMs < idleGapMs - earlyMs)) return;
    const startMs = performance.now();
    const faceMs = this.#sound?.step(frameMs) ?? frameMs - usualDelayMs;
    const level = this.#options.visitorLevel();
    if (level !== null) this.#face.hearVoice(faceMs, level > voiceLevel);
    const pose = this.#face.step(faceMs);
    this.#pose = this.#sound?.withMouth(pose) ?? pose;
    this.#renderer?.show(this.#pose);
    this.#drawnAtMs = frameMs;
    const costMs = performance.now() - startMs;
    const options = this.#options;
    if (options.isOnlyWay()) this.#restsUntilMs = performance.now() + costMs - earlyMs;
    else if (this.#cost.add(costMs, frameMs, this.#shown, options.mayBeSlow())) {
      // It is a still picture from now on, until the video is there.
      cancelAnimationFrame(this.#frame);
      options.handleTooSlow();
    }
    this.#shown = 0;
  }
}
