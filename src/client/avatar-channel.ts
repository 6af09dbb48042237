import { serverMessageSchema, type ClientMessage, type ServerMessage } from "../protocol/data-channel.ts";
import { TypedEvents } from "./typed-events.ts";

/**
 * A ping is sent every second. These are numbers of pings in a row without any message from the service: after so many the
 * service counts as silent, the path as lost, and the service as gone.
 */
const pingIntervalMs = 1_000;
const quietAfter = 2;
const stalledAfter = 5;
const lostAfter = 15;

export interface AvatarChannelEvents {
  open: undefined;
  message: ServerMessage;
  /** Whether messages arrive: false after two seconds without one, true with the next. */
  heard: boolean;
  /** No message has arrived for so long that the path may be lost, even if the browser has not noticed. */
  stalled: undefined;
  /** The channel closed unexpectedly, or the service no longer answers. */
  lost: undefined;
}

/**
 * The data channel `message` (wire conventions, Media). It counts pings instead of time, so that a page that was asleep
 * does not conclude that the service was silent.
 */
export class AvatarChannel {
  readonly events = new TypedEvents<AvatarChannelEvents>();
  readonly #channel: RTCDataChannel;
  #timer: ReturnType<typeof setInterval> | undefined;
  #unanswered = 0;
  #heardAtMs = performance.now();

  constructor(channel: RTCDataChannel) {
    this.#channel = channel;
    channel.onopen = () => this.#handleOpen();
    channel.onclose = () => this.#handleLost();
    channel.onmessage = (event: MessageEvent<unknown>) => this.#handleMessage(event.data);
  }

  get open(): boolean {
    return this.#channel.readyState === "open";
  }

  /** Whether messages are missing. */
  get quiet(): boolean {
    return this.#unanswered >= quietAfter;
  }

  /** When the last message arrived, on the clock of `performance.now()`. */
  get heardAtMs(): number {
    return this.#heardAtMs;
  }

  /** Sends a message; false when the channel is not open. */
  send(message: ClientMessage): boolean {
    if (!this.open) return false;
    this.#channel.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    clearInterval(this.#timer);
    this.events.clear();
    this.#channel.onopen = this.#channel.onclose = this.#channel.onmessage = null;
    this.#channel.close();
  }

  #handleOpen(): void {
    this.#heardAtMs = performance.now();
    this.#timer = setInterval(() => this.#ping(), pingIntervalMs);
    this.events.emit("open", undefined);
  }

  #ping(): void {
    if (this.#unanswered >= lostAfter) {
      this.#handleLost();
      return;
    }
    this.#unanswered += 1;
    if (this.#unanswered === quietAfter) this.events.emit("heard", false);
    if (this.#unanswered === stalledAfter) this.events.emit("stalled", undefined);
    this.send({ type: "ping", data: {} });
  }

  #handleLost(): void {
    clearInterval(this.#timer);
    this.#channel.onclose = null;
    this.events.emit("lost", undefined);
  }

  #handleMessage(data: unknown): void {
    const wasQuiet = this.quiet;
    this.#unanswered = 0;
    this.#heardAtMs = performance.now();
    if (wasQuiet) this.events.emit("heard", true);
    const message = parseServerMessage(data);
    if (message) this.events.emit("message", message);
  }
}

/** A message from the service, or null if it is malformed or of an unknown type. Neither ends a session. */
export function parseServerMessage(data: unknown): ServerMessage | null {
  try {
    return serverMessageSchema.safeParse(JSON.parse(String(data))).data ?? null;
  } catch {
    return null;
  }
}
