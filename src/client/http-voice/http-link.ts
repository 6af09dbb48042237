import { sentencesIn } from "../../protocol/sentences.ts";
import type { ClientMessage, ServerMessage } from "../../protocol/session/data-channel.ts";
import type { AvatarChannelEvents, PeerLinkEvents } from "../link/peer-link.ts";
import type { ConnectionHost } from "../link/connection-host.ts";
import type { MediaPlayer } from "../link/media-player.ts";
import type { SessionRelay } from "../relay/relay-client.ts";
import { TypedEvents } from "../typed-events.ts";
import { VisavisError } from "../visavis-error.ts";
import { fetchSpeech, type SpokenSentence } from "./fetch-speech.ts";
import { SentencePlayer } from "./sentence-player.ts";

/** A shorter sentence is asked for together with the one before it. */
const leastLength = 24;

/** The sentences of a text, with the white space behind them. What is said in one breath, as "No. 5", may stay together. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const sentence of sentencesIn(text)) {
    const before = sentences.at(-1);
    if (before !== undefined && (before.trim().length < leastLength || sentence.trim().length < leastLength))
      sentences[sentences.length - 1] = before + sentence;
    else sentences.push(sentence);
  }
  return sentences.filter((sentence) => sentence.trim());
}

/** The first sentence waits for the drawn avatar at most so long, in ms. */
const facelessMs = 4_000;
/** So many sentences are asked for at once: the present one and the next. */
const ahead = 2;

interface Sentence {
  readonly text: string;
  readonly asked: AbortController;
  spoken: Promise<SpokenSentence> | null;
}

/**
 * Does for a session what a peer connection does, by requests: it takes the same messages, asks the service for the sound of each
 * sentence (POST …/tts/), one sentence ahead, plays it, and sends the notices that the service would send.
 */
export class HttpLink {
  readonly events = new TypedEvents<PeerLinkEvents>();
  readonly channel: HttpChannel;
  readonly stream = null;
  readonly peerConnection = null;
  readonly #relay: SessionRelay;
  readonly #player: MediaPlayer;
  readonly #voice: SentencePlayer;
  readonly #drawn: Promise<void>;
  #handleDrawn: () => void = () => undefined;
  #state: RTCPeerConnectionState;
  #queue: Sentence[] = [];
  #isRunning = false;
  #pause = { speech: false, audio: false };
  #rate = 1;
  #isSilent = false;

  /** `isOpen`: it is up from the beginning, instead of from `open()` on. */
  constructor(relay: SessionRelay, { player, body }: ConnectionHost, isOpen = false) {
    if (!player) throw VisavisError.connectionFailed();
    this.#relay = relay;
    this.#player = player;
    this.#state = isOpen ? "connected" : "new";
    this.#voice = new SentencePlayer(player);
    this.#drawn = new Promise((resolve) => {
      this.#handleDrawn = resolve;
      if (body.mode === "voice") resolve();
    });
    this.channel = new HttpChannel(
      () => this.#state === "connected",
      (message) => this.#handle(message),
    );
  }

  get state(): RTCPeerConnectionState {
    return this.#state;
  }

  /** How much later than announced the present sentence is heard, in ms. */
  get lagMs(): number {
    return this.#voice.lagMs;
  }

  /** Nothing is spoken any more: the conversation is in writing. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Messages can be sent from now on. */
  open(): void {
    if (this.#state !== "new") return;
    this.#state = "connected";
    this.events.emit("state", "connected");
    this.channel.events.emit("open", undefined);
    this.#player.events.emit("ready", undefined);
  }

  /** The avatar is seen: it may speak. */
  handleDrawn(): void {
    this.#handleDrawn();
  }

  /** The avatar cannot be drawn or heard in this browser: from now on it only writes. */
  giveUp(): void {
    this.#isSilent = true;
    this.#handleDrawn();
    const dropped = this.#drop();
    for (const { text } of dropped) this.#refuse(text);
    // Whoever asks whether it speaks asks again.
    this.events.emit("state", "connected");
  }

  async accept(): Promise<void> {
    // There is nothing to agree on.
  }

  async packetsReceived(): Promise<number> {
    return Promise.resolve(0);
  }

  close(): void {
    this.events.clear();
    this.channel.close();
    this.#state = "closed";
    this.#handleDrawn();
    this.#drop();
  }

  #handle(message: ClientMessage): void {
    switch (message.type) {
      case "ttstf":
        this.#speak(message.data.message);
        break;
      case "clear-buffer":
        this.#drop();
        break;
      case "pause":
        this.#pause = message.data;
        this.#voice.hold(message.data.audio);
        void this.#run();
        break;
      case "voice":
        this.#rate = message.data.rate;
        // What was asked for ahead is asked for again.
        for (const sentence of this.#queue.slice(1)) sentence.spoken = null;
        break;
      case "record-end-stt":
        this.#tell({ type: "stt-error", data: { code: "no_microphone" } });
        break;
    }
  }

  #speak(text: string): void {
    if (this.#isSilent) {
      this.#refuse(text);
      return;
    }
    for (const sentence of sentencesOf(text))
      this.#queue.push({ text: sentence, asked: new AbortController(), spoken: null });
    this.#ask();
    void this.#run();
  }

  /** Asks for the sound of the present sentence and the next one. */
  #ask(): void {
    for (const sentence of this.#queue.slice(0, ahead)) {
      sentence.spoken ??= fetchSpeech(
        this.#relay,
        { text: sentence.text.trim(), ...(this.#rate !== 1 && { rate: this.#rate }) },
        sentence.asked.signal,
      );
      // Its failure is handled when it is its turn.
      sentence.spoken.catch(() => undefined);
    }
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let next = this.#next(); next; next = this.#next()) {
      // What is held back meanwhile is said later.
      if ((await this.#say(next)) && this.#queue[0] === next) this.#queue.shift();
    }
    this.#isRunning = false;
  }

  /** What is to be said now. */
  #next(): Sentence | undefined {
    return this.#pause.speech || this.#pause.audio ? undefined : this.#queue[0];
  }

  /** Returns whether nothing of the sentence is left to say. */
  async #say(sentence: Sentence): Promise<boolean> {
    const { signal } = sentence.asked;
    this.#ask();
    let spoken: SpokenSentence | null = null;
    try {
      spoken = await sentence.spoken;
      await this.#untilDrawn();
    } catch (error) {
      if (!signal.aborted) this.#refuse(sentence.text, error);
    }
    if (!spoken || signal.aborted) return true;
    if (!this.#next()) return false;
    try {
      const { audio, drawn } = spoken;
      await this.#voice.play(audio, signal, (duration) =>
        this.#tell({ type: "stf", data: { message: sentence.text, duration, ...drawn } }),
      );
    } catch {
      // The page's policy, or a browser without sound.
      this.giveUp();
    }
    return true;
  }

  /** Waits for the avatar's picture, but not for ever. */
  async #untilDrawn(): Promise<void> {
    const timer = setTimeout(() => this.#handleDrawn(), facelessMs);
    await this.#drawn;
    clearTimeout(timer);
  }

  /** Stops at once. Returns what is not said. */
  #drop(): Sentence[] {
    const dropped = this.#queue;
    this.#queue = [];
    for (const { asked } of dropped) asked.abort();
    this.#voice.stop();
    return dropped;
  }

  #refuse(message: string, error?: unknown): void {
    const detail = VisavisError.from(error, "engine_failed", "The text cannot be spoken here.").message;
    this.#tell({ type: "stf-error", data: { message, code: "engine_failed", detail } });
  }

  #tell(message: ServerMessage): void {
    this.channel.events.emit("message", message);
  }
}

/** Takes the place of the data channel. */
class HttpChannel {
  readonly events = new TypedEvents<AvatarChannelEvents>();
  readonly quiet = false;
  readonly #isOpen: () => boolean;
  readonly #handle: (message: ClientMessage) => void;

  constructor(isOpen: () => boolean, handle: (message: ClientMessage) => void) {
    this.#isOpen = isOpen;
    this.#handle = handle;
  }

  get open(): boolean {
    return this.#isOpen();
  }

  /** Nothing is on its way. */
  get heardAtMs(): number {
    return performance.now();
  }

  send(message: ClientMessage): boolean {
    if (this.open) this.#handle(message);
    return this.open;
  }

  close(): void {
    this.events.clear();
  }
}
