import { getMultipartBoundary, parseMultipart } from "@remix-run/multipart-parser";
import { Fault } from "../../faults/fault.ts";
import { isPlainObject } from "../../plain-object.ts";
import type { HttpContext } from "../http-environment.ts";
import { requestHeader } from "../node-request.ts";
import { checkFieldCount, checkJsonShape, maxDepth, refuseDepth } from "./json-shape.ts";
import { readLimitedBody } from "./limited-body.ts";

/** One field of a multipart body: a text, or a file's bytes. */
interface FormEntry {
  name: string;
  value: string | Uint8Array;
}

/** No form has more parts. Each part costs far more memory than its bytes. */
const maxParts = 1_000;

/** Some clients send an empty line first, as a preamble. */
function withoutEmptyLines(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (bytes[start] === 13 && bytes[start + 1] === 10) start += 2;
  return bytes.subarray(start);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function* entries(bytes: Uint8Array, boundary: string): Generator<FormEntry> {
  const { length } = bytes;
  const limits = { boundary, maxFileSize: length, maxTotalSize: length, maxHeaderSize: length };
  let parts = 0;
  for (const part of parseMultipart(withoutEmptyLines(bytes), limits)) {
    if (++parts > maxParts) throw new Error("The body has too many parts.");
    if (part.name === undefined) continue;
    // What a browser's form sends for a file field in which no file was chosen.
    if (part.filename === "" && part.size === 0) continue;
    // A part that is in one piece is a view of the body, not a copy.
    const [only, more] = part.content;
    const bytes = only !== undefined && more === undefined ? viewOf(only) : part.bytes;
    yield { name: part.name, value: part.isFile ? bytes : part.text };
  }
}

/**
 * The fields of a multipart body in their order. `contentType` is the header, which names the boundary. Every boundary of
 * RFC 2046 is accepted, because clients differ (`Request.formData` accepts none under 27 characters). Throws a Fault,
 * `parse_error`.
 */
export function multipartEntries(bytes: Uint8Array, contentType: string): FormEntry[] {
  const boundary = getMultipartBoundary(contentType)?.trim();
  if (!boundary) throw Fault.parse("The Content-Type header of a multipart body must name its boundary.");
  try {
    if (bytes.length > 0) return [...entries(bytes, boundary)];
  } catch {
    // Reported below, like an empty body.
  }
  throw Fault.parse("The body is not valid multipart/form-data.");
}

/** The largest JSON or form body, in bytes. */
export const bodyMaxBytes = 256 * 1024;

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
interface ReadOptions {
  form: FormFields;
  /** Bytes; default `bodyMaxBytes`. */
  maxBytes?: number;
  /** Makes the Fault for a multipart body that is too large; default: one that names the limit. */
  refusal?: () => Fault;
  /** Bytes of a JSON or urlencoded body; default: no more than `bodyMaxBytes`. */
  textMaxBytes?: number;
  /** Fields whose value is kept as it is, whatever JSON it is. */
  anyJson?: ReadonlySet<string>;
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

/**
 * Throws a Fault for text that a store would not keep unchanged: NUL characters, halves of surrogate pairs. `attrOf` makes the path of
 * the text, only for the error: of each of many texts it would take long.
 */
function checkText(text: string, attrOf: () => string | null): void {
  if (text.includes("\0")) throw Fault.invalid("invalid", "Null characters are not allowed.", attrOf());
  if (!text.isWellFormed())
    throw Fault.invalid(
      "invalid",
      "The text is not valid Unicode: lone surrogates are not allowed.",
      attrOf(),
    );
}

/** An object or a list in a body, and where it is. */
interface Place {
  value: object;
  depth: number;
  attrOf: () => string | null;
  /** It is in a field that may be any JSON. */
  isFree: boolean;
}

/**
 * Makes a parsed body safe to store: refuses text that cannot be stored and excessive nesting, removes `__proto__` keys outside of
 * the fields that may be any JSON. Walks without recursion, so that depth cannot exhaust the stack.
 */
function checkValue(root: object, anyJson: ReadonlySet<string> = new Set()): void {
  const open: Place[] = [{ value: root, depth: 0, attrOf: () => null, isFree: false }];
  for (let place = open.pop(); place; place = open.pop()) {
    const { value, depth, attrOf, isFree } = place;
    if (!isFree && Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
    for (const [key, child] of Object.entries(value)) {
      const given: unknown = child;
      const childAttr = (): string => [attrOf(), key].filter((part) => part !== null).join(".");
      checkText(key, attrOf);
      if (depth >= maxDepth) refuseDepth();
      if (typeof given === "string") checkText(given, childAttr);
      else if (typeof given === "object" && given !== null) {
        const isFreeToo = isFree || (depth === 0 && anyJson.has(key));
        open.push({ value: given, depth: depth + 1, attrOf: childAttr, isFree: isFreeToo });
      }
    }
  }
}

function parseJson(text: string): unknown {
  checkJsonShape(text);
  try {
    return JSON.parse(text);
  } catch {
    throw Fault.parse("The body is not valid JSON.");
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
/** Only the beginning of a whole body can be a byte order mark. */
const utf8OfPart = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array, decoder = utf8): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw Fault.parse("The body is not valid UTF-8.");
  }
}

function jsonFields(bytes: Uint8Array): RequestFields {
  const value = bytes.length === 0 ? {} : parseJson(decode(bytes));
  if (!isPlainObject(value)) throw Fault.invalid("invalid", "The body must be a JSON object.");
  return { fields: value, files: new Map(), isForm: false };
}

/** The values of hexadecimal digits, by their character; -1 for all others. */
const hexadecimal = Int8Array.from({ length: 256 }, (_, code) => {
  const digit = String.fromCharCode(code);
  return /[\da-f]/i.test(digit) ? parseInt(digit, 16) : -1;
});

/** Bytes of a form's names and values. */
const ampersand = 0x26;
const equalsSign = 0x3d;
const percentSign = 0x25;
const plusSign = 0x2b;
const space = 0x20;

/**
 * A name or value of a form, with its escapes and plus signs replaced (URL Standard, application/x-www-form-urlencoded). `URLSearchParams`
 * would take five times as long for a body of escapes, and put other characters in the place of those that are not UTF-8.
 */
function formText(bytes: Uint8Array): string {
  const digitAt = (at: number): number => hexadecimal[bytes[at] ?? 0] ?? -1;
  const decoded = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    // A percent sign that begins no escape stands for itself.
    if (byte === percentSign && digitAt(at + 1) >= 0 && digitAt(at + 2) >= 0) {
      decoded[length++] = 16 * digitAt(at + 1) + digitAt(at + 2);
      at += 2;
    } else decoded[length++] = byte === plusSign ? space : byte;
  }
  return decode(decoded.subarray(0, length), utf8OfPart);
}

function urlencodedEntries(bytes: Uint8Array): FormEntry[] {
  checkFieldCount(bytes);
  const entries: FormEntry[] = [];
  for (let from = 0; from < bytes.length;) {
    const next = bytes.indexOf(ampersand, from);
    const field = bytes.subarray(from, next === -1 ? bytes.length : next);
    from += field.length + 1;
    if (field.length === 0) continue;
    const sign = field.indexOf(equalsSign);
    const name = sign === -1 ? field : field.subarray(0, sign);
    entries.push({ name: formText(name), value: sign === -1 ? "" : formText(field.subarray(sign + 1)) });
  }
  return entries;
}

function structure(text: string): { ok: true; value: unknown } | { ok: false } {
  try {
    checkJsonShape(text);
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
  checkValue(result.fields, options.anyJson);
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
