import { speakingMessageSchema, type SpeakingMessage } from "../../protocol/speech/speaking-message.ts";
import { beginSpeaking, leaveSpeaking, type Speaker } from "./speakers.ts";

/** A frame that speaks says so again and again. One that was removed or has crashed keeps nobody waiting for longer. */
const againMs = 1_000;
const silentAfterMs = 4_000;

/** The avatars of another frame: they follow their own document, and here only their place is known. */
class FrameSpeaker implements Speaker {
  begunAt = 0;
  readonly inFrame = true;
  readonly #speakers: Speaker[];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(speakers: Speaker[]) {
    this.#speakers = speakers;
  }

  wait(): void {
    clearTimeout(this.#timer);
  }

  /** It is its turn, and it says so soon. */
  goOn(): void {
    this.wait();
    this.#timer = setTimeout(() => leaveSpeaking(this.#speakers, this), silentAfterMs);
  }

  hear(begunAt: number): void {
    this.begunAt = begunAt;
    if (begunAt === 0) {
      this.wait();
      leaveSpeaking(this.#speakers, this);
      return;
    }
    beginSpeaking(this.#speakers, this);
    if (this.#speakers.at(-1) === this) this.goOn();
  }
}

const known = new Map<MessageEventSource, FrameSpeaker>();
let order: Speaker[] | null = null;
let isTold = false;
let timer: ReturnType<typeof setInterval> | undefined;

const isWindow = (source: MessageEventSource | null): source is Window => source !== null && "top" in source;

function isAncestor(source: Window): boolean {
  for (let frame: Window = window; frame !== frame.parent; frame = frame.parent)
    if (frame.parent === source) return true;
  return false;
}

/**
 * Only frames of this page are heard: of this origin, of the one that this module came from, which is the relay's with its
 * viewer, and the pages around this one. A frame that is none of the product could otherwise silence an avatar.
 */
function isHeard(source: Window, origin: string): boolean {
  if (source === window || source.top !== window.top) return false;
  if (isAncestor(source)) return true;
  return origin !== "null" && [location.origin, new URL(import.meta.url).origin].includes(origin);
}

function handleMessage({ source, origin, data }: MessageEvent<unknown>): void {
  const message = speakingMessageSchema.safeParse(data);
  if (!message.success || !order || !isWindow(source) || !isHeard(source, origin)) return;
  const speaker = known.get(source) ?? new FrameSpeaker(order);
  known.set(source, speaker);
  speaker.hear(message.data.begunAt);
}

/** Posts to all other frames of the page, whatever their origin: that an avatar speaks can be heard anyway. */
function post(begunAt: number, frame: Window | null = window.top): void {
  if (!frame) return;
  const message: SpeakingMessage = { source: "visavis-speaking", begunAt };
  if (frame !== window) frame.postMessage(message, "*");
  for (let index = 0; index < frame.length; index++) post(begunAt, frame[index] ?? null);
}

/** Tells the page's other frames who speaks here, and follows what they tell. To be called at each change of the order. */
export function tellFrames(speakers: Speaker[]): void {
  if (!order) addEventListener("message", handleMessage);
  order = speakers;
  const top = speakers.at(-1);
  clearInterval(timer);
  if (top && !top.inFrame) {
    isTold = true;
    post(top.begunAt);
    timer = setInterval(() => tellFrames(speakers), againMs);
  } else if (isTold && speakers.every(({ inFrame }) => inFrame)) {
    isTold = false;
    post(0);
  }
}
