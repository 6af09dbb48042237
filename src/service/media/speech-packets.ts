import { loudnessDigit, loudnessStepMs, type SpeechPart } from "../../protocol/speech-part.ts";
import { chooseAccents, type SpeechTimeline, type TimedViseme, type TimedWord } from "../../puppet/index.ts";

/** A part of a speech's timeline that does not know yet when it is sent. */
export type UnsentPart = Omit<SpeechPart, "speech" | "began" | "sent">;

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
export const emptyPart = (): UnsentPart => ({
  duration: 0,
  from: 0,
  to: 0,
  visemes: "",
  accents: [],
  loudness: "",
});

/** What captions need of a speech, in one packet; null if that is too long. Times in ms. */
export function captionPacket(
  message: string,
  duration: number,
  words: readonly TimedWord[],
): UnsentPart | null {
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
