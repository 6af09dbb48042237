import type { WireSchema } from "../../../protocol/json-schema.ts";
import { Fault } from "../../fault.ts";
import { readRequestFields } from "../body/request-fields.ts";
import type { FormFields, RequestFields } from "../body/request-fields.ts";
import type { HttpContext } from "../http-environment.ts";
import type { PathParams } from "./path-params.ts";
import { validated } from "./validation.ts";
import type { OperationSchema } from "./validation.ts";

/** A file of a multipart body. */
export interface FileDescription {
  description: string;
  /** Bytes. */
  maxBytes: number;
  /** Default: it may be left out. */
  required?: boolean;
  /** Whether the field may hold a text instead. Default: no. */
  isAlsoText?: boolean;
}

/** Limits of one request's body, where they depend on more than the operation. */
export interface BodyLimit {
  /** Bytes of a multipart body. */
  maxBytes: number;
  /** Makes the Fault for a larger one. */
  refusal(): Fault;
}

/** A body in JSON, as a form or as multipart. */
export interface BodyDescription<Output, Path extends string> {
  schema: OperationSchema<Output>;
  form?: FormFields;
  files?: Readonly<Record<string, FileDescription>>;
  /** Bytes of the whole body; default: the limit of every JSON body. */
  maxBytes?: number;
  /** Bytes of a JSON or urlencoded body, where more than usual are allowed. */
  textMaxBytes?: number;
  /** Runs before the body is read. Throws a Fault where no body is accepted; may return a narrower limit. */
  beforeReading?: (context: HttpContext, params: PathParams<Path>) => Promise<BodyLimit | undefined>;
  /** Changes the fields before they are validated. */
  prepare?: (fields: Record<string, unknown>) => Record<string, unknown>;
}

/** A body that was read and validated. */
interface CheckedBody<Output> {
  body: Output;
  files: RequestFields["files"];
}

function isKnownField(schema: WireSchema, name: string): boolean {
  const { shape }: { type: string; shape?: object } = schema._zod.def;
  return shape !== undefined && Object.hasOwn(shape, name);
}

/** Throws a Fault for files that are missing, too large or sent for a text field. Unknown ones are ignored, as all fields are. */
function checkFiles<Output, Path extends string>(
  { schema, files: described = {} }: BodyDescription<Output, Path>,
  { fields, files }: RequestFields,
): void {
  for (const name of files.keys())
    if (!Object.hasOwn(described, name) && fields[name] === undefined && isKnownField(schema, name))
      throw Fault.invalid("invalid", "A file was sent for this field; send text.", name);
  for (const [name, { maxBytes, required = false }] of Object.entries(described)) {
    const file = files.get(name);
    if (file !== undefined && file.length > maxBytes)
      throw Fault.invalid("max_length", `The file is larger than ${maxBytes} bytes.`, name);
    if (file !== undefined || !required) continue;
    const isText = fields[name] !== undefined && fields[name] !== "";
    if (isText)
      throw Fault.invalid("invalid", "The submitted data was not a file; use multipart/form-data.", name);
    throw Fault.invalid("required", "A file is required; use multipart/form-data.", name);
  }
}

/** Reads and validates the body of a request, where its operation has one. Throws a Fault. */
export async function readBody<Output, Path extends string>(
  context: HttpContext,
  params: PathParams<Path>,
  description: BodyDescription<Output, Path> | undefined,
): Promise<CheckedBody<Output | undefined>> {
  if (!description) return { body: undefined, files: new Map() };
  const { schema, form = {}, maxBytes, textMaxBytes, beforeReading, prepare } = description;
  const read = await readRequestFields(context, {
    form,
    ...(maxBytes !== undefined && { maxBytes }),
    ...(await beforeReading?.(context, params)),
    ...(textMaxBytes !== undefined && { textMaxBytes }),
  });
  const fields = prepare ? prepare(read.fields) : read.fields;
  const body = validated(schema, fields, { emptyIsAbsent: read.isForm });
  checkFiles(description, read);
  return { body, files: read.files };
}
