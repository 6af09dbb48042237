import { SpeechFrames } from "../activity/speech-frames.ts";
import type { VoiceFrame } from "../activity/voice-monitor.ts";
import type { TurnRecognizer } from "../turn-recognizer.ts";
import type { BargeIn } from "./barge-in.ts";
import type { Endpointing } from "./endpointing.ts";
import { joinWords } from "./join-words.ts";

/** What listeners say without wanting to speak, by its letters. */
const signs =
  "uh huh uhhuh mm mmm mhm mmhm hm hmm hmhm aha ah oh okay ok yeah yep yes right sure ja jaja genau sí oui ouais d'accord sì sim 네 예 응 음 어 はい うん ええ 嗯 好 对 نعم כן".split(
    " ",
  );
const known = new Set(signs);

/** The most words of such a sign. */
const wordsMax = 2;

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'\s]/gu, " ")
    .split(/\s+/u)
    .filter(Boolean);

/** Whether a text only shows that the visitor listens: "uh-huh", "okay". Pure. */
export function isBackchannel(text: string): boolean {
  const words = wordsOf(text);
  return words.length <= wordsMax && words.every((word) => known.has(word));
}

/** So many of the words must be the avatar's own, in percent. */
const echoShare = 0.7;

/** Whether a text is what the avatar has just said, heard through the loudspeaker. Pure. */
export function isEcho(text: string, said: string): boolean {
  const heard = wordsOf(text);
  if (heard.length === 0) return true;
  const own = new Set(wordsOf(said));
  return heard.filter((word) => own.has(word)).length / heard.length >= echoShare && heard.length >= 2;
}

/** How much of what was heard before the onset belongs to the recording, in ms: its detection takes some time itself. */
const prerollMs = 400;
/** Speech counts after this time, in ms: while the avatar is silent, and over its voice. */
const sustainMs = 200;
const bargeInMs = 250;
/** How long after the avatar's last word its voice may still be in the room, in ms. */
const roomMs = 400;

/** Less time before a turn's end is not worth a request, in ms. */
const worthMs = 20;
/** How often a turn may look finished: an answer that begins in vain costs something. */
const likelyMax = 2;

/** What hands-free needs from the visitor's voice. */
interface HandsFreeHost {
  readonly recognizer: TurnRecognizer;
  readonly endpointing: Endpointing;
  readonly bargeIn: Pick<BargeIn, "isPaused" | "duck" | "unduck" | "pause" | "goOn">;
  /** The browser takes the avatar's voice out of the microphone. */
  readonly isEchoCancelled: boolean;
  /** What is heard belongs to a new recording, so many ms before now included. */
  record(prerollMs: number): void;
  /** The avatar is heard at the moment. */
  readonly isAvatarSpeaking: boolean;
  /** What the avatar has said last. */
  readonly avatarWords: string;
  /** The visitor speaks, or has stopped without having said anything. */
  handleSpeech(isSpeaking: boolean): void;
  /** What was understood of the turn so far. */
  handleWords(words: string): void;
  /** These are probably all words of the turn, which is not over yet: called at most twice in a turn. */
  handleLikelyEnd(words: string): void;
  /** The turn is over. */
  handleTurn(text: string): void;
  handleFault(error: unknown): void;
}

/**
 * The visitor's turns, found by the sound alone. After a short silence the words are recognized. They say whether the visitor has
 * finished: if not, or if the visitor goes on meanwhile, the next words belong to the same turn.
 */
export class HandsFree {
  readonly #host: HandsFreeHost;
  readonly #frames = new SpeechFrames();
  /** What was understood of the present turn. */
  #words = "";
  /** The words are being recognized. */
  #looking = false;
  /** The words of the turn are known up to here, and the visitor is silent. */
  #known = false;
  /** The visitor has spoken since the words were looked at. */
  #goesOn = false;
  /** The words that were told as a likely end of the turn. */
  #toldLikely: readonly string[] = [];
  readonly #unlisten: () => void;
  #pauseMs = 0;
  #avatarSpokeAtMs = -Infinity;
  #avatarWords = "";
  #closed = false;

  constructor(host: HandsFreeHost) {
    this.#host = host;
    this.#unlisten = host.recognizer.events.on("pause", (words) => this.#handlePauseWords(words));
  }

  /** What was understood of the present turn, up to the last pause. */
  get words(): string {
    return this.#words;
  }

  close(): void {
    this.#closed = true;
    this.#unlisten();
    if (this.#frames.isSpeech) this.#host.handleSpeech(false);
    this.#host.recognizer.cancel();
    this.#host.bargeIn.goOn();
  }

  /** The next 10 ms of the microphone. */
  take({ isVoiced, isVowel }: VoiceFrame): void {
    const { isAvatarSpeaking, bargeIn } = this.#host;
    if (isAvatarSpeaking) {
      this.#avatarSpokeAtMs = performance.now();
      this.#avatarWords = this.#host.avatarWords;
    }
    if (this.#isDeaf()) {
      this.#frames.reset();
      return;
    }
    const news = this.#frames.take(isVoiced, isAvatarSpeaking ? bargeInMs : sustainMs, isVowel);
    if (news === "onset") this.#handleOnset();
    else if (news === "false-onset") {
      bargeIn.unduck();
      this.#host.recognizer.cancel();
    } else if (news === "speech") this.#handleSpeech();
    else if (this.#frames.isSpeech) this.#handlePause();
  }

  /** Where the browser cannot take the avatar's voice out of the microphone, they speak in turns. */
  #isDeaf(): boolean {
    return !this.#host.isEchoCancelled && performance.now() - this.#avatarSpokeAtMs < roomMs;
  }

  #handleOnset(): void {
    const { isAvatarSpeaking, bargeIn } = this.#host;
    if (isAvatarSpeaking) bargeIn.duck();
    this.#words = "";
    this.#host.record(prerollMs);
  }

  #handleSpeech(): void {
    const { isAvatarSpeaking, bargeIn } = this.#host;
    if (isAvatarSpeaking) bargeIn.pause();
    else bargeIn.unduck();
    this.#known = false;
    this.#looking = false;
    this.#host.handleSpeech(true);
  }

  #handlePause(): void {
    const { endpointing, recognizer } = this.#host;
    const { pauseMs } = this.#frames;
    if (pauseMs === 0) {
      if (this.#pauseMs > 0) endpointing.learn(this.#pauseMs);
      this.#known = false;
      this.#goesOn = true;
    }
    this.#pauseMs = pauseMs;
    if (this.#known && pauseMs >= endpointing.waitMs(this.#words)) this.#finish();
    else if (!this.#known && !this.#looking && pauseMs >= endpointing.lookMs) {
      const text = recognizer.end();
      // What the visitor may still say goes into a recording of its own, which begins where this one ends.
      this.#host.record(0);
      void this.#look(text);
    }
  }

  async #look(recognized: Promise<string>): Promise<void> {
    this.#looking = true;
    this.#goesOn = false;
    try {
      this.#words = joinWords(this.#words, await recognized);
    } catch (error) {
      if (!this.#closed) this.#fail(error);
      return;
    }
    if (this.#closed) return;
    this.#looking = false;
    if (this.#words) this.#host.handleWords(this.#words);
    // If the visitor went on meanwhile, the words so far are the turn's beginning.
    this.#known = !this.#goesOn;
    this.#handleKnown();
  }

  #handleKnown(): void {
    if (this.#known) this.#tellLikelyEnd(this.#words);
  }

  /** The words up to a pause are known before the silence is long enough to end the recording. */
  #handlePauseWords(words: string): void {
    if (this.#frames.isSpeech && this.#frames.pauseMs > 0 && !this.#known)
      this.#tellLikelyEnd(joinWords(this.#words, words));
  }

  /** Where the visitor is silent and the turn not over at once, the answer may begin. Words over the avatar may be nothing. */
  #tellLikelyEnd(words: string): void {
    const { endpointing, bargeIn } = this.#host;
    const leftMs = endpointing.waitMs(words) - this.#frames.pauseMs;
    if (leftMs < worthMs || bargeIn.isPaused) return;
    if (this.#toldLikely.length >= likelyMax || this.#toldLikely.includes(words)) return;
    if (this.#isNothing(words) || !endpointing.isLikelyEnd(words)) return;
    this.#toldLikely = [...this.#toldLikely, words];
    this.#host.handleLikelyEnd(words);
  }

  /** Nothing was said, or only the avatar was heard. */
  #isNothing(words: string): boolean {
    return !words || isEcho(words, this.#isNearAvatar() ? this.#avatarWords : "");
  }

  #finish(): void {
    const { recognizer, bargeIn } = this.#host;
    recognizer.cancel();
    this.#reset();
    const text = this.#words;
    const heardOverAvatar = bargeIn.isPaused;
    if (this.#isNothing(text) || (heardOverAvatar && isBackchannel(text))) {
      bargeIn.goOn();
      this.#host.handleSpeech(false);
    } else this.#host.handleTurn(text);
  }

  #isNearAvatar(): boolean {
    return this.#host.bargeIn.isPaused || performance.now() - this.#avatarSpokeAtMs < 4 * roomMs;
  }

  #fail(error: unknown): void {
    this.#reset();
    this.#host.bargeIn.goOn();
    this.#host.handleSpeech(false);
    this.#host.handleFault(error);
  }

  #reset(): void {
    this.#frames.reset();
    this.#known = false;
    this.#looking = false;
    this.#toldLikely = [];
    this.#pauseMs = 0;
  }
}
