import type { AvatarConnection } from "../../../client/avatar-connection.ts";
import type { AvatarSession } from "../../../client/index.ts";
import { switchVideo } from "../../../client/video-switch.ts";
import {
  createPuppetBehaviour,
  parseCharacter,
  type Behaviour,
  type Character,
} from "../../../puppet/index.ts";
import type { Size, Stage } from "../../../stage/index.ts";
import { DrawingCost } from "./drawing-cost.ts";
import { followReceived, followSent } from "./face-messages.ts";
import { LocalRenderer } from "./local-renderer.ts";
import { SoundDelay } from "./sound-delay.ts";

/** While the avatar does not speak, it is drawn 30 times a second. */
const idleGapMs = 1_000 / 30;
/** A screen's frames do not come evenly. */
const earlyMs = 4;
/** How long the mouth moves after the last message of a speech, at most. */
const speechTailMs = 1_000;
/** How long the video's first frame is waited for before the picture is handed over without one. */
const videoWithinMs = 5_000;
const videoLookMs = 20;
/** How often the video is switched off again, when the connection is busy. */
const switchAgainMs = 1_000;

/** The stage takes the size of a square picture with its matte below it. */
const frameSize: Size = { width: 512, height: 1_024 };

interface LocalOptions {
  /** It is drawn here whatever a frame costs, unless it freezes the page. */
  readonly mayBeSlow: boolean;
  readonly isReduced: boolean;
  /** The height of the avatar's frame, in CSS pixels. */
  readonly framePx: number;
  handleTooSlow(): void;
}

/** The avatar of one session, drawn in the browser. */
export class LocalAvatar {
  readonly #stage: Stage;
  readonly #character: Character;
  readonly #options: LocalOptions;
  readonly #cost: DrawingCost;
  readonly #face: Behaviour;
  readonly #stops: (() => void)[] = [];
  #renderer: LocalRenderer | null = null;
  #sound: SoundDelay | null = null;
  #session: AvatarSession | null = null;
  #frame = 0;
  #drawnAtMs = -Infinity;
  #speaksUntilMs = -Infinity;
  #inView = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  /** Loads a character. Rejects when it cannot be loaded or, unless it may be slow, when drawing it here costs too much. */
  static async load(url: string, stage: Stage, options: LocalOptions): Promise<LocalAvatar> {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`The character could not be loaded: ${response.status}`);
    const local = new LocalAvatar(parseCharacter(await response.json()), stage, options);
    if (!options.mayBeSlow && local.#isSlow()) throw new Error("This browser draws too slowly.");
    return local;
  }

  private constructor(character: Character, stage: Stage, options: LocalOptions) {
    this.#character = character;
    this.#stage = stage;
    this.#options = options;
    this.#cost = new DrawingCost(options.mayBeSlow);
    this.#face = createPuppetBehaviour(character, {
      seed: Math.trunc(Math.random() * 2 ** 31),
      reducedMotion: options.isReduced,
    });
  }

  /** Draws the session's avatar from its next silence on; `handleDrawn` is called then. */
  drive(session: AvatarSession, handleDrawn: () => void): void {
    const { connection } = session;
    if (!connection) return;
    this.#session = session;
    this.#stops.push(
      connection.events.on("sent", (message) => followSent(this.#face, message, this.#now())),
      connection.events.on("message", (message) => {
        const atMs = performance.now();
        const loudness = followReceived(this.#face, message, atMs);
        if (!loudness || message.type !== "stf") return;
        this.#speaksUntilMs = atMs + message.data.duration + speechTailMs;
        this.#sound?.announce(atMs, message.data.duration, loudness);
      }),
      connection.events.on("channelopen", () => {
        this.#sound?.listen();
      }),
    );
    void this.#takeOver(connection, handleDrawn);
  }

  /** The service draws again. The picture stays until the video's first frame is there. */
  handOver(): void {
    this.#isStopped = true;
    void this.#showVideo().finally(() => this.stop());
  }

  /** Draws nothing any more. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    for (const stop of this.#stops.splice(0)) stop();
    this.#sound?.close();
    if (this.#renderer) this.#stage.use(null);
    this.#renderer = null;
  }

  /** Waits for a silence: a speech whose timeline is not known would have a still mouth. */
  async #takeOver(connection: AvatarConnection, handleDrawn: () => void): Promise<void> {
    if (this.#isStopped) return;
    const isSilent = this.#session?.activity !== "speaking" && performance.now() > this.#speaksUntilMs;
    if (isSilent) {
      try {
        this.#renderer ??= this.#newRenderer();
        await switchVideo(connection, false);
        if (!this.#hasStopped()) {
          this.#begin(connection);
          handleDrawn();
        }
        return;
      } catch {
        // The connection is busy, perhaps with its recovery.
      }
    }
    this.#timer = setTimeout(
      () => void this.#takeOver(connection, handleDrawn),
      isSilent ? switchAgainMs : idleGapMs,
    );
  }

  /** Read anew after waiting. */
  #hasStopped(): boolean {
    return this.#isStopped;
  }

  #begin(connection: AvatarConnection): void {
    const renderer = this.#renderer;
    if (!renderer) return;
    this.#sound = new SoundDelay(connection);
    this.#stage.use(renderer, frameSize);
    const views = new IntersectionObserver((entries) => {
      this.#inView = entries.at(-1)?.isIntersecting ?? true;
    });
    views.observe(renderer.element);
    this.#stops.push(() => views.disconnect());
    this.#frame = requestAnimationFrame((ms) => this.#step(ms));
  }

  /** Browsers call this only while the page is visible. */
  #step(frameMs: number): void {
    this.#frame = requestAnimationFrame((ms) => this.#step(ms));
    const isSpeaking = frameMs < this.#speaksUntilMs;
    if (!this.#inView || (!isSpeaking && frameMs - this.#drawnAtMs < idleGapMs - earlyMs)) return;
    const startMs = performance.now();
    this.#renderer?.show(this.#face.step(this.#sound?.step(frameMs) ?? frameMs));
    this.#drawnAtMs = frameMs;
    if (this.#cost.add(performance.now() - startMs, frameMs)) this.#options.handleTooSlow();
  }

  #now(): number {
    return performance.now();
  }

  #newRenderer(): LocalRenderer {
    return new LocalRenderer(this.#character, this.#stage.avatarRect().height * this.#options.framePx);
  }

  /** Measures some frames of a moving head, before anything is shown. */
  #isSlow(): boolean {
    this.#renderer = this.#newRenderer();
    return DrawingCost.isTooMuch((turn) => this.#renderer?.show({ headTurn: turn }));
  }

  async #showVideo(): Promise<void> {
    const { connection, mediaElement } = this.#session ?? {};
    if (!connection || !this.#sound) return;
    const untilMs = performance.now() + videoWithinMs;
    const decoded = (): number => mediaElement?.getVideoPlaybackQuality().totalVideoFrames ?? 0;
    const before = decoded();
    while (performance.now() < untilMs && !connection.signal.aborted)
      try {
        await switchVideo(connection, true);
        break;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, switchAgainMs));
      }
    while (performance.now() < untilMs && decoded() <= before)
      await new Promise((resolve) => setTimeout(resolve, videoLookMs));
  }
}
