import type { WireError, WireErrorCode } from "./error-body.ts";

/** What a schema reports of a wrong value: the part of an issue that zod and zod/mini share. */
export interface FieldIssue {
  code?: string | undefined;
  path: readonly PropertyKey[];
  message: string;
  input?: unknown;
  origin?: string;
  minimum?: number | bigint;
  maximum?: number | bigint;
  expected?: string;
  values?: readonly unknown[];
  /** The text of a regular expression. */
  pattern?: string;
  keys?: readonly string[];
  issues?: readonly { message: string }[];
}

/** An error of one field. */
export type FieldError = WireError & { code: WireErrorCode };

/** The rule of a regular expression in words, or undefined if it has none. */
type FormatWords = (pattern: string | undefined) => string | undefined;

type Finding = [WireErrorCode, string];

/** What a field must be, in the words of JSON. */
const typeWords: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a text",
};

function invalidType({ path, input, expected = "" }: FieldIssue): Finding {
  if (input === undefined) return ["required", "This field is required."];
  if (input === null) return ["null", "This field may not be null."];
  const what = path.length === 0 ? "The body" : "This field";
  return ["invalid", `${what} must be ${typeWords[expected] ?? `of type ${expected}`}.`];
}

function counted(count: number | bigint | undefined, one: string, many: string): string {
  return `${String(count)} ${Number(count) === 1 ? one : many}`;
}

function tooSmall({ origin, minimum, input }: FieldIssue): Finding {
  if (origin === "string")
    return input === ""
      ? ["blank", "This field may not be blank."]
      : ["invalid", `This field must have at least ${counted(minimum, "character", "characters")}.`];
  if (origin === "array")
    return ["invalid", `This list must have at least ${counted(minimum, "entry", "entries")}.`];
  return ["min_value", `This value must be at least ${String(minimum)}.`];
}

function tooBig({ origin, maximum }: FieldIssue): Finding {
  if (origin === "string")
    return ["max_length", `This field may have at most ${counted(maximum, "character", "characters")}.`];
  if (origin === "array")
    return ["max_length", `This list may have at most ${counted(maximum, "entry", "entries")}.`];
  return ["max_value", `This value may be at most ${String(maximum)}.`];
}

function finding(issue: FieldIssue, formatWords: FormatWords): Finding {
  switch (issue.code) {
    case "invalid_type":
      return invalidType(issue);
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    case "invalid_value":
      if (issue.input === undefined || issue.input === null) return invalidType(issue);
      return ["invalid_choice", `Allowed here: ${(issue.values ?? []).map(String).join(", ")}.`];
    case "invalid_format":
      return ["invalid", formatWords(issue.pattern) ?? issue.message];
    case "invalid_key":
      return ["invalid", issue.issues?.[0]?.message ?? issue.message];
    default:
      return ["invalid", issue.message];
  }
}

function fieldOf(path: readonly PropertyKey[]): string | null {
  return path.length === 0 ? null : path.map(String).join(".");
}

/** One error, or one for each unknown field. */
function errorsOf(issue: FieldIssue, formatWords: FormatWords): FieldError[] {
  if (issue.code === "unrecognized_keys")
    return (issue.keys ?? []).map((key) => ({
      code: "invalid",
      detail: "There is no such field.",
      attr: fieldOf([...issue.path, key]),
    }));
  const [code, detail] = finding(issue, formatWords);
  return [{ code, detail, attr: fieldOf(issue.path) }];
}

/** More wrong fields are not named: a list may have hundreds of thousands of wrong entries. */
const mostErrors = 100;

/**
 * The first error of each wrong field: the others follow from it. At most 100 fields are named. Made of what zod reports with
 * `reportInput`.
 */
export function fieldErrors(
  issues: readonly FieldIssue[],
  formatWords: FormatWords = () => undefined,
): FieldError[] {
  const errors = new Map<string | null, FieldError>();
  for (const issue of issues) {
    for (const error of errorsOf(issue, formatWords))
      if (!errors.has(error.attr)) errors.set(error.attr, error);
    if (errors.size >= mostErrors) break;
  }
  return [...errors.values()].slice(0, mostErrors);
}
