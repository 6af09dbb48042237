import type { PublicContext } from "../../protocol/session/relay-api.ts";
import { turnSettingsOf } from "../../protocol/settings/turn-settings.ts";
import type {
  MicrophoneFault,
  RecognizerKind,
  SessionEvents,
  VisitorVoice,
  VoiceStatus,
} from "../session-events.ts";
import type { TypedEvents } from "../typed-events.ts";
import { VisavisError } from "../visavis-error.ts";
import { audioDevices, microphoneError, MicrophoneFailure, playOn, watchDevices } from "./microphone.ts";
import { type RecognizerHost, SessionRecognizer } from "./session-recognizer.ts";
import type { TurnRecognizer } from "./turn-recognizer.ts";
import { askEarly } from "./turns/ask-early.ts";
import { BargeIn, type BargeInHost } from "./turns/barge-in.ts";
import { ButtonTurn } from "./turns/button-turn.ts";
import { Endpointing, endpointingOf } from "./turns/endpointing.ts";
import { HandsFree } from "./turns/hands-free.ts";
import { joinWords } from "./turns/join-words.ts";
import { SilenceWatch } from "./turns/silence-watch.ts";
import { VoiceInput } from "./voice-input.ts";
import { VoiceState } from "./voice-state.ts";

/** How long a microphone stays open after a turn of push-to-talk, so that the next one begins at once. In ms. */
const keepOpenMs = 20_000;
/** Below this level a microphone counts as silent: the quietest room is above it. */
const silentLevel = 0.02;

/** What the visitor's voice needs from the session. */
export interface VoiceHost extends BargeInHost, RecognizerHost {
  readonly context: PublicContext | null;
  readonly peerConnection: RTCPeerConnection | null;
  readonly muted: boolean;
  start(): Promise<void>;
  send(text: string): Promise<void>;
  unmute(): void;
}

/** The visitor's voice: the microphone, the turns that are spoken, and what is understood of them. */
export class Voice implements VisitorVoice {
  readonly #host: VoiceHost;
  readonly #events: TypedEvents<SessionEvents>;
  readonly #state: VoiceState;
  readonly #recognizer: SessionRecognizer;
  readonly #silence: SilenceWatch;
  readonly #button: ButtonTurn;
  readonly #input: VoiceInput;
  #releaseTimer: ReturnType<typeof setTimeout> | undefined;
  #handsFree: HandsFree | null = null;
  #speaker = "";
  readonly #bargeIn: BargeIn;
  readonly #stops: (() => void)[];

  constructor(host: VoiceHost, events: TypedEvents<SessionEvents>) {
    this.#host = host;
    this.#events = events;
    this.#state = new VoiceState(host.conversation, events);
    this.#recognizer = new SessionRecognizer(host, (text) => this.#showPartial(text));
    this.#input = new VoiceInput(host, {
      isSent: () => this.#recognizer.kind === "service",
      handleFrame: (frame) => {
        if (this.status.turn !== "button") this.#handsFree?.take(frame);
      },
    });
    this.#silence = new SilenceWatch(this.#state, () => this.#isHeard);
    this.#button = this.#newButtonTurn();
    this.#bargeIn = new BargeIn(host);
    this.#stops = [
      events.on("statechange", ({ state }) => {
        if (state === "live") void this.#input.attach();
        else if (state === "ended" || state === "error") this.#release();
      }),
      events.on("message", ({ message }) => {
        if (message.role !== "visitor") return;
        // Only the last question can be corrected, and only one that was spoken.
        if (message.id !== this.status.questionId) this.#state.change({ questionId: null });
        // The visitor has gone on in writing.
        if (this.status.fault === "failed") this.#state.change({ fault: null });
      }),
      events.on("media", ({ element }) => void (this.#speaker && playOn(element, this.#speaker))),
      watchDevices(() => void (this.#speaker && playOn(host.mediaElement, this.#speaker))),
      this.#microphone.events.on("track", (track) => void this.#useTrack(track)),
      this.#microphone.events.on("lost", () => this.#fail(new MicrophoneFailure("lost"))),
    ];
  }

  get status(): VoiceStatus {
    return this.#state.status;
  }

  get level(): number {
    return this.#input.level;
  }

  get #microphone(): VoiceInput["microphone"] {
    return this.#input.microphone;
  }

  async recognizer(): Promise<RecognizerKind | null> {
    return (await this.#recognizer.choose())?.kind ?? null;
  }

  async listen(): Promise<void> {
    if (this.#allowsHandsFree) await this.#startHandsFree();
    else await this.#begin();
  }

  async setHandsFree(on: boolean): Promise<void> {
    if (on) await this.#startHandsFree().catch(() => undefined);
    else this.stop();
  }

  stop(): void {
    if (this.status.turn !== "button") this.#release();
    else {
      this.endTurn("send");
      this.#closeMicrophone();
    }
  }

  readonly devices = audioDevices;

  async choose({ microphone, speaker }: { microphone: string; speaker: string }): Promise<void> {
    this.#speaker = speaker;
    await playOn(this.#host.mediaElement, speaker);
    await this.#microphone.choose(microphone);
  }

  async beginTurn(): Promise<void> {
    await this.#begin().catch(() => undefined);
  }

  endTurn(how: "send" | "cancel"): void {
    if (this.status.turn !== "button") return;
    this.#button.end(how);
    if (!this.#handsFree) this.#releaseTimer = setTimeout(() => this.#release(), keepOpenMs);
    else this.#silence.start();
  }

  /** The session was muted, or is no longer. */
  mute(): void {
    const { track } = this.#microphone;
    if (!track) return;
    track.enabled = !this.#host.muted;
    // Not every browser lets its recognizer listen to this track.
    if (this.#host.muted) this.#recognizer.made?.rest?.();
    else if (this.#handsFree) this.#recognizer.made?.listen?.(track);
    this.#state.change({ state: this.#host.muted ? "muted" : "on" });
  }

  dispose(): void {
    this.#release();
    this.#recognizer.made?.close();
    for (const stop of this.#stops) stop();
  }

  async #begin(): Promise<void> {
    if (this.status.turn === "button") return;
    clearTimeout(this.#releaseTimer);
    this.#host.unmute();
    try {
      await this.#button.begin();
    } catch (error) {
      throw error instanceof MicrophoneFailure ? microphoneError(error.fault, error) : error;
    }
  }

  #newButtonTurn(): ButtonTurn {
    const { conversation } = this.#host;
    return new ButtonTurn({
      state: this.#state,
      events: this.#events,
      silence: this.#silence,
      recognizer: this.#recognizer,
      microphone: this.#microphone,
      open: () => this.#open(),
      interrupt: () => conversation.interrupt(),
      handleLimit: () => this.endTurn("send"),
      ask: (question) => this.#ask(question),
      handleFault: (error) => this.#fail(error),
    });
  }

  get #allowsHandsFree(): boolean {
    const mode = this.#host.context?.ui.voice_mode ?? "both";
    return mode === "both" || mode === "hands-free";
  }

  /** Opens the microphone until it is switched off. The visitor's turns are found by the voice. */
  async #startHandsFree(): Promise<void> {
    if (this.#handsFree) return;
    clearTimeout(this.#releaseTimer);
    this.#host.unmute();
    this.#state.change({ fault: null, handsFree: true });
    let recognizer: TurnRecognizer;
    try {
      recognizer = await this.#open();
      await this.#input.detect();
    } catch (error) {
      if (this.status.fault !== "failed") this.#fail(error);
      throw error instanceof MicrophoneFailure ? microphoneError(error.fault, error) : error;
    }
    // It may have been switched off while the visitor was asked.
    if (!this.status.handsFree) return;
    this.#handsFree = this.#newHandsFree(recognizer);
    this.#state.isWaiting = true;
    if (this.#microphone.track) recognizer.listen?.(this.#microphone.track);
    this.#silence.start();
    this.#state.updateRest();
  }

  #newHandsFree(recognizer: TurnRecognizer): HandsFree {
    const { conversation, context, options } = this.#host;
    const microphone = this.#microphone;
    return new HandsFree({
      recognizer,
      endpointing: new Endpointing(endpointingOf(turnSettingsOf(context?.voice)), options.locale ?? ""),
      bargeIn: this.#bargeIn,
      get isEchoCancelled() {
        return microphone.track?.getSettings().echoCancellation === true;
      },
      record: (ms) => {
        if (microphone.track) recognizer.start(ms, microphone.track, true);
      },
      get isAvatarSpeaking() {
        return conversation.activity === "speaking";
      },
      get avatarWords() {
        return conversation.transcript.entries.findLast(({ role }) => role === "avatar")?.text ?? "";
      },
      handleSpeech: (isSpeaking) => this.#handleSpeech(isSpeaking),
      handleWords: (words) => this.#state.showWords(words),
      handleLikelyEnd: (words) => void askEarly(conversation, words, context?.voice),
      handleTurn: (text) => {
        this.#handleSpeech(false);
        this.#bargeIn.unduck();
        this.#events.emit("transcript", { text, final: true });
        this.#ask(text);
      },
      handleFault: (error) => this.#fail(error),
    });
  }

  #handleSpeech(isSpeaking: boolean): void {
    // What the avatar is thinking about is not yet the whole question.
    if (isSpeaking && this.#host.conversation.activity === "thinking" && !this.#bargeIn.isPaused)
      this.#host.conversation.interrupt();
    this.#state.change({ turn: isSpeaking ? "voice" : "none", words: "", fault: null });
    this.#state.setRecording(isSpeaking);
  }

  /** Opens the microphone and connects it. The session is started in the same task: browsers allow sound only in a gesture. */
  async #open(): Promise<TurnRecognizer> {
    const started = this.#host.start();
    started.catch(() => undefined);
    if (!this.#microphone.track) this.#state.change({ state: "asking" });
    const recognizer = await this.#recognizer.find();
    const track = await this.#microphone.open();
    const prepared = this.#recognizer.prepare(recognizer).catch((error: unknown) => {
      // The visitor may have released the button long ago.
      this.#fail(error);
      throw error;
    });
    await Promise.all([started, prepared]);
    await this.#useTrack(track);
    return recognizer;
  }

  async #useTrack(track: MediaStreamTrack): Promise<void> {
    this.#input.watch(track);
    if (this.#handsFree) this.#recognizer.made?.listen?.(track);
    this.#state.change({ state: this.#host.muted ? "muted" : "on" });
    await this.#input.attach();
  }

  /** Shows what is being understood. */
  #showPartial(text: string): void {
    if (!this.#state.isRecording) return;
    const before = this.status.turn === "voice" ? this.#handsFree?.words : this.#button.carried;
    this.#state.showWords(joinWords(before ?? "", text));
  }

  #ask(question: string): void {
    const { conversation } = this.#host;
    // The session's own event tells of a failure.
    this.#host.send(question).catch(() => undefined);
    queueMicrotask(() => {
      const last = conversation.transcript.entries.findLast(({ role }) => role === "visitor");
      if (last?.text === question) this.#state.change({ questionId: last.id });
    });
  }

  /** Whether the microphone gives anything. Hands-free, a visitor may be silent for long; a device that is switched off is muted. */
  get #isHeard(): boolean {
    if (this.status.turn === "none" && this.#handsFree) return this.#microphone.track?.muted !== true;
    return this.level > silentLevel;
  }

  /** The turn has failed: the visitor and the page are told why. */
  #fail(error: unknown): void {
    const fault: MicrophoneFault = error instanceof MicrophoneFailure ? error.fault : "failed";
    this.#release();
    this.#state.change({ fault });
    if (
      !(error instanceof MicrophoneFailure) &&
      error instanceof VisavisError &&
      error.code !== "engine_failed"
    )
      return;
    const { code, message } = microphoneError(fault, error);
    this.#events.emit("error", { code, message });
  }

  /** Releases the device: the browser's sign of an open microphone goes out. */
  #release(): void {
    this.#button.stop();
    if (this.#state.isRecording) this.#recognizer.made?.cancel();
    this.#state.setRecording(false);
    this.#closeMicrophone();
    this.#state.change({ turn: "none", words: "", handsFree: false });
  }

  #closeMicrophone(): void {
    this.#handsFree?.close();
    this.#handsFree = null;
    this.#state.isWaiting = false;
    this.#recognizer.made?.rest?.();
    clearTimeout(this.#releaseTimer);
    this.#input.close();
    this.#state.change({ state: "off", handsFree: false });
  }
}
