import fc from "fast-check";
import { jsonSchema, type JsonSchema } from "../../../../src/protocol/schema/json-schema.ts";
import type { Operation } from "../../../../src/service/http/operations/operation.ts";

/** Texts that break careless code. */
export const oddText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ maxLength: 20 }),
  fc.constantFrom(
    ...["", " ", "\0", "a\0b", "\ud800", "\udfff tail", "__proto__", "constructor", "../../etc/passwd"],
    ...["%00", "1e999", "null", "[object Object]", "'; drop table session; --"],
    ...["https://user:pass@example.com/", "data:image/png;base64,AAAA", "\u202e\u{1f600}"],
    "x".repeat(20_000),
  ),
);

export const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.jsonValue(),
  fc.constantFrom(null, true, false, -0, -1, 0.5, 101, 2 ** 31, 2 ** 53, 1e308, [], {}, [[]], { a: null }),
  fc.array(oddText, { maxLength: 4 }),
);

type Property = JsonSchema | boolean;

function textOf({ minLength = 0, maxLength = 40, pattern }: JsonSchema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 40) });
}

/** Values that a schema accepts, as far as a generator can tell. */
function valueOf(schema: Property | undefined, depth = 0): fc.Arbitrary<unknown> {
  if (schema === undefined || typeof schema === "boolean" || depth > 6) return fc.jsonValue();
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valueOf(choice, depth + 1)));
  switch (schema.type) {
    case "string":
      return textOf(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -5, max: Math.min(schema.maximum ?? 200, 2 ** 31) });
    case "number":
      return fc.double({ min: schema.minimum ?? -5, max: schema.maximum ?? 5, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array": {
      const item = Array.isArray(schema.items) ? undefined : schema.items;
      return fc.array(valueOf(item, depth + 1), { minLength: schema.minItems ?? 0, maxLength: 3 });
    }
    case "object":
      return objectOf(schema, depth + 1);
    default:
      return fc.jsonValue();
  }
}

function objectOf({ properties = {}, required = [] }: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, depth)]),
  );
  return fc.record(model, { requiredKeys: required });
}

/** The JSON schema of an operation's body or query. */
export function inputSchema(fields: Operation["query"]): JsonSchema | null {
  if (!fields) return null;
  return jsonSchema(fields.schema, { direction: "input", named: new Map(), uri: (name) => name });
}

/** Identifiers that the first start's catalogues have, by the fields that name them. */
const knownIdentifiers: Readonly<Record<string, unknown>> = {
  capability: ["TTS"],
  tts_type: "visavis-slt",
  llm_type: "visavis-retrieval",
  model_style: "mina",
  background_image: "room",
  image: "https://pictures.example/room.webp",
  event: "SESSION_LOG",
};

/** Bodies that are valid by their schema, with few of the optional fields. */
function rightObjects({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  const field = (name: string) => {
    const generated = valueOf(properties[name]);
    const known = knownIdentifiers[name];
    return known === undefined
      ? generated
      : fc.oneof({ weight: 5, arbitrary: fc.constant(known) }, generated);
  };
  return fc
    .subarray(optional, { maxLength: Math.min(3, optional.length) })
    .chain((chosen) =>
      fc.record(Object.fromEntries([...required, ...chosen].map((name) => [name, field(name)]))),
    );
}

/** Objects that are valid, or wrong in one or several fields. */
function objects(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const names = [...Object.keys(schema.properties ?? {}), "file", "__proto__", "unknown"];
  const spoilt = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), oddValue), {
    selector: ([name]) => name,
    maxLength: 3,
  });
  return fc.tuple(rightObjects(schema), fc.oneof(fc.constant([]), spoilt)).map(([object, entries]) => {
    const result: Record<string, unknown> = { ...object };
    for (const [name, value] of entries) Object.defineProperty(result, name, { value, enumerable: true });
    return result;
  });
}

const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function urlencoded(object: Record<string, unknown>): string {
  return Object.entries(object)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, text(one)]))
    .map(([name = "", value = ""]) => `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(value))}`)
    .join("&");
}

function multipart(object: Record<string, unknown>, asFiles: boolean): string {
  const parts = Object.entries(object).map(
    ([name, value]) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"${asFiles ? '; filename="../x"' : ""}\r\n\r\n${text(value)}\r\n`,
  );
  return `${parts.join("")}--b--\r\n`;
}

/** The text with U+FFFD for every lone surrogate, as it can stand in a URL. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

export interface OddBody {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
}

const json = "application/json";
const form = "application/x-www-form-urlencoded";
const parts = "multipart/form-data; boundary=b";

/** Bodies for a schema: in each media type, and invalid in each way. */
export function oddBodies(schema: JsonSchema): fc.Arbitrary<OddBody> {
  const object = objects(schema);
  const first = Object.keys(schema.properties ?? {})[0] ?? "a";
  const asJson = object.map((value) => JSON.stringify(value));
  const deep = `{"${first}":${"[".repeat(5_000)}${"]".repeat(5_000)}}`;
  type Body = OddBody["body"];
  const of = (bodyType: string, body: fc.Arbitrary<Body>) =>
    body.map((value): OddBody => ({ type: bodyType, body: value }));
  const twice = (body: string) => `${body.slice(0, -1)},"${first}":7,"${first}":[]}`;
  const long = `{"${first}":"${"x".repeat(300_000)}"}`;
  const otherTypes = ["text/plain", "multipart/form-data", ";;;", `${json}; charset=utf-16`, "image/png"];
  return fc.oneof(
    { weight: 8, arbitrary: of(json, asJson) },
    { weight: 3, arbitrary: of(form, object.map(urlencoded)) },
    {
      weight: 3,
      arbitrary: of(
        parts,
        fc.tuple(object, fc.boolean()).map((given) => multipart(...given)),
      ),
    },
    of(
      json,
      asJson.map((body) => body.slice(0, -3)),
    ),
    of(json, asJson.map(twice)),
    of(json, fc.json()),
    of(json, fc.constantFrom(deep, long, "", "[]", "null", '"a"', "\ufeff{}")),
    of(
      json,
      fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)),
    ),
    of(form, fc.constantFrom("%zz=%", "&&&", "=", `${first}=1&${first}=2`, "a[b]=c")),
    of(parts, fc.string()),
    fc.record<OddBody>({ type: fc.constantFrom(...otherTypes), body: asJson }),
  );
}

/** Queries for a schema: its parameter names with valid and invalid values. */
export function oddQueries(schema: JsonSchema): fc.Arbitrary<string> {
  const names = [...Object.keys(schema.properties ?? {}), "__proto__", "unknown"];
  const entry = fc.tuple(fc.constantFrom(...names), fc.oneof(oddText, valueOf(schema).map(text)));
  return fc
    .array(entry, { maxLength: 4 })
    .map((entries) =>
      entries.map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(value))}`).join("&"),
    );
}
