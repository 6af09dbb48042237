/** How long before the end the visitor is asked, in ms. At most half of the idle time. */
const countdownMs = 20_000;
/** When the avatar has been out of sight for this long, in ms, its sound is paused too. */
const silentAfterMs = 60_000;

/** No timer is longer, in ms: browsers fire timers of more than 24 days immediately. */
const longestTimerMs = 3_600_000;

/** What the service pauses: pictures; speech after the sentence being spoken; all sound. */
export interface Pause {
  readonly video: boolean;
  readonly speech: boolean;
  readonly audio: boolean;
}

const watched: Pause = { video: false, speech: false, audio: false };
const unseen: Pause = { video: true, speech: true, audio: false };
const silent: Pause = { video: true, speech: true, audio: true };

/** What presence needs from its session. */
export interface PresenceHost {
  /** Whether the avatar thinks or speaks. */
  readonly busy: boolean;
  pause(pause: Pause): void;
  /** The seconds until the session ends because nobody is there; null when the visitor need not be asked any more. */
  tell(leftSec: number | null): void;
  /** The idle time is over without a sign of the visitor. */
  end(): void;
}

/**
 * Whether somebody is there. Nobody looks at an avatar that is out of sight: its video is paused at once, its voice after the
 * sentence, all of its sound after a minute. A session in which a visitor does nothing for the idle time ends, after the visitor
 * was asked. An avatar that thinks or speaks in sight counts as a visitor who listens.
 */
export class Presence {
  readonly #host: PresenceHost;
  readonly #idleMs: number;
  #signAtMs = performance.now();
  /** Since when the avatar is out of sight; null while it is in sight. */
  #unseenSinceMs: number | null = null;
  #pause = watched;
  #leftSec: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `idleMs`: the idle time; 0 for none. */
  constructor(host: PresenceHost, idleMs: number) {
    this.#host = host;
    this.#idleMs = idleMs;
    this.look();
  }

  /** Whether video is sent. */
  get isWatched(): boolean {
    return !this.#pause.video;
  }

  /** The visitor has done something. */
  handleSign(): void {
    this.#signAtMs = performance.now();
    this.look();
  }

  /** The avatar has come into sight, or gone out of it. */
  handleView(inView: boolean): void {
    if (inView === (this.#unseenSinceMs === null)) return;
    this.#unseenSinceMs = inView ? null : performance.now();
    // A session that was over while the page slept is not taken up again.
    if (this.look()) this.handleSign();
  }

  /** Compares the times, and waits for the next change. False when the session is over. */
  look(): boolean {
    clearTimeout(this.#timer);
    const nowMs = performance.now();
    const inView = this.#unseenSinceMs === null;
    if (inView && this.#host.busy) this.#signAtMs = nowMs;
    const leftMs = this.#idleMs ? this.#signAtMs + this.#idleMs - nowMs : Infinity;
    if (leftMs <= 0) {
      this.#host.end();
      return false;
    }
    const asksMs = Math.min(countdownMs, this.#idleMs / 2);
    const isAsked = inView && leftMs <= asksMs;
    this.#tell(isAsked ? Math.ceil(leftMs / 1_000) : null);
    const silentInMs = inView ? Infinity : (this.#unseenSinceMs ?? 0) + silentAfterMs - nowMs;
    this.#setPause(inView ? watched : silentInMs > 0 ? unseen : silent);
    const untilAskedMs = isAsked ? leftMs % 1_000 || 1_000 : leftMs - asksMs;
    this.#wait(Math.min(inView ? untilAskedMs : leftMs, silentInMs > 0 ? silentInMs : Infinity));
    return true;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(ms: number): void {
    if (ms < Infinity) this.#timer = setTimeout(() => this.look(), Math.min(ms, longestTimerMs));
  }

  #tell(leftSec: number | null): void {
    if (leftSec === this.#leftSec) return;
    this.#leftSec = leftSec;
    this.#host.tell(leftSec);
  }

  #setPause(pause: Pause): void {
    if (pause === this.#pause) return;
    this.#pause = pause;
    this.#host.pause(pause);
  }
}
