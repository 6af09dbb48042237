import type { WireError } from "../../../protocol/error-body.ts";
import { fieldErrors, type FieldIssue } from "../../../protocol/field-errors.ts";
import type { WireSchema } from "../../../protocol/json-schema.ts";
import { Fault } from "../../fault.ts";
import { withoutAbsent } from "./absent-fields.ts";
import { formatWords } from "./format-words.ts";

/** A schema of zod or zod/mini that values are validated with. */
export interface Schema<Output> {
  safeParse(
    data: unknown,
    options: { reportInput: boolean },
  ): { success: true; data: Output } | { success: false; error: { issues: readonly FieldIssue[] } };
}

/** A schema that both validates and documents. */
export type OperationSchema<Output> = Schema<Output> & WireSchema<Output>;

/** Fields after their check: what the schema made of them, or one entry for each wrong one. */
export type CheckedFields<Output> = { ok: true; data: Output } | { ok: false; errors: WireError[] };

/** Checks fields whose absent ones are removed already (`withoutAbsent`). */
export function checkedFields<Output>(schema: Schema<Output>, fields: unknown): CheckedFields<Output> {
  const result = schema.safeParse(fields, { reportInput: true });
  if (result.success) return { ok: true, data: result.data };
  return { ok: false, errors: fieldErrors(result.error.issues, formatWords) };
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
