import { Fault } from "../fault.ts";
import { readLimitedBody } from "./limited-body.ts";
import { multipartEntries, type FormEntry } from "./multipart-body.ts";
import { requestHeader } from "./node-request.ts";

/** The largest JSON or form body, in bytes. */
export const bodyMaxBytes = 256 * 1024;

const maxDepth = 64;

/** How the fields of a form, which are all text, become the values that JSON would carry. Others stay text. */
export interface FormFields {
  /** Repeated keys make the list. */
  lists?: readonly string[];
  numbers?: readonly string[];
  booleans?: readonly string[];
  /** JSON text. */
  structures?: readonly string[];
  /** JSON text or, where it is none, the text itself. */
  looseStructures?: readonly string[];
}

/** A body's fields, by name. Files of a multipart body are apart. */
export interface RequestFields {
  fields: Record<string, unknown>;
  files: Map<string, Uint8Array>;
  /** Whether they came as a form, which has no other sign than an empty text for a field that was left out. */
  isForm: boolean;
}

/** How a body is read. */
export interface ReadOptions {
  form: FormFields;
  /** Bytes; default `bodyMaxBytes`. */
  maxBytes?: number;
  /** Makes the Fault of a multipart body that is larger; default: one that tells how large it may be. */
  refusal?: () => Fault;
  /** Bytes of a JSON or urlencoded body; default: no more than `bodyMaxBytes`. */
  textMaxBytes?: number;
}

function contentType(request: Request): { type: string; charset: string } {
  const [type = "", ...parameters] = (requestHeader(request, "content-type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith("charset="));
  return { type: type.trim(), charset: charset?.slice(8).replaceAll('"', "") ?? "utf-8" };
}

function unsupported(type: string): Fault {
  return Fault.client(415, "unsupported_media_type", `Unsupported media type "${type}" in request.`);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throws a Fault where a text holds what no store keeps as it is: NUL characters, halves of surrogate pairs. */
function checkText(text: string, attr: string | null): void {
  if (text.includes("\0")) throw Fault.invalid("invalid", "Null characters are not allowed.", attr);
  if (/\p{Surrogate}/u.test(text))
    throw Fault.invalid("invalid", "Lone surrogates are not allowed: the text is no valid Unicode.", attr);
}

/**
 * Makes a parsed body safe to keep: no text that cannot be kept, no bottomless nesting, no `__proto__`
 * keys. Walks without recursion, so depth cannot exhaust the stack.
 */
function checkValue(root: unknown): void {
  const open: { value: unknown; depth: number; attr: string | null }[] = [
    { value: root, depth: 0, attr: null },
  ];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { value, depth, attr } = entry;
    if (depth > maxDepth) throw Fault.parse(`The body is nested deeper than ${maxDepth} levels.`);
    if (typeof value === "string") checkText(value, attr);
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
    for (const [key, child] of Object.entries(value)) {
      checkText(key, attr);
      open.push({ value: child, depth: depth + 1, attr: attr === null ? key : `${attr}.${key}` });
    }
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw Fault.parse("The body is not valid JSON.");
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw Fault.parse("The body is not valid UTF-8.");
  }
}

function jsonFields(bytes: Uint8Array): RequestFields {
  const value = bytes.length === 0 ? {} : parseJson(decode(bytes));
  if (!isPlainObject(value)) throw Fault.invalid("invalid", "The body must be a JSON object.");
  return { fields: value, files: new Map(), isForm: false };
}

function urlencodedEntries(bytes: Uint8Array): FormEntry[] {
  return [...new URLSearchParams(decode(bytes))].map(([name, value]) => ({ name, value }));
}

function structure(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false };
  }
}

function formValue(name: string, texts: readonly string[], form: FormFields): unknown {
  const last = texts.at(-1) ?? "";
  if (texts.every((text) => text === "")) return "";
  if (form.lists?.includes(name)) return texts;
  if (form.numbers?.includes(name)) return /^\s*[-+.\d][\d.eE+-]*\s*$/.test(last) ? Number(last) : last;
  if (form.booleans?.includes(name))
    return last.toLowerCase() === "true" ? true : last.toLowerCase() === "false" ? false : last;
  const loose = form.looseStructures?.includes(name) ?? false;
  if (!loose && !form.structures?.includes(name)) return last;
  const parsed = structure(last);
  if (parsed.ok) return parsed.value;
  if (loose) return last;
  throw Fault.invalid("invalid", "This field must be JSON.", name);
}

function formFields(entries: readonly FormEntry[], form: FormFields): RequestFields {
  const files = new Map<string, Uint8Array>();
  const texts = new Map<string, string[]>();
  for (const { name, value } of entries)
    if (typeof value !== "string") files.set(name, value);
    else if (!texts.get(name)?.push(value)) texts.set(name, [value]);
  const fields = Object.create(null) as Record<string, unknown>;
  for (const [name, values] of texts) fields[name] = formValue(name, values, form);
  return { fields: { ...fields }, files, isForm: true };
}

async function readFields(
  request: Request,
  { form, maxBytes = bodyMaxBytes, textMaxBytes = Math.min(maxBytes, bodyMaxBytes), refusal }: ReadOptions,
) {
  const { type, charset } = contentType(request);
  if (!["utf-8", "utf8", "us-ascii"].includes(charset)) throw unsupported(`${type}; charset=${charset}`);
  switch (type) {
    case "application/json":
      return jsonFields(await readLimitedBody(request, textMaxBytes));
    case "application/x-www-form-urlencoded":
      return formFields(urlencodedEntries(await readLimitedBody(request, textMaxBytes)), form);
    case "multipart/form-data": {
      const bytes = await readLimitedBody(request, maxBytes, refusal);
      return formFields(multipartEntries(bytes, requestHeader(request, "content-type") ?? ""), form);
    }
    case "":
      if ((await readLimitedBody(request, 1).catch(() => [0])).length === 0)
        return jsonFields(new Uint8Array());
      throw unsupported("");
    default:
      throw unsupported(type);
  }
}

/**
 * Reads the fields of a JSON, form-urlencoded or multipart body alike. Throws a Fault: 415 for other types, `parse_error`
 * for what cannot be read, `max_length` for what is too large.
 */
export async function readRequestFields(request: Request, options: ReadOptions): Promise<RequestFields> {
  const result = await readFields(request, options);
  checkValue(result.fields);
  return result;
}

/**
 * The fields of a query, by the rules of forms; an empty parameter is one that was left out. Throws a Fault where one holds
 * what no text may hold.
 */
export function readQueryFields(url: URL, form: FormFields): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of new Set(url.searchParams.keys())) {
    const texts = url.searchParams.getAll(name).filter((text) => text !== "");
    if (name !== "__proto__" && texts.length > 0) fields[name] = formValue(name, texts, form);
  }
  checkValue(fields);
  return fields;
}
