import { TypedEvents } from "../typed-events.ts";

export interface MediaPlayerEvents {
  /** The first data of the tracks can be played. */
  ready: undefined;
  /** Whether the browser blocks sound until a user gesture. */
  blocked: boolean;
}

/** The element that plays the avatar's video and sound. Owns the element; the tracks belong to the link. */
export class MediaPlayer {
  readonly events = new TypedEvents<MediaPlayerEvents>();
  readonly element = document.createElement("video");
  #blocked = false;

  /** Call it in the gesture that starts the session: some browsers allow the element sound only then. */
  constructor(volume: number) {
    this.element.autoplay = true;
    this.element.playsInline = true;
    this.element.disablePictureInPicture = true;
    this.element.disableRemotePlayback = true;
    this.element.volume = volume;
    this.element.onloadeddata = () => this.events.emit("ready", undefined);
    // Without a source nothing plays and the next load rejects this. Browsers only need the call itself.
    this.element.play().catch(() => undefined);
  }

  /** Plays the tracks of a stream from now on; null: none, because sentences are played one by one. */
  attach(stream: MediaStream | null): void {
    this.element.srcObject = stream;
    void this.play();
  }

  /** Unmutes after a block. Call it in a user gesture. */
  async resume(): Promise<void> {
    this.element.muted = false;
    await this.play();
  }

  release(): void {
    this.events.clear();
    this.element.onloadeddata = null;
    this.element.pause();
    this.element.srcObject = null;
  }

  /** Plays what the element has: without sound where the browser allows only that. */
  async play(): Promise<void> {
    try {
      await this.element.play();
      this.#setBlocked(this.element.muted);
    } catch (error) {
      // Mute only if the browser refused to play. A newer load (AbortError) plays by itself.
      if (!(error instanceof Error) || error.name !== "NotAllowedError" || this.element.muted) return;
      this.element.muted = true;
      this.#setBlocked(true);
      this.element.play().catch(() => undefined);
    }
  }

  #setBlocked(blocked: boolean): void {
    if (blocked === this.#blocked) return;
    this.#blocked = blocked;
    this.events.emit("blocked", blocked);
  }
}
