import { jsonSchema, namedJsonSchemas } from "../../protocol/json-schema.ts";
import type { Direction, WireSchema } from "../../protocol/json-schema.ts";
import type { DocumentedAnswer, DocumentedOperation } from "./documented-operations.ts";
import { withNulls } from "./openapi-nulls.ts";
import { namedSchemas } from "./openapi-schemas.ts";
import type { Access, OperationDescription } from "./operation.ts";

/** Part of the document: plain JSON. */
interface JsonObject {
  [name: string]: Json;
}
type Json = JsonObject | Json[] | string | number | boolean | null;

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends JsonObject {
  openapi: string;
  info: { title: string; version: string; description: string };
  paths: Record<string, JsonObject>;
}

const naming = (direction: Direction) => ({
  direction,
  named: namedSchemas,
  uri: (name: string) => `#/components/schemas/${name}`,
});

const schemaOf = (schema: WireSchema, direction: Direction): JsonObject =>
  jsonSchema(schema, naming(direction)) as JsonObject;

/** The security of each kind of access; `{}` is no credential at all. */
const securityOf: Record<Access, JsonObject[]> = {
  open: [],
  session: [{}, { ServicePlatformApiKey: [] }, { XpApiKey: [] }],
  key: [{ ServicePlatformApiKey: [] }, { XpApiKey: [] }],
  voices: [{ ServicePlatformApiKey: [] }, { XpApiKey: [] }, { XiApiKey: [] }],
  console: [{ ServicePlatformApiKey: [] }, { XpApiKey: [] }, { ConsoleSession: [] }],
};

const header = (name: string): JsonObject => ({ type: "apiKey", in: "header", name });

const securitySchemes: JsonObject = {
  ServicePlatformApiKey: header("ServicePlatform-APIKey"),
  XpApiKey: header("XP-API-KEY"),
  XiApiKey: header("xi-api-key"),
  ConsoleSession: { type: "apiKey", in: "cookie", name: "visavis_console" },
};

const rateLimitHeaders: JsonObject = {
  "X-RateLimit-Limit": { description: "Requests allowed in this window", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Requests left", schema: { type: "integer" } },
  "X-RateLimit-Reset": {
    description: "When the window resets, Unix seconds",
    schema: { type: "integer" },
  },
};

/** The path in OpenAPI's form, `{name}`. */
export function openApiPath(path: string): string {
  return path.replace(/:([a-z_]+)/g, "{$1}");
}

function pathParameters(path: string): JsonObject[] {
  return [...path.matchAll(/:([a-z_]+)/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters({ query }: OperationDescription): JsonObject[] {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchema(query.schema, naming("input"));
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: schema as JsonObject,
  }));
}

/** The body's schema where files come along: each a binary field, beside the text that the field may hold instead. */
function multipartSchema(schema: JsonObject, { files = {} }: NonNullable<OperationDescription["body"]>) {
  const texts = (schema["properties"] ?? {}) as JsonObject;
  const binary = Object.entries(files).map(([name, { description, maxBytes, isAlsoText = false }]) => {
    const file = {
      type: "string",
      format: "binary",
      maxLength: maxBytes,
      description: `${description}; at most ${maxBytes} bytes`,
    };
    return [name, isAlsoText ? { anyOf: [file, texts[name] ?? {}] } : file];
  });
  const needed = Object.keys(files).filter((name) => files[name]?.required);
  const properties = { ...texts, ...Object.fromEntries(binary) } as JsonObject;
  const required = [...((schema["required"] ?? []) as string[]), ...needed];
  return { ...schema, properties, ...(required.length > 0 && { required }) };
}

function requestBody({ body }: OperationDescription): JsonObject | null {
  if (!body) return null;
  const schema = withNulls(jsonSchema(body.schema, naming("input"))) as JsonObject;
  const { structures = [], looseStructures = [] } = body.form ?? {};
  const asJson = [...structures, ...looseStructures];
  const encoding: JsonObject = Object.fromEntries(
    asJson.map((name) => [name, { contentType: "application/json" }]),
  );
  const form = asJson.length > 0 ? { encoding } : {};
  return {
    required: true,
    content: {
      "application/json": { schema },
      "application/x-www-form-urlencoded": { schema, ...form },
      "multipart/form-data": { schema: multipartSchema(schema, body), ...form },
    },
  };
}

function contentSchema(schemas: readonly WireSchema[]): JsonObject {
  const [first, ...others] = schemas.map((schema) => schemaOf(schema, "output"));
  if (!first) return { type: "string" };
  return others.length > 0 ? { anyOf: [first, ...others] } : first;
}

function responseOf({ description, schemas, contentType }: DocumentedAnswer): JsonObject {
  return {
    description,
    headers: rateLimitHeaders,
    ...(contentType !== null && { content: { [contentType]: { schema: contentSchema(schemas) } } }),
  };
}

function operationObject({ path, description, answers }: DocumentedOperation): JsonObject {
  const body = requestBody(description);
  return {
    operationId: description.id,
    tags: [description.tag],
    summary: description.summary,
    parameters: [...pathParameters(path), ...queryParameters(description)],
    ...(body && { requestBody: body }),
    responses: Object.fromEntries(
      [...answers].map(([status, answer]) => [String(status), responseOf(answer)]),
    ),
    security: securityOf[description.access],
  };
}

/** The document of the operations, made of the schemas that validate them (OpenAPI 3.1). */
export function openApiDocument(
  operations: readonly DocumentedOperation[],
  publicUrl: string,
): OpenApiDocument {
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const path = (paths[openApiPath(operation.path)] ??= {});
    path[operation.method.toLowerCase()] = operationObject(operation);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Interactive avatar session service",
      version: "0.0.0",
      description:
        "Sessions with an avatar that listens, thinks and speaks. Authenticate with an API key in the header " +
        "ServicePlatform-APIKey or XP-API-KEY; what belongs to one session needs the session's id alone.",
    },
    servers: [{ url: publicUrl }],
    paths,
    components: { schemas: namedJsonSchemas(naming("output")) as JsonObject, securitySchemes },
  };
}
