import type { HttpContext } from "../http-environment.ts";
import type { WireError, WireErrorCode } from "../../../protocol/schema/error-body.ts";
import type { WireSchema } from "../../../protocol/schema/json-schema.ts";
import { isPlainObject } from "../../plain-object.ts";
import { Fault } from "../../faults/fault.ts";
import { type FormFields, readRequestFields, type RequestFields } from "../body/request-fields.ts";
import type { Caller } from "../identity.ts";
import { checkedFields, joinedErrors, type OperationSchema, withoutAbsent } from "./validation.ts";

type ParamName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parameters of a path in Hono's form, `/session/:session/`. They are texts: what they name is the store's business. */
export type PathParams<Path extends string> = Readonly<Record<ParamName<Path>, string>>;

/** The names of a path's parameters in their order. */
export function paramNames(path: string): string[] {
  return [...path.matchAll(/:([a-z_]+)/g)].map(([, name = ""]) => name);
}

/** Reads the parameters of requests to a path. */
export function paramReader<Path extends string>(path: Path): (context: HttpContext) => PathParams<Path> {
  const names = paramNames(path);
  return (context) =>
    // eslint-disable-next-line no-restricted-syntax -- the names are those that the type reads from the same path
    Object.fromEntries(names.map((name) => [name, context.req.param(name) ?? ""])) as PathParams<Path>;
}

/** A file of a multipart body. */
interface FileDescription {
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
  /**
   * The errors that the handler would find besides, for fields that the schema refuses: so all are answered at once. The handler
   * checks the others itself.
   */
  furtherErrors?: (
    caller: Caller,
    fields: Record<string, unknown>,
    files: RequestFields["files"],
  ) => Promise<WireError[]> | WireError[];
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

/** Whether a schema takes every value. */
function takesAnything({ _zod: { def } }: WireSchema): boolean {
  const { type, innerType }: { type: string; innerType?: WireSchema } = def;
  return type === "unknown" || (innerType !== undefined && takesAnything(innerType));
}

/** The fields of a body that may be any JSON. */
function anyJsonFields(schema: WireSchema): ReadonlySet<string> {
  const { shape = {} }: { type: string; shape?: Record<string, WireSchema> } = schema._zod.def;
  return new Set(Object.entries(shape).flatMap(([name, field]) => (takesAnything(field) ? [name] : [])));
}

/** Errors of files that are missing, too large or sent for a text field. Unknown ones are ignored, as all fields are. */
function fileErrors<Output, Path extends string>(
  { schema, files: described = {} }: BodyDescription<Output, Path>,
  { fields, files }: RequestFields,
): WireError[] {
  const errors: WireError[] = [];
  const add = (code: WireErrorCode, detail: string, attr: string) => errors.push({ code, detail, attr });
  for (const name of files.keys())
    if (!Object.hasOwn(described, name) && fields[name] === undefined && isKnownField(schema, name))
      add("invalid", "A file was sent for this field; send text.", name);
  for (const [name, { maxBytes, required = false }] of Object.entries(described)) {
    const file = files.get(name);
    const isText = fields[name] !== undefined && fields[name] !== "";
    if (file !== undefined && file.length > maxBytes)
      add("max_length", `The file is larger than ${maxBytes} bytes.`, name);
    else if (file === undefined && required && isText)
      add("invalid", "The submitted data was not a file; use multipart/form-data.", name);
    else if (file === undefined && required)
      add("required", "A file is required; use multipart/form-data.", name);
  }
  return errors;
}

/** Reads and validates the body of a request, where its operation has one. Throws a Fault with one entry for each wrong field. */
export async function readBody<Output, Path extends string>(
  context: HttpContext,
  caller: Caller | null,
  params: PathParams<Path>,
  description: BodyDescription<Output, Path> | undefined,
): Promise<CheckedBody<Output | undefined>> {
  if (!description) return { body: undefined, files: new Map() };
  const { schema, form = {}, maxBytes, textMaxBytes, beforeReading, prepare, furtherErrors } = description;
  const read = await readRequestFields(context, {
    form,
    anyJson: anyJsonFields(schema),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(await beforeReading?.(context, params)),
    ...(textMaxBytes !== undefined && { textMaxBytes }),
  });
  const given = prepare ? prepare(read.fields) : read.fields;
  const fields = withoutAbsent(schema, given, { emptyIsAbsent: read.isForm });
  const checked = checkedFields(schema, fields);
  // A file may be sent for a text field, which is missing then: what is said of the file tells more.
  const errors = joinedErrors(fileErrors(description, read), checked.ok ? [] : checked.errors);
  if (checked.ok && errors.length === 0) return { body: checked.data, files: read.files };
  const further =
    caller && isPlainObject(fields) ? await furtherErrors?.(caller, fields, read.files) : undefined;
  throw Fault.validation(joinedErrors(errors, further ?? []));
}
