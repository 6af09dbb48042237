import { speechLoudness, type SpeechTimeline } from "../../puppet/index.ts";
import type { ServerMessage } from "../../protocol/data-channel.ts";
import type { SpeechPart } from "../../protocol/speech-part.ts";
import type { PlayableSpeech } from "./media-engine.ts";
import { speechNotice } from "./speech-notice.ts";
import { captionPacket, emptyPart, speechPackets } from "./speech-packets.ts";

/**
 * When the first part is sent, and sent again, in ms. A part that is lost is sent again by SCTP only after a round trip or more, when its
 * sound has long been heard; a copy is there in time.
 */
const firstAtMs = [0, 10, 50] as const;
/** Captions have more time. After a loss SCTP sends only one packet's bytes in a round trip. */
const captionAtMs = [10, 60] as const;
/** The notice itself is longer, and says nothing that is not known by then unless all of that was lost. */
const noticeAtMs = 20;
/** The later parts follow so much apart, so many ms before they are needed. */
const nextAfterMs = 70;
const aheadMs = 3_000;

/** Where notices go. */
export interface SpeechAnnouncerLink {
  send(message: ServerMessage): void;
  /** Whether the client has opened the channel for parts of timelines. */
  readonly takesParts: boolean;
  sendPart(part: SpeechPart): void;
}

type Notice = Extract<ServerMessage, { type: "stf" }>;

/** Tells a client when a speech begins and, if the client draws it, what to draw. */
export class SpeechAnnouncer {
  readonly #link: SpeechAnnouncerLink;
  readonly #now: () => number;
  #count = 0;
  #isGreeted = false;
  #notice: Notice | null = null;
  #noticeAtMs = 0;
  #parts: { readonly atMs: number; readonly part: Omit<SpeechPart, "sent"> }[] = [];

  constructor(link: SpeechAnnouncerLink, now: () => number = () => performance.now()) {
    this.#link = link;
    this.#now = now;
  }

  /** A speech begins now. Returns its timeline. */
  announce(message: string, speech: PlayableSpeech, isDrawnThere: boolean): SpeechTimeline {
    const { pcm, sampleRateHz, words, visemes } = speech;
    const timeline: SpeechTimeline = { words, visemes, loudness: speechLoudness(pcm, sampleRateHz) };
    const duration = (pcm.length * 1_000) / sampleRateHz;
    const notice = { message, duration, words };
    this.clear();
    if (isDrawnThere && this.#link.takesParts) {
      this.#plan(timeline, message, duration);
      const data = { ...speechNotice(notice, false), speech: this.#count };
      this.#notice = { type: "stf", data };
      this.#noticeAtMs = this.#now() + noticeAtMs;
      this.tick();
    } else this.#link.send({ type: "stf", data: speechNotice(notice, isDrawnThere && timeline) });
    return timeline;
  }

  /** Sends what is due. To be called all the time. */
  tick(): void {
    this.#greet();
    if (this.#parts.length === 0 && !this.#notice) return;
    const now = this.#now();
    const due = this.#parts.filter(({ atMs }) => atMs <= now);
    if (due.length > 0) this.#parts = this.#parts.filter(({ atMs }) => atMs > now);
    for (const { part } of due) this.#link.sendPart({ ...part, sent: Math.round(now) });
    if (this.#noticeAtMs <= now) this.#sendNotice();
  }

  /** The speech is over or was stopped: no more parts of it are sent. Its notice was due already. */
  clear(): void {
    this.#parts = [];
    this.#sendNotice();
  }

  /** A new channel first gets an empty part: it says what the time is here, before there is speech. */
  #greet(): void {
    const { takesParts } = this.#link;
    if (takesParts && !this.#isGreeted) {
      const sent = Math.round(this.#now());
      this.#link.sendPart({ speech: 0, began: sent, sent, ...emptyPart() });
    }
    this.#isGreeted = takesParts;
  }

  #sendNotice(): void {
    if (this.#notice) this.#link.send(this.#notice);
    this.#notice = null;
  }

  #plan(timeline: SpeechTimeline, message: string, duration: number): void {
    const began = this.#now();
    const head = { speech: ++this.#count, began: Math.round(began) };
    const [first, ...others] = speechPackets(timeline, duration).map((part) => ({ ...head, ...part }));
    if (!first) return;
    this.#parts = firstAtMs.map((ms) => ({ atMs: began + ms, part: first }));
    const caption = captionPacket(message, duration, timeline.words);
    if (caption)
      for (const ms of captionAtMs) this.#parts.push({ atMs: began + ms, part: { ...head, ...caption } });
    let atMs = began + (firstAtMs.at(-1) ?? 0);
    for (const part of others) {
      atMs = Math.max(atMs + nextAfterMs, began + part.from - aheadMs);
      this.#parts.push({ atMs, part });
    }
  }
}
