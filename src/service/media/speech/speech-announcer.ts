import { loudnessDigit, loudnessStepMs, type SpeechPart } from "../../../protocol/speech/speech-part.ts";
import {
  chooseAccents,
  speechLoudness,
  type SpeechTimeline,
  type TimedViseme,
  type TimedWord,
} from "../../../puppet/index.ts";
import type { ServerMessage } from "../../../protocol/session/data-channel.ts";
import { drawnSpeech, inWholeMs } from "../../drawn-speech.ts";
import type { PlayableSpeech } from "../media-engine.ts";

/** A part of a speech's timeline that does not know yet when it is sent. */
type UnsentPart = Omit<SpeechPart, "speech" | "began" | "sent">;

/**
 * The longest a part may be, in characters: with its header it is one packet. The first part is shorter: after a loss, SCTP
 * has no more than some 1,200 bytes on their way, and its copy has to fit into them too.
 */
const firstLength = 340;
const partLength = 900;

/** The longest caption in such a packet, as JSON in UTF-8. */
const captionBytes = 900;

/** What an accent takes, at most: `[12345,12789,0.72],`. */
const accentLength = 20;

/** A part that covers nothing of a speech. */
const emptyPart = (): UnsentPart => ({
  duration: 0,
  from: 0,
  to: 0,
  visemes: "",
  accents: [],
  loudness: "",
});

/** What captions need of a speech, in one packet; null if that is too long. Times in ms. */
function captionPacket(message: string, duration: number, words: readonly TimedWord[]): UnsentPart | null {
  const times = words.flatMap(({ start, end }) => [Math.round(start), Math.round(end)]);
  const caption = { message, duration: Math.round(duration), words: words.map((word) => word.text), times };
  const isShort = Buffer.byteLength(JSON.stringify(caption)) <= captionBytes;
  return isShort ? { ...emptyPart(), caption } : null;
}

/** Splits what a client draws a speech from into parts of one packet each. */
export function speechPackets(
  { visemes, words, loudness = [] }: SpeechTimeline,
  durationMs: number,
): UnsentPart[] {
  const accents = chooseAccents(words, undefined, loudness).map(
    ({ start, end, strength }) =>
      [Math.round(start), Math.round(end), Math.round(strength * 100) / 100] as const,
  );
  const duration = Math.round(durationMs);
  const parts: UnsentPart[] = [];
  let shapes = "";
  let from = 0;
  const close = (to: number): void => {
    parts.push({
      duration,
      from,
      to,
      visemes: shapes,
      accents: accents.filter(([start]) => start >= from && start < to).map((accent) => [...accent]),
      loudness: digits(loudness, from, to),
    });
    shapes = "";
    from = to;
  };
  for (const { viseme, start, end } of withoutGaps(visemes, duration)) {
    const shape = `${viseme}${end - start}`;
    const accentsSoFar = accents.filter(([at]) => at >= from && at < end).length;
    const length = shapes.length + shape.length + (end - from) / loudnessStepMs + accentsSoFar * accentLength;
    if (shapes && length > (parts.length === 0 ? firstLength : partLength)) close(start);
    shapes += shape;
  }
  close(duration);
  return parts;
}

/** The mouth shapes in whole ms, one after the other from 0 to the end; `sil` where there is none, in pieces that fit into a part. */
function withoutGaps(visemes: readonly TimedViseme[], duration: number): TimedViseme[] {
  const whole: TimedViseme[] = [];
  let at = 0;
  const add = (viseme: TimedViseme["viseme"], until: number): void => {
    while (at < until) {
      const end = Math.min(until, at + longestShapeMs);
      whole.push({ viseme, start: at, end });
      at = end;
    }
  };
  for (const { viseme, start, end } of [...visemes].sort((a, b) => a.start - b.start)) {
    add("sil", Math.min(Math.round(start), duration));
    add(viseme, Math.min(Math.round(end), duration));
  }
  add("sil", duration);
  return whole;
}

/** A longer shape, such as a long silence, is told in pieces, so that its loudness fits into a part. */
const longestShapeMs = 4_000;

function digits(loudness: readonly number[], from: number, to: number): string {
  const [first, end] = [from, to].map((ms) => Math.floor(ms / loudnessStepMs));
  return loudness
    .slice(first, Math.max(end ?? 0, (first ?? 0) + 1))
    .map(loudnessDigit)
    .join("");
}

type NoticeContent = Extract<ServerMessage, { type: "stf" }>["data"];

/** A longer message may be refused by the client's end of the channel: browsers take 256 KiB. */
const longestMessage = 200_000;

/**
 * The notice that a text begins to be spoken. For a client that draws the avatar itself it has the speech's timeline too, times in
 * ms from the beginning. For speech of many minutes the timeline is left out: then the mouth follows the sound alone.
 */
export function speechNotice(notice: NoticeContent, timeline: SpeechTimeline | false): NoticeContent {
  const short = { ...notice, ...(notice.words && { words: notice.words.map(inWholeMs) }) };
  if (!timeline) return short;
  const whole = { ...short, ...drawnSpeech(timeline) };
  return JSON.stringify(whole).length > longestMessage ? short : whole;
}

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
interface SpeechAnnouncerLink {
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
