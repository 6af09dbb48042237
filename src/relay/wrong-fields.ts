import type { WireError, WireErrorCode } from "../protocol/error-body.ts";

/** An error of one field. */
export type WrongField = WireError & { code: WireErrorCode };

/** What a schema reports of a wrong field: the part of an issue that is needed here. */
interface Issue {
  code?: string | undefined;
  path: readonly PropertyKey[];
  input?: unknown;
  expected?: string;
  maximum?: number | bigint;
  values?: readonly unknown[];
}

/** What a field must be, in the words of JSON. */
const typeWords: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a text",
};

function finding({
  code,
  input,
  path,
  expected = "",
  maximum,
  values = [],
}: Issue): Omit<WrongField, "attr"> {
  if (path.length === 0) return { code: "invalid", detail: "The body must be a JSON object." };
  if (input === undefined) return { code: "required", detail: "This field is required." };
  if (input === "") return { code: "blank", detail: "This field may not be blank." };
  if (code === "invalid_type" && typeWords[expected] !== undefined)
    return { code: "invalid", detail: `This field must be ${typeWords[expected]}.` };
  if (code === "too_big")
    return {
      code: "max_length",
      detail: `This field may have at most ${String(maximum)} characters or entries.`,
    };
  if (code === "invalid_value")
    return { code: "invalid_choice", detail: `Allowed here: ${values.map(String).join(", ")}.` };
  return { code: "invalid", detail: "This field is not valid." };
}

/** One error for each wrong field of a request. */
export function wrongFields(issues: readonly Issue[]): WrongField[] {
  return issues.map((issue) => ({
    ...finding(issue),
    attr: issue.path.length === 0 ? null : issue.path.map(String).join("."),
  }));
}
