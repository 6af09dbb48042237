import type { WireError, WireErrorCode } from "../../protocol/error-body.ts";
import type { WireSchema } from "../../protocol/json-schema.ts";
import { Fault } from "../fault.ts";
import { withoutAbsent } from "./absent-fields.ts";

/** What a schema says of a fault: the part of zod's issues that both of its flavours share. */
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
  keys?: readonly string[];
  issues?: readonly { message: string }[];
}

/** A schema of zod or zod/mini, to validate with. */
export interface Schema<Output> {
  safeParse(
    data: unknown,
    options: { reportInput: boolean },
  ): { success: true; data: Output } | { success: false; error: { issues: readonly object[] } };
}

type Finding = [WireErrorCode, string];

function invalidType({ input, expected }: Issue): Finding {
  if (input === undefined) return ["required", "This field is required."];
  if (input === null) return ["null", "This field may not be null."];
  return ["invalid", `This field must be of type ${expected === "int" ? "integer" : (expected ?? "known")}.`];
}

function tooSmall({ origin, minimum, input }: Issue): Finding {
  if (origin === "string")
    return input === ""
      ? ["blank", "This field may not be blank."]
      : ["invalid", `This field must have at least ${String(minimum)} characters.`];
  if (origin === "array") return ["invalid", `This list must have at least ${String(minimum)} entries.`];
  return ["min_value", `This value must be at least ${String(minimum)}.`];
}

function tooBig({ origin, maximum }: Issue): Finding {
  if (origin === "string")
    return ["max_length", `This field may have at most ${String(maximum)} characters.`];
  if (origin === "array") return ["max_length", `This list may have at most ${String(maximum)} entries.`];
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
    case "invalid_key":
      return ["invalid", issue.issues?.[0]?.message ?? issue.message];
    default:
      return ["invalid", issue.message];
  }
}

function fieldOf(path: readonly PropertyKey[]): string | null {
  return path.length === 0 ? null : path.map(String).join(".");
}

/** One fault, or one for each field that does not exist. */
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

/**
 * The validated fields; throws a Fault with one entry for each field that is wrong. Null for a field that may be left out
 * means that it was left out; so does an empty text where `emptyIsAbsent`.
 */
export function validated<Output>(
  schema: Schema<Output> & WireSchema,
  fields: unknown,
  { emptyIsAbsent = false }: { emptyIsAbsent?: boolean } = {},
): Output {
  const present = withoutAbsent(schema, fields, { emptyIsAbsent });
  const result = schema.safeParse(present, { reportInput: true });
  if (result.success) return result.data;
  throw Fault.validation(result.error.issues.flatMap((issue) => wireErrors(issue as Issue)));
}
