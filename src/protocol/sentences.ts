const segmenter = "Segmenter" in Intl ? new Intl.Segmenter("en", { granularity: "sentence" }) : null;

/** So many characters before and after a boundary tell what it is. */
const lookedAt = 48;

/**
 * Abbreviations after which a sentence goes on, in the languages of the widget; of several letters, as they are written. They stand
 * in one list, because answers mix languages and a text does not say its own.
 */
const goingOn = [
  // English
  "mr|mrs|ms|dr|drs|prof|st|mt|rev|hon|gov|capt|lt|vs|approx|dept|e\\.\\s?g|i\\.\\s?e|viz|resp|incl|excl",
  // German
  "Hr|Hrn|Fr|Dipl|Ing|Str|ca|bzw|inkl|exkl|zzgl|abzgl|ggf|evtl|vgl|bspw|sog|max|min|Mio|Mrd|Tsd|Tel|Abs|Std|z\\.\\s?B|d\\.\\s?h|u\\.\\s?a|u\\.\\s?U|i\\.\\s?d\\.\\s?R|o\\.\\s?g|v\\.\\s?a|z\\.\\s?T|Mo|Di|Mi|Do|Sa|So",
  // Spanish and Portuguese
  "sra?|sras|ee|srs|srta|sres|dra|dña|profa|uds?|vds?|avda?|av|núm|pág|aprox|dpto|gral|p\\.\\s?ej|p\\.\\s?ex|eng|arq",
  // French
  "mm|mme|mmes|mlle|pr|bd|env|tél|apr|av\\. J\\.-C",
  // Italian
  "sig|sig\\.ra|sigg|dott|dott\\.ssa|prof\\.ssa|avv|geom|rag|pag|p\\.\\s?es|tel",
  // An initial.
  "\\p{L}",
].join("|");
const open = new RegExp(`(?:^|[^\\p{L}\\p{N}.'’])(?:${goingOn})\\.\\s*$`, "iu");

/** Before a number only: "No. 5" goes on, and "No. We are closed." does not. */
const beforeNumber =
  /(?:^|[\s(])(?:nos?|nrn?|num|art|figs?|pp?|vol|ch|chap|sec|apt|ext|rm|abs|kap|s)\.\s*$/iu;

/** Abbreviations that may end a sentence: before a capital letter they do, unless what follows belongs to them. */
const halfOpen =
  /(?:^|[\s(\d])(?:a\.\s?m|p\.\s?m|etc|ecc|usw|inc|ltd|ltda|co|corp|jr|n\.\s?chr|ee\.\s?uu)\.\s*$/iu;
const belonging =
  /^(?:\p{Ll}|\d|[(,;:]|(?:Mon|Tues?|Wed(?:nes)?|Thurs?|Fri|Sat(?:ur)?|Sun)(?:day)?s?\b|(?:E|C|M|P)[SD]?T\b|GMT|UTC|CET)/u;
const countryLike = /(?:\p{Lu}\.){1,3}\p{Lu}\.\s*$/u;
/** Words with which a sentence begins rather than a name. */
const beginning =
  /^(?:The|A|An|We|You|I|It|They|He|She|This|That|These|Those|There|Our|Your|In|On|At|If|For|And|But|So|Please|Yes|No)\b/u;

/** A number with a full stop: of a list, of a date ("am 3. Mai", "2026. 5. 3."), or an ordinal number ("im 2. Stock"). */
const listNumber = /(?:^|\n)[^\S\n]*\d{1,3}[.)]\s*$/u;
const number = /(?:^|[^\p{L}\p{N}.])\d{1,4}\.\s*$/u;
const ordinal =
  /(?:^|\s)(?:(?<!\bI )am|der|die|das|dem|den|des|im|zum|zur|vom|beim|ab|bis|seit|und|oder|jede[rnms]?|ihre?[rnms]?|unsere?[rnms]?|(?:Mo|Diens|Donners|Frei|Sams|Sonn)n?(?:tag)?,?|Mittwoch,?|\d{1,2}\.(?:\s?(?:–|-|\/))?)\s?\d{1,2}\.\s*$/u;
const month =
  /^(?:Jan|Feb|M[äa]r|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Oct|Dec|May)[\p{Ll}.]*\s*(?:\d|[.,;!?)]|\p{Ll}|$)/u;

function isNumbersOwn(before: string, after: string): boolean {
  if (listNumber.test(before)) return true;
  if (!number.test(before)) return false;
  return /^\d{1,2}\./u.test(after) || ordinal.test(before) || month.test(after);
}

/** Whether a sentence ends between two parts of a text that the Unicode rules divide. */
export function isSentenceEnd(sentence: string, after: string): boolean {
  // A sentence without an end may be long.
  const before = sentence.slice(-lookedAt);
  const next = after.trimStart();
  if (isNumbersOwn(before, next)) return false;
  if (beforeNumber.test(before) && /^[\p{N}#]/u.test(next)) return false;
  if (open.test(before)) return false;
  if (countryLike.test(before)) return beginning.test(next);
  return !(halfOpen.test(before) && belonging.test(next));
}

/** Whether the next word has to be known to tell if the sentence has ended. */
export function dependsOnNext(sentence: string): boolean {
  const before = sentence.slice(-lookedAt);
  return [number, halfOpen, countryLike, beforeNumber].some((kind) => kind.test(before));
}

/** The parts of a text by the Unicode rules, lazily: their boundaries are where sentences may end. */
export function* sentenceParts(text: string): Generator<string> {
  if (!segmenter) yield text;
  else for (const { segment } of segmenter.segment(text)) yield segment;
}

/** The sentences of a text in any language, each with the white space behind it: joined, they are the text. */
export function sentencesIn(text: string): string[] {
  const sentences: string[] = [];
  let at = 0;
  for (const part of sentenceParts(text)) {
    const before = sentences.at(-1);
    if (before !== undefined && !isSentenceEnd(before, text.slice(at, at + lookedAt)))
      sentences[sentences.length - 1] = before + part;
    else sentences.push(part);
    at += part.length;
  }
  return sentences;
}
