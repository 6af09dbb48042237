import { Fault } from "../../faults/fault.ts";
import type { AccountRole } from "../../../protocol/console/accounts.ts";
import type { WireSchema } from "../../../protocol/schema/json-schema.ts";
import { jsonAnswer } from "../answers/answer-headers.ts";
import type { AuditTarget } from "../audited-change.ts";
import { type FormFields, readQueryFields, type RequestFields } from "../body/request-fields.ts";
import type { HttpContext } from "../http-environment.ts";
import type { Caller, OperatorCaller } from "../identity.ts";
import { type CallerRules, requireCaller } from "../middleware/authentication.ts";
import { requestHeader } from "../node-request.ts";
import { type BodyDescription, paramReader, type PathParams, readBody } from "./operation-body.ts";
import { type OperationSchema, validated } from "./validation.ts";

/** The ranges that include JSON. The most specific one that a header names decides (RFC 9110, 12.5.1). */
const jsonRanges = ["application/json", "application/*", "*/*"];

/** Each range of an Accept header, and whether any of its entries has a weight above 0. */
function acceptedRanges(accept: string): Map<string, boolean> {
  const ranges = new Map<string, boolean>();
  for (const entry of accept.split(",")) {
    const [range = "", ...parameters] = entry.split(";").map((text) => text.trim().toLowerCase());
    const isWanted = !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
    ranges.set(range, isWanted || ranges.get(range) === true);
  }
  return ranges;
}

/** Throws a 406 Fault where an Accept header excludes JSON. */
export function requireJsonAccepted(accept: string | null): void {
  if (accept === null || accept === "*/*" || accept.trim() === "") return;
  const ranges = acceptedRanges(accept);
  const deciding = jsonRanges.find((range) => ranges.has(range));
  if (deciding === undefined || !ranges.get(deciding))
    throw Fault.client(
      406,
      "not_acceptable",
      "The answer is JSON, which the Accept header leaves out; accept application/json.",
    );
}

/** Methods of operations. A GET operation answers HEAD too, without its body (RFC 9110, 9.3.2). */
export type Method = "GET" | "POST" | "PUT" | "DELETE";

/**
 * Who may call: everybody (`none`); callers who know the session's id (`session`; an API key must be valid if there is one);
 * the holder of an API key (`key`), which the voices listing accepts in one more header (`voices`); the holder of a key and the
 * console's operator (`console`); or the operator alone (`operator`).
 */
export type Auth = "none" | "session" | "key" | "voices" | "console" | "operator";

/** A JSON answer. */
interface JsonAnswer<Output = unknown> {
  status: 200 | 201;
  description: string;
  schema: OperationSchema<Output>;
}

/** An answer without a body. */
interface EmptyAnswer {
  status: 204;
  description: string;
}

/** An answer that is written as it is: a file, a page, a stream. */
interface ContentAnswer {
  status: 200;
  description: string;
  /** Media type, with its parameters; `image/*` where the handler names one of the range. */
  contentType: string;
  /** What the content is, where it is JSON. Only documented: it is written as text. */
  content?: WireSchema;
  /** Sent with every answer. */
  headers?: Readonly<Record<string, string>>;
}

/** What an operation answers when it succeeds. */
export type AnswerDescription = JsonAnswer | EmptyAnswer | ContentAnswer;

/** The body of an answer that is not JSON. */
type Content = string | Uint8Array | ReadableStream<Uint8Array>;

/** Content of a media type that is known only when it is answered. */
export class TypedContent {
  constructor(
    readonly body: Content,
    readonly contentType: string,
  ) {}
}

/** A JSON answer with another status than success; the operation documents it in `otherAnswers`. */
export class OtherAnswer {
  constructor(
    readonly status: number,
    readonly value: unknown,
  ) {}
}

/** What a handler returns, by the description of its answer. Without a body, the result is ignored. */
type ResultOf<Answer> =
  | OtherAnswer
  | (Answer extends { schema: OperationSchema<infer Output> }
      ? Output
      : Answer extends { contentType: string }
        ? Content | TypedContent
        : unknown);

/** The caller that a handler receives. */
type CallerOf<Access extends Auth> = Access extends "none" | "session"
  ? null
  : Access extends "operator"
    ? OperatorCaller
    : Caller;

/** A request that was checked, as a handler receives it. */
export interface Call<Path extends string, Access extends Auth, Body, Query> {
  context: HttpContext;
  params: PathParams<Path>;
  query: Query;
  body: Body;
  files: RequestFields["files"];
  caller: CallerOf<Access>;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/** What documents an operation. */
export interface OperationDescription {
  method: Method;
  /** With parameters in Hono's form, `:name`. */
  path: string;
  /** Unique; names the operation in generated clients. */
  id: string;
  tag: string;
  summary: string;
  auth: Auth;
  /** Whether an operation that is not a GET only reads or tries something. Then it is not in the audit log. */
  changesNothing?: boolean;
  /** Whether a GET hands out what many visitors said. Then it is in the audit log. */
  isExport?: boolean;
  /** Whether Accept may name anything: it belongs to another operation that gets the same request. Default: it must include JSON. */
  acceptsAll?: boolean;
  /** The least role of an operator that may call. Default: a viewer may read, an editor may change. */
  role?: AccountRole;
  query?: { schema: OperationSchema<unknown> };
  body?: Pick<BodyDescription<unknown, string>, "schema" | "form" | "files">;
  answer: AnswerDescription;
  /** JSON answers beside success and the usual errors, by status. */
  otherAnswers?: Readonly<Record<number, { description: string; schema: WireSchema }>>;
}

/** An operation as it is defined: everything that validates, answers and documents it. */
interface OperationDefinition<
  Path extends string,
  Access extends Auth,
  Body,
  Query,
  Answer extends AnswerDescription,
> extends Omit<OperationDescription, "query" | "body"> {
  path: Path;
  auth: Access;
  query?: { schema: OperationSchema<Query>; form?: FormFields };
  body?: BodyDescription<Body, Path>;
  answer: Answer;
  handler: (call: Call<Path, Access, Body, Query>) => Promise<ResultOf<Answer>> | ResultOf<Answer>;
  /** What a change was made to, for the audit log. Default: what the path names last. */
  target?: (
    call: Call<Path, Access, Body, Query>,
    result: Exclude<ResultOf<Answer>, OtherAnswer>,
  ) => AuditTarget | null;
}

/** An operation that can be registered and documented. */
export interface Operation extends OperationDescription {
  respond: (context: HttpContext) => Promise<Response>;
}

/**
 * A call, with the signal as a getter of its class. A getter in an object literal would be a hidden class of its own for each
 * request, which keeps the whole request in memory until the next full collection.
 */
class CheckedCall {
  readonly body: unknown;
  readonly files: RequestFields["files"];

  constructor(
    readonly context: HttpContext,
    readonly caller: Caller | null,
    readonly params: object,
    readonly query: unknown,
    { body, files }: { body: unknown; files: RequestFields["files"] },
  ) {
    this.body = body;
    this.files = files;
  }

  /** Only for handlers that use it: reading the signal makes Node's server build a web request, which takes over the body. */
  get signal(): AbortSignal {
    return this.context.req.raw.signal;
  }
}

/** Under this path clients say with Accept what they understand; others are health checks and the API's description. */
const negotiatedPath = /^\/api\//;

function isContent(result: unknown): result is Content {
  return typeof result === "string" || result instanceof Uint8Array || result instanceof ReadableStream;
}

function respond(context: HttpContext, answer: AnswerDescription, result: unknown): Response {
  if (result instanceof OtherAnswer) return jsonAnswer(context, result.value, result.status);
  if (answer.status === 204) return context.body(null, 204);
  if ("schema" in answer) return jsonAnswer(context, result, answer.status);
  const content = isContent(result) ? new TypedContent(result, answer.contentType) : result;
  if (!(content instanceof TypedContent)) throw new TypeError("The handler returned no content.");
  const { body, contentType } = content;
  return new Response(body instanceof Uint8Array ? new Uint8Array(body) : body, {
    status: answer.status,
    headers: { ...answer.headers, "Content-Type": contentType },
  });
}

/** The least role of an operator that may call an operation. */
export function roleOf({ role, method }: Pick<OperationDescription, "role" | "method">): AccountRole {
  return role ?? (method === "GET" ? "viewer" : "editor");
}

/** Which callers an operation takes; null where it takes everybody. */
function callerRules(description: OperationDescription): CallerRules | null {
  const { auth } = description;
  if (auth === "none" || auth === "session") return null;
  const operator = auth === "console" || auth === "operator";
  return { key: auth !== "operator", operator, role: operator ? roleOf(description) : "viewer" };
}

/** What the path names last. */
function namedByPath(params: Readonly<Record<string, string>>): AuditTarget | null {
  const id = Object.values(params).at(-1);
  return id === undefined ? null : { id };
}

/**
 * Defines an operation. This is the only way to answer a path: the definition is what requests are checked against, what
 * answers are made from and what `/openapi.json` documents.
 */
export function operation<
  const Path extends string,
  const Access extends Auth,
  const Answer extends AnswerDescription,
  Body = undefined,
  Query = undefined,
>(definition: OperationDefinition<Path, Access, Body, Query, Answer>): Operation {
  const { handler, target, ...description } = definition;
  const { path, answer, query, body, id, method, acceptsAll = false } = description;
  const acceptsJsonOnly = negotiatedPath.test(path) && !("contentType" in answer) && !acceptsAll;
  const paramsOf = paramReader(path);
  const rules = callerRules(description);
  const isAudited =
    rules?.operator === true &&
    (method === "GET" ? description.isExport === true : description.changesNothing !== true);
  return {
    ...description,
    async respond(context) {
      if (acceptsJsonOnly) requireJsonAccepted(requestHeader(context, "accept"));
      const caller = rules ? requireCaller(context, rules) : null;
      const params = paramsOf(context);
      const checkedQuery = query
        ? validated(query.schema, readQueryFields(new URL(context.req.url), query.form ?? {}))
        : undefined;
      const call = new CheckedCall(
        context,
        caller,
        params,
        checkedQuery,
        await readBody(context, caller, params, body),
      );
      // The types of a call follow from the definition, which it was checked against.
      // eslint-disable-next-line no-restricted-syntax -- see above
      const typedCall = call as Call<Path, Access, Body, Query>;
      const result = await handler(typedCall);
      if (isAudited && caller !== null && !(result instanceof OtherAnswer)) {
        // eslint-disable-next-line no-restricted-syntax -- see above
        const made = result as Exclude<ResultOf<Answer>, OtherAnswer>;
        const changed = target ? target(typedCall, made) : namedByPath(params);
        await context.get("recordChange")?.(context.req.raw, context.env, {
          caller,
          operation: id,
          target: changed,
        });
      }
      return respond(context, answer, result);
    },
  };
}
