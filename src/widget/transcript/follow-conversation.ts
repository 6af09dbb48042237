import { noChange } from "lit";
import { AsyncDirective, directive } from "lit/async-directive.js";
import type { ElementPart, PartInfo } from "lit/directive.js";
import { PartType } from "lit/directive.js";
import { rangeOf, TextMark } from "./text-mark.ts";

/** A reader this close to the end, in CSS pixels, is reading the end. */
const nearPx = 32;
/** Room above and below what is scrolled to, in CSS pixels; the upper edge fades. */
const roomAbovePx = 40;
const roomBelowPx = 16;

/** What is followed. */
export interface Followed {
  /** The visitor's last question. */
  readonly question: string | null;
  /** The sentence being spoken: its entry, and its place counted in characters that are not white space. */
  readonly voice: { readonly entryId: string; readonly from: number; readonly to: number } | null;
  /** The visitor has scrolled while the avatar speaks. */
  readonly readAhead: () => void;
}

/**
 * Keeps in view what the conversation is about: a new question, then the sentence that is being spoken, which is marked;
 * without a voice, what came last, from its beginning. A visitor who scrolls is left alone until the next question.
 */
class FollowConversation extends AsyncDirective {
  #log: HTMLElement | null = null;
  #listening: AbortController | null = null;
  #followed: Followed = { question: null, voice: null, readAhead: () => undefined };
  readonly #mark = new TextMark("visavis-voice");
  /** The last sentence that was marked. It stays marked in the pause before the next one. */
  #marked: Followed["voice"] = null;
  #isNew = true;
  #wasAtEnd = true;
  #isFree = false;
  #placedTop = 0;

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error("followConversation() belongs on an element.");
  }

  override update({ element }: ElementPart, [followed]: [Followed]): typeof noChange {
    const log = element as HTMLElement;
    if (log !== this.#log) this.#adopt(log);
    const asked = followed.question !== this.#followed.question;
    if (asked) this.#isFree = false;
    this.#followed = followed;
    const { voice } = followed;
    if (voice && voice.from < voice.to) this.#marked = voice;
    // The element is updated before its children: this is still the content that the visitor sees.
    this.#wasAtEnd = this.#isNew || asked || isAtEnd(log);
    this.#isNew = false;
    queueMicrotask(this.#place);
    return noChange;
  }

  override render(_followed: Followed): typeof noChange {
    return noChange;
  }

  protected override disconnected(): void {
    this.#mark.show(null);
    this.#listening?.abort();
  }

  protected override reconnected(): void {
    this.#listening?.abort();
    this.#listening = new AbortController();
    const options = { passive: true, signal: this.#listening.signal };
    this.#log?.addEventListener("scroll", this.#handleScroll, options);
    // Where everything is in view nothing scrolls, so the gesture itself says what the visitor wants.
    for (const type of ["wheel", "touchmove"])
      this.#log?.addEventListener(type, this.#handleGesture, options);
  }

  #adopt(log: HTMLElement): void {
    this.#log = log;
    this.reconnected();
  }

  readonly #handleGesture = (): void => {
    if (!this.#followed.voice) return;
    this.#isFree = true;
    this.#followed.readAhead();
  };

  /** A scroll that this directive has not made is the visitor's. */
  readonly #handleScroll = (): void => {
    const log = this.#log;
    if (!log || Math.abs(log.scrollTop - this.#placedTop) <= 2) return;
    const { voice } = this.#followed;
    this.#placedTop = log.scrollTop;
    if (voice) this.#handleGesture();
    else this.#isFree = !isAtEnd(log);
  };

  readonly #place = (): void => {
    const log = this.#log;
    if (!log || !this.isConnected) return;
    const sentence = this.#sentence(log);
    this.#mark.show(sentence);
    if (this.#isFree) return;
    const top = sentence ? this.#topFor(log, sentence) : this.#wasAtEnd ? endOf(log) : log.scrollTop;
    log.scrollTop = top;
    this.#placedTop = log.scrollTop;
  };

  #sentence(log: HTMLElement): Range | null {
    const marked = this.#marked;
    if (!marked || marked.entryId !== this.#followed.voice?.entryId) return null;
    const text = log.querySelector(`[data-entry="${marked.entryId}"] .vv-md`);
    return text && rangeOf(text, marked.from, marked.to);
  }

  /** The question at the top as long as the sentence is in view too; then the sentence. */
  #topFor(log: HTMLElement, sentence: Range): number {
    const { question } = this.#followed;
    const asked = question === null ? null : log.querySelector(`[data-entry="${question}"]`);
    const toLog = log.scrollTop - log.getBoundingClientRect().top;
    const box = sentence.getBoundingClientRect();
    const lowest = box.bottom + toLog + roomBelowPx - log.clientHeight;
    const highest = box.top + toLog - roomAbovePx;
    const questionTop = asked ? asked.getBoundingClientRect().top + toLog - roomAbovePx : highest;
    return Math.min(Math.max(questionTop, lowest), highest);
  }
}

/** The end of the log, but not past the beginning of the last entry: what is longer than the log is read from there. */
function endOf(log: HTMLElement): number {
  const last = [...log.querySelectorAll("[data-entry]:not([hidden])")].at(-1);
  const above = last ? last.getBoundingClientRect().top - log.getBoundingClientRect().top : Infinity;
  return Math.min(log.scrollHeight - log.clientHeight, log.scrollTop + above - roomAbovePx);
}

function isAtEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight < nearPx;
}

export const followConversation = directive(FollowConversation);
