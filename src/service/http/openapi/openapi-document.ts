import { jsonSchema, namedJsonSchemas } from "../../../protocol/json-schema.ts";
import type { Direction, JsonSchema, WireSchema } from "../../../protocol/json-schema.ts";
import { roleOf } from "../operations/operation.ts";
import type { Auth, OperationDescription } from "../operations/operation.ts";
import { paramNames } from "../operations/path-params.ts";
import { withNulls } from "./openapi-nulls.ts";
import { namedSchemas } from "./openapi-schemas.ts";
import { answersOf } from "./operation-answers.ts";
import type { DocumentedAnswer } from "./operation-answers.ts";

/** Part of the document: plain JSON. */
type JsonObject = Record<string, unknown>;

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

const schemaOf = (schema: WireSchema, direction: Direction): JsonSchema =>
  jsonSchema(schema, naming(direction));

/** The security of each kind of authentication; `{}` means no credential. */
const securityOf: Record<Auth, JsonObject[]> = {
  none: [],
  session: [{}, { ServicePlatformApiKey: [] }, { XpApiKey: [] }],
  key: [{ ServicePlatformApiKey: [] }, { XpApiKey: [] }],
  voices: [{ ServicePlatformApiKey: [] }, { XpApiKey: [] }, { XiApiKey: [] }],
  console: [{ ServicePlatformApiKey: [] }, { XpApiKey: [] }, { ConsoleSession: [] }],
  operator: [{ ConsoleSession: [] }],
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
  return paramNames(path).map((name) => ({
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
    schema,
  }));
}

/** The schema of a multipart body: each file is a binary field, or the text that the field may hold instead. */
function multipartSchema(schema: JsonSchema, { files = {} }: NonNullable<OperationDescription["body"]>) {
  const texts = schema.properties ?? {};
  const binary = Object.entries(files).map(
    ([name, { description, maxBytes, isAlsoText = false }]): [string, JsonObject] => {
      const file = {
        type: "string",
        format: "binary",
        maxLength: maxBytes,
        description: `${description}; at most ${maxBytes} bytes`,
      };
      return [name, isAlsoText ? { anyOf: [file, texts[name] ?? {}] } : file];
    },
  );
  const needed = Object.keys(files).filter((name) => files[name]?.required);
  const properties = { ...texts, ...Object.fromEntries(binary) };
  const required = [...(schema.required ?? []), ...needed];
  return { ...schema, properties, ...(required.length > 0 && { required }) };
}

function requestBody({ body }: OperationDescription): JsonObject | null {
  if (!body) return null;
  const schema = withNulls(jsonSchema(body.schema, naming("input")));
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

function contentSchema(schemas: readonly WireSchema[]): JsonSchema {
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

/** Which operators may call, where operators may. */
function roleDescription(operation: OperationDescription): JsonObject {
  if (operation.auth !== "console" && operation.auth !== "operator") return {};
  const role = roleOf(operation);
  return { description: role === "viewer" ? "For every operator." : `For operators with the role ${role}.` };
}

function operationObject(operation: OperationDescription): JsonObject {
  const body = requestBody(operation);
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...roleDescription(operation),
    parameters: [...pathParameters(operation.path), ...queryParameters(operation)],
    ...(body && { requestBody: body }),
    responses: Object.fromEntries(
      [...answersOf(operation)].map(([status, answer]) => [String(status), responseOf(answer)]),
    ),
    security: securityOf[operation.auth],
  };
}

/** The OpenAPI 3.1 document of the operations, made from the schemas that validate them. */
export function openApiDocument(
  operations: readonly OperationDescription[],
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
        "ServicePlatform-APIKey or XP-API-KEY; operations on one session need only the session's id, " +
        "unless the operator requires a key there too.",
    },
    servers: [{ url: publicUrl }],
    paths,
    components: { schemas: namedJsonSchemas(naming("output")), securitySchemes },
  };
}
