import * as z from "zod/mini";
import { visemes as names, type TimedViseme } from "./timed-viseme.ts";

// Apart from the other messages: browsers load it only where they draw the avatar themselves.

/**
 * Label of the data channel on which the timeline of each speech arrives in parts of one packet. A client that draws the avatar itself
 * opens it, unordered, so that no part waits for another one that was lost. An extension of ours.
 */
export const speechChannelLabel = "speech";

/** The time of one value of the loudness, in ms. */
export const loudnessStepMs = 20;
/** Loudness is told by one digit to this base. */
const loudnessBase = 36;

const text = z.string().check(z.maxLength(2_000));
/** No speech is longer than an hour. */
const time = z.number().check(z.gte(0), z.lte(3_600_000));

/** What captions need of a speech's `stf`: it comes here too, because a lost `stf` comes late. */
const captionSchema = z.object({
  message: text,
  duration: time,
  /** The spoken words, and for each of them its start and its end. */
  words: z.array(z.string()),
  times: z.array(time),
});

/** A part of a speech's timeline. All but `began` and `sent` is in ms from the first sample of the speech. */
export const speechPartSchema = z.object({
  /** Which speech: `speech` of its `stf`. Later ones of a connection have higher numbers. */
  speech: z.number(),
  /** When its first sample was given to the encoder, and when this part was sent: ms of one clock of the service. */
  began: z.number(),
  sent: z.number(),
  /** How long the speech is. */
  duration: time,
  /** What this part covers. */
  from: time,
  to: time,
  /** Mouth shapes from `from` on, each followed by its length: `sil40PP60aa95`. */
  visemes: text,
  /** Stressed words that begin in this part: start, end, strength. */
  accents: z.array(z.array(z.number())).check(z.maxLength(64)),
  /** A digit to the base 36 for each 20 ms, 0 (silent) to z; the first is for the step that `from` is in. */
  loudness: text,
  /** Only in a part that covers nothing. */
  caption: z.optional(captionSchema),
});
export type SpeechPart = z.infer<typeof speechPartSchema>;

/** A value of the loudness, 0 to 1, as a digit. */
export function loudnessDigit(level: number): string {
  return Math.round(Math.min(Math.max(level, 0), 1) * (loudnessBase - 1)).toString(loudnessBase);
}

/** The value of a digit; 0 for any other character. */
export function loudnessOfDigit(digit: string): number {
  const value = parseInt(digit, loudnessBase);
  return Number.isNaN(value) ? 0 : value / (loudnessBase - 1);
}

/** The mouth shapes of a part; `sil` for those that are not known. */
export function visemesOf({ from, visemes }: SpeechPart): TimedViseme[] {
  let start = from;
  return [...visemes.matchAll(/([a-zA-Z]{1,12})(\d+)/g)].map(([, name, ms]) => {
    const viseme = names.find((known) => known === name) ?? "sil";
    const shape = { viseme, start, end: start + Number(ms) };
    start = shape.end;
    return shape;
  });
}
