import { MediaError } from "./media-error.ts";

/** Limits of an offer. Browsers send about 300 lines; the longest have 250 characters. */
const linesMax = 1_000;
const lineMaxLength = 1_024;

/** An error message quotes at most this many characters of a line. */
const shownMaxLength = 60;

/** One line of an offer, without its line end. */
export interface OfferLine {
  /** Counted from 1. */
  readonly number: number;
  readonly text: string;
}

/** One section of an offer: its `m=` line and the lines up to the next one. */
export interface OfferSection {
  readonly head: OfferLine;
  readonly lines: OfferLine[];
}

/** An offer as lines: first those of the whole session, then its sections. */
export interface OfferParts {
  readonly session: OfferLine[];
  readonly sections: OfferSection[];
}

/** The error for a line that is not accepted. `fault` says what is wrong, `remedy` what to send instead. */
export function refusedLine({ number, text }: OfferLine, fault: string, remedy: string): MediaError {
  const printable = text.replace(/[^\x20-\x7e]/g, "?");
  const shown = printable.length > shownMaxLength ? `${printable.slice(0, shownMaxLength)}…` : printable;
  return MediaError.refusedOffer(`Line ${number} of the offer ("${shown}") ${fault} ${remedy}`);
}

/** Splits an offer (RFC 8866) into sections. Throws MediaError `refused_offer`. */
export function offerParts(sdp: string): OfferParts {
  const parts: OfferParts = { session: [], sections: [] };
  for (const line of linesOf(sdp)) {
    if (line.text.startsWith("m=")) parts.sections.push({ head: line, lines: [] });
    else (parts.sections.at(-1)?.lines ?? parts.session).push(line);
  }
  return parts;
}

function linesOf(sdp: string): OfferLine[] {
  const texts = sdp.split(/\r?\n/, linesMax + 2);
  if (texts.at(-1) === "") texts.pop();
  if (texts.length > linesMax)
    throw MediaError.refusedOffer(`The offer has more than ${linesMax} lines. Send a shorter one.`);
  const lines = texts.map((text, index) => ({ number: index + 1, text }));
  for (const line of lines) checkLine(line);
  return lines;
}

function checkLine(line: OfferLine): void {
  if (line.text.length > lineMaxLength)
    throw refusedLine(line, "is too long.", `A line may have ${lineMaxLength} characters.`);
  if (!/^[a-z]=/.test(line.text))
    throw refusedLine(line, "is not a line of a session description.", "Write a letter, = and a value.");
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x08\x0a-\x1f\x7f]/.test(line.text))
    throw refusedLine(line, "contains a control character.", "Remove it.");
}
