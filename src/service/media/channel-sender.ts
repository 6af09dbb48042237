import type { Guard } from "./session-guard.ts";
import type { DataChannel } from "./wrtc.ts";

/** How long a text waits, in ms. Long enough for a close to become known that came right after the message it answers. */
const sendAfterMs = 2;

/**
 * Sends texts over a data channel, a moment later. The library's `send` reads a pointer that its network thread clears when the
 * other side closes, and a close at that moment ends the process with all its sessions. That moment is right after a message
 * of a client that then leaves. For the same reason `readyState` is not asked before each text: it waits for that thread, too.
 */
export class ChannelSender {
  readonly #channel: DataChannel;
  readonly #sendLater: () => void;
  readonly #texts: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(channel: DataChannel, guard: Guard) {
    this.#channel = channel;
    this.#sendLater = guard(() => this.flush());
  }

  /** Sends a text after the ones before it. */
  send(text: string): void {
    this.#texts.push(text);
    this.#timer ??= setTimeout(this.#sendLater, sendAfterMs);
  }

  /** Sends what waits, now. A text for a channel that is not open is dropped, because it has no reader. */
  flush(): void {
    const texts = this.#texts.slice();
    this.discard();
    for (const text of texts) sendNow(this.#channel, text);
  }

  /** Drops what waits: the channel is closed. */
  discard(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#texts.length = 0;
  }
}

function sendNow(channel: DataChannel, text: string): void {
  try {
    channel.send(text);
  } catch {
    // The library throws unless the channel is open.
  }
}
