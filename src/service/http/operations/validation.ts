import type { WireError, WireErrorCode } from "../../../protocol/error-body.ts";
import type { WireSchema } from "../../../protocol/json-schema.ts";
import { Fault } from "../../fault.ts";
import { withoutAbsent } from "./absent-fields.ts";
import { formatWords } from "./format-words.ts";

/** What a schema reports of a wrong value: the part of an issue that zod and zod/mini share. */
interface Issue {
  code?: string | undefined;
  path: PropertyKey[];
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

/** A schema of zod or zod/mini that values are validated with. */
export interface Schema<Output> {
  safeParse(
    data: unknown,
    options: { reportInput: boolean },
  ): { success: true; data: Output } | { success: false; error: { issues: readonly Issue[] } };
}

/** A schema that both validates and documents. */
export type OperationSchema<Output> = Schema<Output> & WireSchema<Output>;

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

function invalidType({ input, expected = "" }: Issue): Finding {
  if (input === undefined) return ["required", "This field is required."];
  if (input === null) return ["null", "This field may not be null."];
  return ["invalid", `This field must be ${typeWords[expected] ?? `of type ${expected}`}.`];
}

function counted(count: number | bigint | undefined, one: string, many: string): string {
  return `${String(count)} ${Number(count) === 1 ? one : many}`;
}

function tooSmall({ origin, minimum, input }: Issue): Finding {
  if (origin === "string")
    return input === ""
      ? ["blank", "This field may not be blank."]
      : ["invalid", `This field must have at least ${counted(minimum, "character", "characters")}.`];
  if (origin === "array")
    return ["invalid", `This list must have at least ${counted(minimum, "entry", "entries")}.`];
  return ["min_value", `This value must be at least ${String(minimum)}.`];
}

function tooBig({ origin, maximum }: Issue): Finding {
  if (origin === "string")
    return ["max_length", `This field may have at most ${counted(maximum, "character", "characters")}.`];
  if (origin === "array")
    return ["max_length", `This list may have at most ${counted(maximum, "entry", "entries")}.`];
  return ["max_value", `This value may be at most ${String(maximum)}.`];
}

function finding(issue: Issue): Finding {
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
function wireErrors(issue: Issue): WireError[] {
  if (issue.code === "unrecognized_keys")
    return (issue.keys ?? []).map((key) => ({
      code: "invalid",
      detail: "There is no such field.",
      attr: fieldOf([...issue.path, key]),
    }));
  const [code, detail] = finding(issue);
  return [{ code, detail, attr: fieldOf(issue.path) }];
}

/** Fields after their check: what the schema made of them, or one entry for each wrong one. */
export type CheckedFields<Output> = { ok: true; data: Output } | { ok: false; errors: WireError[] };

/** The first error of each field: the others follow from it. */
function firstOfEach(errors: readonly WireError[]): WireError[] {
  return errors.filter((error, index) => errors.findIndex(({ attr }) => attr === error.attr) === index);
}

/** Checks fields whose absent ones are removed already (`withoutAbsent`). */
export function checkedFields<Output>(schema: Schema<Output>, fields: unknown): CheckedFields<Output> {
  const result = schema.safeParse(fields, { reportInput: true });
  if (result.success) return { ok: true, data: result.data };
  return { ok: false, errors: firstOfEach(result.error.issues.flatMap((issue) => wireErrors(issue))) };
}

/**
 * The errors of several checks of the same fields. Where one has named a field, what others say of it or of what is in it is left out:
 * it follows from the first.
 */
export function joinedErrors(first: readonly WireError[], further: readonly WireError[]): WireError[] {
  const isNamed = ({ attr }: WireError): boolean =>
    first.some((error) => error.attr !== null && (attr === error.attr || attr?.startsWith(`${error.attr}.`)));
  return [...first, ...further.filter((error) => !isNamed(error))];
}

/**
 * Validates fields. Throws a Fault with one entry for each wrong field. For an optional field, null means that it was left
 * out; with `emptyIsAbsent` an empty text does too.
 */
export function validated<Output>(
  schema: Schema<Output> & WireSchema,
  fields: unknown,
  { emptyIsAbsent = false }: { emptyIsAbsent?: boolean } = {},
): Output {
  const checked = checkedFields(schema, withoutAbsent(schema, fields, { emptyIsAbsent }));
  if (!checked.ok) throw Fault.validation(checked.errors);
  return checked.data;
}
