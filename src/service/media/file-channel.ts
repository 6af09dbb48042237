import { BodyBuffer } from "../../protocol/body-buffer.ts";
import { ChannelSender } from "./channel-sender.ts";
import type { Guard } from "./session-guard.ts";
import type { DataChannel } from "./wrtc.ts";

/** Label and protocol of the channels for file uploads (wire conventions, Media). */
export const fileChannelLabel = "file";

/** The largest file; checked while the pieces arrive. */
export const fileMaxBytes = 5 * 1024 * 1024;

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
