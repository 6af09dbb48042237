import { Fault } from "../../fault.ts";
import { isPlainObject } from "../../plain-object.ts";
import type { HttpContext } from "../http-environment.ts";
import { requestHeader } from "../node-request.ts";
import { readLimitedBody } from "./limited-body.ts";
import { multipartEntries, type FormEntry } from "./multipart-body.ts";

/** The largest JSON or form body, in bytes. */
export const bodyMaxBytes = 256 * 1024;

const maxDepth = 64;

/** How the text fields of a form are converted to the values that JSON would hold. Fields not named here stay text. */
export interface FormFields {
  /**
   * Each repetition of the key is an entry. The key may also be `name[]` or `name[0]`, as libraries of many languages write lists; and
   * one text may be the whole list as JSON.
   */
  lists?: readonly string[];
  numbers?: readonly string[];
  /** `true` and `false`, or what checkboxes and libraries send for them: `on`, `1`, `yes`, and their opposites. */
  booleans?: readonly string[];
  /** JSON text. */
  structures?: readonly string[];
  /** JSON text; text that is not JSON stays as it is. */
  looseStructures?: readonly string[];
}

/** A body's fields by name. Files of a multipart body are separate. */
export interface RequestFields {
  fields: Record<string, unknown>;
  files: Map<string, Uint8Array>;
  /** Whether they came as a form, where an empty text means that a field was left out. */
  isForm: boolean;
}

/** How a body is read. */
export interface ReadOptions {
  form: FormFields;
  /** Bytes; default `bodyMaxBytes`. */
  maxBytes?: number;
  /** Makes the Fault for a multipart body that is too large; default: one that names the limit. */
  refusal?: () => Fault;
  /** Bytes of a JSON or urlencoded body; default: no more than `bodyMaxBytes`. */
  textMaxBytes?: number;
}

function contentType(context: HttpContext): { type: string; charset: string } {
  const [type = "", ...parameters] = (requestHeader(context, "content-type") ?? "").toLowerCase().split(";");
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith("charset="));
  return { type: type.trim(), charset: charset?.slice(8).replaceAll('"', "") ?? "utf-8" };
}

function unsupported(what: string, remedy: string): Fault {
  return Fault.client(415, "unsupported_media_type", `Unsupported ${what} in request. ${remedy}`);
}

function unsupportedType(type: string): Fault {
  const remedy = "Send application/json, application/x-www-form-urlencoded or multipart/form-data.";
  return unsupported(`media type "${type}"`, remedy);
}

/** Throws a 415 Fault for a body that is compressed. */
function checkEncoding(context: HttpContext): void {
  const encoding = requestHeader(context, "content-encoding") ?? "";
  if (!["", "identity"].includes(encoding.trim().toLowerCase()))
    throw unsupported(`content encoding "${encoding}"`, "Send the body without compression.");
}

/** Throws a Fault for text that a store would not keep unchanged: NUL characters, halves of surrogate pairs. */
function checkText(text: string, attr: string | null): void {
  if (text.includes("\0")) throw Fault.invalid("invalid", "Null characters are not allowed.", attr);
  if (/\p{Surrogate}/u.test(text))
    throw Fault.invalid("invalid", "The text is not valid Unicode: lone surrogates are not allowed.", attr);
}

/**
 * Makes a parsed body safe to store: refuses text that cannot be stored and excessive nesting, removes `__proto__` keys.
 * Walks without recursion, so that depth cannot exhaust the stack.
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
    return JSON.parse(text);
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

/** Throws a Fault for escapes that are not UTF-8, which `URLSearchParams` would replace by other characters. */
function checkEscapes(text: string): void {
  try {
    // A percent sign that begins no escape stands for itself (URL Standard, percent-decode).
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "%25"));
  } catch {
    throw Fault.parse("The body is not valid UTF-8.");
  }
}

function urlencodedEntries(bytes: Uint8Array): FormEntry[] {
  const text = decode(bytes);
  checkEscapes(text);
  return [...new URLSearchParams(text)].map(([name, value]) => ({ name, value }));
}

function structure(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    const parsed: unknown = JSON.parse(text);
    return { ok: true, value: parsed };
  } catch {
    return { ok: false };
  }
}

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ...["true", "on", "1", "yes"].map((word) => [word, true] as const),
  ...["false", "off", "0", "no"].map((word) => [word, false] as const),
]);

/** The field that a key of a form names. */
function fieldOf(key: string, { lists = [] }: FormFields): string {
  const list = /^([^[]+)\[\d*\]$/.exec(key)?.[1];
  return list !== undefined && lists.includes(list) ? list : key;
}

/** The entries of a list. Forms also send an empty text, so that a list without entries is sent at all. */
function listValue(texts: readonly string[]): readonly unknown[] {
  const [first = "", ...more] = texts.filter((text) => text !== "");
  const whole = more.length === 0 ? structure(first) : { ok: false as const };
  return whole.ok && Array.isArray(whole.value) ? whole.value : [first, ...more];
}

function formValue(name: string, texts: readonly string[], form: FormFields): unknown {
  const last = texts.at(-1) ?? "";
  if (texts.every((text) => text === "")) return "";
  if (form.lists?.includes(name)) return listValue(texts);
  if (form.numbers?.includes(name)) return /^\s*[-+.\d][\d.eE+-]*\s*$/.test(last) ? Number(last) : last;
  if (form.booleans?.includes(name)) return booleanWords.get(last.toLowerCase()) ?? last;
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
  for (const { name: key, value } of entries) {
    const name = fieldOf(key, form);
    if (typeof value !== "string") files.set(name, value);
    else if (!texts.get(name)?.push(value)) texts.set(name, [value]);
  }
  const fields = [...texts].map(([name, values]) => [name, formValue(name, values, form)] as const);
  return { fields: Object.fromEntries(fields), files, isForm: true };
}

async function readFields(
  context: HttpContext,
  { form, maxBytes = bodyMaxBytes, textMaxBytes = Math.min(maxBytes, bodyMaxBytes), refusal }: ReadOptions,
) {
  const { type, charset } = contentType(context);
  if (!["utf-8", "utf8", "us-ascii"].includes(charset))
    throw unsupported(`charset "${charset}"`, "Send the body in UTF-8.");
  checkEncoding(context);
  switch (type) {
    case "application/json":
      return jsonFields(await readLimitedBody(context, textMaxBytes));
    case "application/x-www-form-urlencoded":
      return formFields(urlencodedEntries(await readLimitedBody(context, textMaxBytes)), form);
    case "multipart/form-data": {
      const bytes = await readLimitedBody(context, maxBytes, refusal);
      return formFields(multipartEntries(bytes, requestHeader(context, "content-type") ?? ""), form);
    }
    case "":
      if ((await readLimitedBody(context, 1).catch(() => [0])).length === 0)
        return jsonFields(new Uint8Array());
      throw unsupportedType("");
    default:
      throw unsupportedType(type);
  }
}

/**
 * Reads the fields of a JSON, form-urlencoded or multipart body. Throws a Fault: 415 for other types, `parse_error` for a
 * body that cannot be parsed, `max_length` for one that is too large.
 */
export async function readRequestFields(context: HttpContext, options: ReadOptions): Promise<RequestFields> {
  const result = await readFields(context, options);
  checkValue(result.fields);
  return result;
}

/**
 * The fields of a query, converted like those of a form. An empty parameter counts as left out. Throws a Fault for text that
 * cannot be stored.
 */
export function readQueryFields(url: URL, form: FormFields): Record<string, unknown> {
  const given = [...url.searchParams].filter(([, text]) => text !== "");
  const { fields } = formFields(
    given.map(([name, value]) => ({ name, value })),
    form,
  );
  checkValue(fields);
  return fields;
}
