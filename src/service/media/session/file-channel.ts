import type { Guard } from "../session-guard.ts";
import type { DataChannel } from "../wrtc.ts";
import { BodyBuffer } from "../../../protocol/body-buffer.ts";

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

/** Label and protocol of the channels for file uploads (wire conventions, Media). */
export const fileChannelLabel = "file";

/** The largest file; checked while the pieces arrive. */
const fileMaxBytes = 5 * 1024 * 1024;

/** Receives the result of an upload. */
export interface FileChannelEvents {
  /** Stores a complete file. Returns its reference, or undefined if there is no room for it. */
  keep(bytes: Uint8Array): string | undefined;
  /** The upload failed; the channel is being closed. */
  onFault(detail: string): void;
}

/** Receives a file over a data channel: binary pieces, then an empty one. The answer is the file's reference as text. */
export class FileChannel {
  readonly #channel: DataChannel;
  readonly #events: FileChannelEvents;
  readonly #sender: ChannelSender;
  #file = newFile();
  #isReady = false;
  #isOver = false;

  /** `onClosed` is called when the channel is closed by either side. */
  constructor(channel: DataChannel, events: FileChannelEvents, guard: Guard, onClosed: () => void) {
    this.#channel = channel;
    this.#events = events;
    this.#sender = new ChannelSender(channel, guard);
    channel.binaryType = "arraybuffer";
    channel.onmessage = guard(({ data }) => this.#take(data));
    channel.onopen = guard(() => this.#sayReady());
    channel.onclose = guard(() => {
      this.#forget();
      onClosed();
    });
    if (channel.readyState === "open") this.#sayReady();
  }

  /** Closes the channel and drops the received pieces. */
  close(): void {
    if (this.#isOver) return;
    this.#forget();
    this.#channel.close();
  }

  #forget(): void {
    this.#isOver = true;
    this.#sender.discard();
    this.#file = newFile();
  }

  #sayReady(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    this.#sender.send("");
  }

  #take(data: unknown): void {
    if (this.#isOver) return;
    const piece = pieceOf(data);
    if (!piece) this.#fail("Files are uploaded in binary messages; this message was text.");
    else if (piece.length === 0) this.#finish();
    else if (!this.#file.add(piece)) this.#fail(`The file is larger than ${fileMaxBytes / 1024 / 1024} MB.`);
  }

  #finish(): void {
    const bytes = this.#file.bytes();
    this.#file = newFile();
    if (bytes.length === 0) {
      this.#fail("The file is empty.");
      return;
    }
    const reference = this.#events.keep(bytes);
    if (reference === undefined)
      this.#fail("Too many files are waiting to be played. Upload the file again later.");
    else this.#sender.send(reference);
  }

  #fail(detail: string): void {
    this.close();
    this.#events.onFault(detail);
  }
}

/** The pieces of a file. A list of tiny ones would take many times the memory of the file. */
function newFile(): BodyBuffer {
  return new BodyBuffer(fileMaxBytes, () => undefined);
}

/** The bytes of a message; undefined for a text that is not empty. */
function pieceOf(data: unknown): Uint8Array | undefined {
  if (data === "") return new Uint8Array();
  return data instanceof ArrayBuffer ? new Uint8Array(data) : undefined;
}
