import type { ReactiveController } from "lit";
import type { AvatarSession, RecognizerKind, VisitorVoice, VoiceStatus } from "../../client/index.ts";
import type { PanelHost } from "../panel/panel-host.ts";
import type { VisitorSettings } from "../settings/kept-settings.ts";
import type { VoiceMode } from "./voice-mode.ts";
import { unusedVoice } from "./unused-voice.ts";

/** A press shorter than this keeps on talking until the next press. In ms. */
const holdMs = 350;

/** The button of push-to-talk. `pressed`: since a time, and talking; `on`: talking without being held; `ending`: pressed again. */
export type Press =
  | { readonly kind: "idle" }
  | { readonly kind: "pressed"; readonly sinceMs: number }
  | { readonly kind: "on" }
  | { readonly kind: "ending" };

/** What happens to the turn. `toggle`: it was no turn; hands-free is turned on or off. */
type TurnCommand = "begin" | "send" | "cancel" | "toggle" | null;

/** What happens to the button: a press that was moved away from it (`away`) is taken back. `tap`: without a pointer or a key. */
export type Touch = "down" | "up" | "away" | "tap";

export const notPressed: Press = { kind: "idle" };

/**
 * The button after a touch, and what that does. Pure. `handsFree`: a short press does not talk until the next press, but turns
 * hands-free on or off.
 */
export function afterTouch(
  press: Press,
  touch: Touch,
  nowMs: number,
  handsFree = false,
): [press: Press, command: TurnCommand] {
  if (touch === "tap" && handsFree) return [notPressed, "toggle"];
  if (touch === "tap") return press.kind === "idle" ? [{ kind: "on" }, "begin"] : [notPressed, "send"];
  if (touch === "down") {
    if (press.kind === "idle") return [{ kind: "pressed", sinceMs: nowMs }, "begin"];
    return [press.kind === "on" ? { kind: "ending" } : press, null];
  }
  if (press.kind === "ending") return [notPressed, touch === "away" ? "cancel" : "send"];
  if (press.kind !== "pressed") return [press, null];
  if (touch === "away") return [notPressed, "cancel"];
  if (nowMs - press.sinceMs >= holdMs) return [notPressed, "send"];
  return handsFree ? [notPressed, "toggle"] : [{ kind: "on" }, null];
}

/** How far a finger may move from the button before the turn is taken back, in px. */
const awayPx = 56;
/** How often the turn's time is drawn again, in ms. */
const secondMs = 1_000;

/** Push-to-talk by pointer and key, and the level of the microphone in the panel's style. */
export class TalkController implements ReactiveController {
  #press: Press = notPressed;
  #voice: VisitorVoice | null = null;
  #session: AvatarSession | null = null;
  #status = unusedVoice;
  #mode: VoiceMode = "push-to-talk";
  #recognizer: RecognizerKind = "service";
  /** The visitor knows that the browser's maker gets the sound of their voice. */
  #agreed = false;
  /** The visitor wants to talk, and is told that first. */
  asks = false;
  /** The present press of the pointer only switches. */
  #switches = false;
  /** The devices that the session was told last. */
  #devices = " ";
  #beganAtMs = 0;
  #frame = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  readonly #host: PanelHost;

  constructor(host: PanelHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Takes the session whose voice this is, and the present status. */
  update(
    session: AvatarSession | null,
    status: VoiceStatus,
    { mode, recognizer }: { mode: VoiceMode; recognizer: RecognizerKind },
  ): void {
    this.#mode = mode;
    this.#recognizer = recognizer;
    if (session !== this.#session) {
      this.#session = session;
      this.#voice = null;
      this.#devices = " ";
      this.#press = notPressed;
    }
    const before = this.#status;
    this.#status = status;
    if (status.turn === "button" && before.turn !== "button") this.#beganAtMs = performance.now();
    // The turn has ended by itself: the session is over, or the microphone gone.
    if (status.turn !== "button" && before.turn === "button") this.#press = notPressed;
    if (this.#isHearing && !this.#frame)
      void this.#load().then(
        () => this.#showLevel(),
        () => undefined,
      );
    if (this.#isHearing) this.#timer ??= setInterval(() => this.#host.requestUpdate(), secondMs);
    else this.#stopClock();
  }

  /** Takes the devices that the visitor has chosen. */
  choose({ microphone = "", speaker = "" }: VisitorSettings): void {
    const chosen = `${microphone} ${speaker}`;
    if (chosen === this.#devices) return;
    this.#devices = chosen;
    void this.#load()
      .then((voice) => voice.choose({ microphone, speaker }))
      .catch(() => undefined);
  }

  get #isHearing(): boolean {
    const { state, turn, handsFree } = this.#status;
    return state === "on" && (turn === "button" || turn === "voice" || handsFree);
  }

  /** The button has no turn to hold: it turns hands-free on or off. */
  get #isSwitch(): boolean {
    return this.#mode === "hands-free" || this.#status.handsFree;
  }

  /** Whether the visitor talks without holding the button. */
  get isLatched(): boolean {
    return this.#press.kind === "on" || this.#press.kind === "ending";
  }

  /** How long the present turn lasts, in whole seconds. */
  get seconds(): number {
    return Math.floor((performance.now() - this.#beganAtMs) / secondMs);
  }

  hostDisconnected(): void {
    this.#stopClock();
  }

  /** The visitor comes near the button: what it needs is loaded. */
  readonly prepare = (): void => {
    void this.#load().catch(() => undefined);
  };

  readonly handlePointerDown = (event: PointerEvent): void => {
    const button = event.currentTarget;
    if (event.button !== 0 || !(button instanceof HTMLElement)) return;
    this.#switches = this.#isSwitch;
    if (this.#switches) return;
    // If the visitor has to be told something first, the rest of this press is ignored.
    if (!this.#mayTalk()) return;
    button.setPointerCapture(event.pointerId);
    this.#touch("down");
  };

  readonly handlePointerUp = (event: PointerEvent): void => {
    const button = event.currentTarget;
    if (!(button instanceof HTMLElement)) return;
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    const isAway = x < left - awayPx || x > right + awayPx || y < top - awayPx || y > bottom + awayPx;
    this.#touch(isAway ? "away" : "up");
  };

  readonly handlePointerCancel = (): void => {
    this.#touch("away");
  };

  /** A click that no pointer made: assistive technology, or Enter. */
  readonly handleClick = (event: MouseEvent): void => {
    const isOwn = event.detail === 0;
    const { handsFree } = this.#status;
    if ((isOwn || this.#switches) && (handsFree || this.#mayTalk())) this.#tap();
    this.#switches = false;
  };

  /** The visitor wants to talk, by another button than the microphone's. */
  readonly start = (): void => {
    if (this.#mayTalk()) this.#tap();
  };

  /** The visitor has read who gets the sound of their voice, and talks. */
  readonly agree = (): void => {
    this.#agreed = true;
    this.asks = false;
    this.#tap();
  };

  /** The visitor has read it, and would rather write. */
  readonly decline = (): void => {
    this.asks = false;
    this.#host.requestUpdate();
  };

  #tap(): void {
    if (this.#isSwitch) void this.#switchHandsFree();
    else this.#touch("tap");
  }

  /** Whether the visitor can talk at once, or has to be told first where the sound goes. */
  #mayTalk(): boolean {
    if (this.#recognizer !== "cloud" || this.#agreed) return true;
    this.asks = true;
    this.#host.requestUpdate();
    return false;
  }

  /** The space bar talks while it is held. Returns whether the key was used. */
  handleKey(event: KeyboardEvent): boolean {
    if (this.#mode === "hands-free") return false;
    if (event.key !== " " || event.ctrlKey || event.altKey || event.metaKey || event.isComposing)
      return false;
    const target = event.composedPath()[0];
    // On another control the space bar does what it does everywhere.
    const other = "textarea, input, select, a, summary, [contenteditable], button:not([data-talk])";
    if (target instanceof Element && target.closest(other)) return false;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat || !this.#mayTalk()) return true;
    this.#touch("down");
    const release = (up: KeyboardEvent): void => {
      if (up.key !== " ") return;
      up.preventDefault();
      removeEventListener("keyup", release, true);
      this.#touch("up");
    };
    addEventListener("keyup", release, true);
    return true;
  }

  readonly unmute = (): void => {
    this.#session?.unmute();
  };

  #touch(touch: Touch): void {
    const [press, command] = afterTouch(this.#press, touch, performance.now(), this.#mode === "both");
    this.#press = press;
    if (command === "begin") void this.#begin();
    else if (command === "toggle") {
      this.#voice?.endTurn("cancel");
      void this.#switchHandsFree();
    } else if (command) this.#voice?.endTurn(command);
    this.#host.requestUpdate();
  }

  async #begin(): Promise<void> {
    try {
      const voice = this.#voice ?? (await this.#load());
      // The visitor may have let go before the module was there.
      if (this.#press.kind !== "idle") await voice.beginTurn();
    } catch {
      this.#press = notPressed;
    }
    this.#host.requestUpdate();
  }

  async #switchHandsFree(): Promise<void> {
    const on = !this.#status.handsFree;
    const voice = await this.#load().catch(() => null);
    await voice?.setHandsFree(on);
  }

  async #load(): Promise<VisitorVoice> {
    const session = this.#session;
    const voice = await session?.voice();
    if (!voice || session !== this.#session) throw new Error("The session has changed.");
    return (this.#voice = voice);
  }

  /** Shows the level as a style property: nothing is drawn again for it. */
  #showLevel(): void {
    const root = this.#host.renderRoot;
    const level = this.#isHearing ? (this.#voice?.level ?? 0) : 0;
    if (root instanceof HTMLElement) root.style.setProperty("--visavis-level", level.toFixed(2));
    const goesOn = this.#isHearing && this.#host.isConnected;
    this.#frame = goesOn ? requestAnimationFrame(() => this.#showLevel()) : 0;
  }

  #stopClock(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
