import type { Conversation } from "../../conversation/conversation.ts";
import { silenceStopped } from "../../speech/stopped-sound.ts";

/** How loud the avatar still is while it is not sure whether the visitor speaks. */
const duckedShare = 0.15;

/** What interruptions need from the session. */
export interface BargeInHost {
  readonly conversation: Conversation;
  readonly mediaElement: HTMLMediaElement | null;
  readonly volume: number;
}

/**
 * Lets the visitor speak over the avatar: it becomes quiet at once, stops when it is speech, and goes on where it stopped when the
 * visitor wanted nothing.
 */
export class BargeIn {
  readonly #host: BargeInHost;
  #ducked = false;

  constructor(host: BargeInHost) {
    this.#host = host;
  }

  /** Whether the avatar has been stopped and may go on. */
  get isPaused(): boolean {
    return Boolean(this.#host.conversation.speech?.paused);
  }

  duck(): void {
    const { mediaElement, volume } = this.#host;
    if (!mediaElement) return;
    this.#ducked = true;
    mediaElement.volume = volume * duckedShare;
  }

  unduck(): void {
    const { mediaElement, volume } = this.#host;
    if (this.#ducked && mediaElement) mediaElement.volume = volume;
    this.#ducked = false;
  }

  /** The avatar stops speaking. What it had not said is kept. */
  pause(): void {
    const { conversation, mediaElement: element, volume } = this.#host;
    conversation.line?.deliver({ type: "clear-buffer", data: {} });
    conversation.speech?.pause();
    if (!(element?.srcObject instanceof MediaStream)) {
      this.unduck();
      return;
    }
    // What it says next is as loud as ever.
    this.#ducked = false;
    silenceStopped(conversation, element.srcObject, { element, volume });
  }

  /** The avatar goes on where it stopped. */
  goOn(): void {
    const { line, speech } = this.#host.conversation;
    const rest = speech?.paused ?? [];
    if (speech) speech.paused = null;
    for (const utterance of rest) {
      speech?.enqueue(utterance);
      line?.deliver({ type: "ttstf", data: { message: utterance.text } });
    }
    this.unduck();
  }
}
