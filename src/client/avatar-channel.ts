import { serverMessageSchema, type ClientMessage, type ServerMessage } from "../protocol/data-channel.ts";
import { TypedEvents } from "./typed-events.ts";

/**
 * Pings go out once a second. Counted are those in a row without any message from the service: so many mean that
 * nothing is heard at the moment, that the path is to be mended, and that the service is gone.
 */
const pingIntervalMs = 1_000;
const quietAfter = 2;
const stalledAfter = 5;
const lostAfter = 15;

export interface AvatarChannelEvents {
  open: undefined;
  message: ServerMessage;
  /** Whether the service is heard: false after two seconds of silence, true with the next message. */
  heard: boolean;
  /** Silence has lasted so long that the path needs mending, though the browser may not have noticed. */
  stalled: undefined;
  /** It closed without being asked to, or nothing answers any more. */
  lost: undefined;
}

/**
 * The data channel `message` (wire conventions, Media). Counts pings rather than time, so that a page that slept does
 * not take its own sleep for silence of the other side.
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

  /** When the service was last heard, on the clock of `performance.now()`. */
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
    const wasQuiet = this.#unanswered >= quietAfter;
    this.#unanswered = 0;
    this.#heardAtMs = performance.now();
    if (wasQuiet) this.events.emit("heard", true);
    const message = parseServerMessage(data);
    if (message) this.events.emit("message", message);
  }
}

/** A message of the service, or null where it is malformed or of an unknown type: neither ends a session. */
export function parseServerMessage(data: unknown): ServerMessage | null {
  try {
    return serverMessageSchema.safeParse(JSON.parse(String(data))).data ?? null;
  } catch {
    return null;
  }
}
