import { expect } from "vitest";
import type { ErrorBody } from "../../src/protocol/schema/error-body.ts";

type Answer = Promise<Response> | Response;

/** The JSON of an answer that must have succeeded. */
export async function jsonOf<Value>(answer: Answer): Promise<Value> {
  const response = await answer;
  const body: unknown = await response.json();
  expect([200, 201], JSON.stringify(body)).toContain(response.status);
  return body as Value;
}

export const statusOf = async (answer: Answer): Promise<number> => (await answer).status;

/** The errors of a refusal. */
export async function errorsOf(answer: Answer): Promise<ErrorBody["errors"]> {
  return ((await (await answer).json()) as ErrorBody).errors;
}

/** A refusal's status, and each of its errors as field and code: `[400, "prompt required"]`. */
export async function refusalOf(answer: Answer): Promise<(number | string)[]> {
  const response = await answer;
  const errors = await errorsOf(response);
  return [response.status, ...errors.map(({ attr, code }) => `${attr ?? "-"} ${code}`)];
}

type FormValue = string | number | Blob | Uint8Array | readonly (string | number)[];

/** A form with these fields: a field for each entry of a list, bytes as a file that has the field's name. */
export function filled<Form extends FormData | URLSearchParams>(
  form: Form,
  fields: Readonly<Record<string, FormValue>>,
): Form {
  for (const [name, value] of Object.entries(fields))
    if (value instanceof Uint8Array) (form as FormData).append(name, new Blob([new Uint8Array(value)]), name);
    else if (value instanceof Blob) (form as FormData).append(name, value);
    else for (const one of [value].flat()) form.append(name, String(one));
  return form;
}
