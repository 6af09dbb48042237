import { authErrorBodySchema, errorBodySchema } from "../../../protocol/schema/error-body.ts";
import {
  type Direction,
  type JsonSchema,
  jsonSchema,
  namedJsonSchemas,
  type WireSchema,
} from "../../../protocol/schema/json-schema.ts";
import {
  type AnswerDescription,
  type Auth,
  type OperationDescription,
  roleOf,
} from "../operations/operation.ts";
import * as catalogue from "../../../protocol/catalogue.ts";
import {
  accountSchema,
  consoleLoginSchema,
  consoleSessionSchema,
  invitationSchema,
} from "../../../protocol/console/accounts.ts";
import { auditEntrySchema } from "../../../protocol/console/audit.ts";
import { formResourcesSchema } from "../../../protocol/console/form-resources.ts";
import { embedConfigSchema } from "../../../protocol/settings/embed-config.ts";
import { embedContextSchema, embedSnippetSchema } from "../../../protocol/settings/embed-context.ts";
import { iceServerSchema } from "../../../protocol/session/ice.ts";
import { sessionEventAnswerSchema } from "../../../protocol/session/session-event-request.ts";
import { sessionTemplateSchema } from "../../../protocol/session/session-template.ts";
import { sessionCreatedSchema, sessionRetrievedSchema } from "../../../protocol/session/session.ts";
import { voiceSchema, voicesPageSchema } from "../../../protocol/speech/voice.ts";
import { paramNames } from "../operations/operation-body.ts";

/** One answer of an operation. No schema: an empty body, or one of `contentType`. */
export interface DocumentedAnswer {
  description: string;
  schemas: readonly WireSchema[];
  contentType: string | null;
}

const json = "application/json";

const jsonAnswer = (description: string, ...schemas: WireSchema[]): DocumentedAnswer => ({
  description,
  schemas,
  contentType: json,
});

const errorAnswer = (description: string): DocumentedAnswer => jsonAnswer(description, errorBodySchema);

function successOf(answer: AnswerDescription): DocumentedAnswer {
  if ("schema" in answer) return jsonAnswer(answer.description, answer.schema);
  const contentType = "contentType" in answer ? (answer.contentType.split(";")[0] ?? null) : null;
  const schemas = "content" in answer ? [answer.content] : [];
  return { description: answer.description, schemas, contentType };
}

/** Every answer that an operation may give, by status: success and errors. */
export function answersOf(operation: OperationDescription): Map<number, DocumentedAnswer> {
  const { path, auth, answer, body, query, otherAnswers = {} } = operation;
  const answers = new Map<number, DocumentedAnswer>();
  answers.set(answer.status, successOf(answer));
  if (body || query || auth === "session")
    answers.set(400, errorAnswer("Invalid input, or the session has ended"));
  answers.set(
    401,
    jsonAnswer(
      "No credentials, or an API key that is invalid (A0010), expired or deactivated (A0011)",
      authErrorBodySchema,
    ),
  );
  answers.set(403, errorAnswer("The caller does not have permission"));
  if (auth !== "none" || path.includes(":"))
    answers.set(
      404,
      jsonAnswer("Not found; an API key that does not exist (A0009)", errorBodySchema, authErrorBodySchema),
    );
  answers.set(405, errorAnswer("The path does not have this method"));
  answers.set(406, errorAnswer("The client does not accept JSON"));
  if (body) answers.set(415, errorAnswer("Unsupported media type or charset of the body"));
  answers.set(
    429,
    jsonAnswer("Rate limit exceeded (G0005); wait until X-RateLimit-Reset", authErrorBodySchema),
  );
  answers.set(500, errorAnswer("Unexpected error"));
  answers.set(
    503,
    errorAnswer("The service is shutting down or reading too many bodies (server_busy); see Retry-After"),
  );
  for (const [status, { description, schema }] of Object.entries(otherAnswers))
    answers.set(Number(status), jsonAnswer(description, schema));
  return answers;
}

type Property = JsonSchema | boolean;

/** Whether null is one of the schema's own values. A schema without a type accepts everything. */
function takesNull(schema: Property): boolean {
  if (typeof schema === "boolean") return schema;
  const { type, anyOf, $ref, enum: values, const: constant, oneOf } = schema;
  if (anyOf) return anyOf.some(takesNull);
  if ($ref !== undefined || values || constant !== undefined || oneOf) return false;
  return type === undefined || type === "null";
}

function property(schema: Property, isRequired: boolean): Property {
  if (typeof schema === "boolean") return schema || isRequired ? schema : { type: "null" };
  const inner = withNulls(schema);
  return isRequired || takesNull(inner) ? inner : { anyOf: [inner, { type: "null" }] };
}

/** Adds null to the optional fields of a body's schema, at every depth: null there means that the field was left out. */
function withNulls(schema: JsonSchema): JsonSchema {
  const { items, properties, required = [] } = schema;
  const result = { ...schema };
  if (typeof items === "object" && !Array.isArray(items)) result.items = withNulls(items);
  if (properties)
    result.properties = Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, property(inner, required.includes(name))]),
    );
  return result;
}

/** The objects of the interface, by the names that the document refers to them by. */
const namedSchemas: ReadonlyMap<string, WireSchema> = new Map<string, WireSchema>([
  ["Account", accountSchema],
  ["AgentConfig", catalogue.agentConfigSchema],
  ["AuthenticationError", authErrorBodySchema],
  ["AuditEntry", auditEntrySchema],
  ["BackgroundImage", catalogue.backgroundImageSchema],
  ["Capability", catalogue.capabilitySchema],
  ["ConsoleLogin", consoleLoginSchema],
  ["ConsoleSession", consoleSessionSchema],
  ["Document", catalogue.knowledgeDocumentSchema],
  // The settings in an `embed_config` that have an effect. It may be any JSON, so no schema refers to it.
  ["EmbedConfig", embedConfigSchema],
  ["EmbedContext", embedContextSchema],
  ["EmbedSnippet", embedSnippetSchema],
  ["Error", errorBodySchema],
  ["FormResources", formResourcesSchema],
  ["IceServer", iceServerSchema],
  ["InteractiveAgentConfig", catalogue.interactiveAgentConfigSchema],
  ["Invitation", invitationSchema],
  ["LlmType", catalogue.llmTypeSchema],
  ["McpServer", catalogue.mcpServerSchema],
  ["ModelStyle", catalogue.modelStyleSchema],
  ["Prompt", catalogue.promptSchema],
  ["Session", sessionRetrievedSchema],
  ["SessionCreated", sessionCreatedSchema],
  ["SessionEvent", sessionEventAnswerSchema],
  ["SessionTemplate", sessionTemplateSchema],
  ["SttType", catalogue.sttTypeSchema],
  ["TextNormalizationConfig", catalogue.textNormalizationConfigSchema],
  ["TtsType", catalogue.ttsTypeSchema],
  ["Voice", voiceSchema],
  ["VoicesPage", voicesPageSchema],
]);

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
function openApiPath(path: string): string {
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
  serviceUrl: string,
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
    servers: [{ url: serviceUrl }],
    paths,
    components: { schemas: namedJsonSchemas(naming("output")), securitySchemes },
  };
}
