import {
  addressWords,
  cardinalWords,
  digitWords,
  koreanCount,
  monthName,
  ordinalWords,
  yearWords,
} from "./spoken-forms.ts";

/** A match as a replacement sees it. */
export interface Match {
  whole: string;
  groups: readonly (string | null | undefined)[];
  named: Readonly<Record<string, string | null | undefined>>;
  /** The language in which numbers are spoken. */
  locale: string | undefined;
}

/** A compiled replacement. */
export type Replacement = (match: Match) => string;

/** A replacement that cannot be used; `position` is where in its text. */
export class ReplacementError extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.name = "ReplacementError";
    this.position = position;
  }
}

const plural = (forms: string, isOne: boolean): string => {
  const [one = "", many = one] = forms.split("|");
  return isOne ? one : many;
};

/** `12.50` with `dollar|dollars` and `cent|cents`: "twelve dollars and fifty cents". */
function currencyWords([amount = "", unit = "", subunit = ""]: string[], locale: string | undefined): string {
  const [whole = "", hundredths = ""] = amount.replaceAll(",", "").split(".");
  const small = Number(hundredths.padEnd(2, "0").slice(0, 2));
  if (hundredths !== "" && (hundredths.length > 2 || subunit === ""))
    return `${cardinalWords(amount, locale)} ${plural(unit, false)}`.trim();
  const main = `${cardinalWords(whole, locale)} ${plural(unit, Number(whole) === 1)}`.trim();
  if (small === 0) return main;
  return `${main} and ${cardinalWords(String(small), locale)} ${plural(subunit, small === 1)}`;
}

/** What a replacement may call, as `{name:argument:…}`; without an argument it gets the whole match. */
const functions: Readonly<Record<string, (args: string[], locale: string | undefined) => string>> = {
  number: ([value = "", language], locale) => cardinalWords(value, language ?? locale),
  ordinal: ([value = "", language], locale) => ordinalWords(value, language ?? locale),
  digits: ([value = "", language], locale) => digitWords(value, language ?? locale),
  plural: ([value = "", forms = ""]) => plural(forms, value === "1"),
  currency: currencyWords,
  count: ([value = ""]) => koreanCount(value),
  month: ([value = ""]) => monthName(value),
  year: ([value = "", language], locale) => yearWords(value, language ?? locale),
  address: ([value = "", language], locale) => addressWords(value, language ?? locale),
  letters: ([value = ""]) => Array.from(value.replace(/[^\p{L}\p{N}]/gu, "")).join(" "),
  lower: ([value = ""]) => value.toLowerCase(),
  upper: ([value = ""]) => value.toUpperCase(),
};

const part = /\$\$|\$&|\$(\d{1,2})|\$<([^>]*)>|\{([a-z]+)((?::[^{}]*)?)\}/g;

interface Groups {
  count: number;
  names: readonly string[];
}

/** Reads a text with groups and without functions. */
function plainPart(found: RegExpExecArray, groups: Groups): Replacement {
  const [text, index, name] = found;
  if (text === "$$") return () => "$";
  if (text === "$&") return ({ whole }) => whole;
  if (index !== undefined) {
    const group = Number(index);
    if (group === 0 || group > groups.count)
      throw new ReplacementError(`The pattern has no group ${index}.`, found.index);
    return (match) => match.groups[group - 1] ?? "";
  }
  if (!groups.names.includes(name ?? ""))
    throw new ReplacementError(`The pattern has no group named "${name}".`, found.index);
  return ({ named }) => named[name ?? ""] ?? "";
}

function functionPart(found: RegExpExecArray, groups: Groups): Replacement {
  const [, , , name = "", tail = ""] = found;
  const call = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!call)
    throw new ReplacementError(
      `There is no function "${name}"; there are ${Object.keys(functions).join(", ")}.`,
      found.index,
    );
  const offset = found.index + name.length + 2;
  const args = tail === "" ? ["$&"] : tail.slice(1).split(":");
  const ready = args.map((argument) => prepared(argument, groups, offset));
  return (match) =>
    call(
      ready.map((argument) => argument(match)),
      match.locale,
    );
}

function prepared(text: string, groups: Groups, offset: number): Replacement {
  const parts: Replacement[] = [];
  let at = 0;
  for (const found of text.matchAll(part)) {
    const before = text.slice(at, found.index);
    const isCall = found[3] !== undefined;
    found.index += offset;
    parts.push(() => before, isCall ? functionPart(found, groups) : plainPart(found, groups));
    at = found.index - offset + found[0].length;
  }
  const rest = text.slice(at);
  return (match) => parts.map((piece) => piece(match)).join("") + rest;
}

/** Compiles a replacement. Throws ReplacementError where it names a group or function that does not exist. */
export function prepareReplacement(text: string, groups: Groups): Replacement {
  return prepared(text, groups, 0);
}
