import type { Context } from "hono";
import type { WireSchema } from "../../protocol/json-schema.ts";
import { Fault } from "../fault.ts";
import { jsonAnswer } from "./answer-headers.ts";
import type { FormFields, RequestFields } from "./request-fields.ts";
import { readQueryFields, readRequestFields } from "./request-fields.ts";
import { requireCaller } from "./visit.ts";
import type { Caller } from "./visit.ts";
import { validated } from "./validation.ts";
import type { Schema } from "./validation.ts";

/**
 * Who may call: anybody (`open`); whoever knows the session's id (`session`; a key that is shown must be right); the holder
 * of an API key (`key`), on the voices listing under one more header (`voices`); or a key's holder and the console's
 * operator alike (`console`).
 */
export type Access = "open" | "session" | "key" | "voices" | "console";

/** A schema that validates and describes alike. */
export type OperationSchema<Output> = Schema<Output> & WireSchema<Output>;

/** Fields that come as text and what they become. */
interface FieldsDescription<Output> {
  schema: OperationSchema<Output>;
  form?: FormFields;
}

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

/** What of a body is taken, where that depends on more than the operation. */
export interface BodyRoom {
  /** Bytes of a multipart body. */
  maxBytes: number;
  /** Makes the Fault of a larger one. */
  refusal(): Fault;
}

interface BodyDescription<Output> extends FieldsDescription<Output> {
  files?: Readonly<Record<string, FileDescription>>;
  /** Bytes of the whole body; default: that of every JSON body. */
  maxBytes?: number;
  /** Bytes of a JSON or urlencoded body, where it may be larger than usual. */
  textMaxBytes?: number;
  /** Asked before the body is read; throws a Fault where none is taken. */
  room?: (context: Context) => Promise<BodyRoom | undefined>;
  /** What is done with the fields before they are validated; default: nothing. */
  prepare?: (fields: Record<string, unknown>) => Record<string, unknown>;
}

/** What an operation answers when it succeeds. */
export interface AnswerDescription {
  status: 200 | 201 | 204;
  description: string;
  /** Of a JSON answer. */
  schema?: WireSchema;
  /** Of an answer that is no JSON. */
  contentType?: string;
}

/** An operation as it is documented, validated and authenticated: all three read this one description. */
export interface OperationDescription<Body = unknown, Query = unknown> {
  /** Unique; names the operation in generated clients. */
  id: string;
  tag: string;
  summary: string;
  access: Access;
  query?: FieldsDescription<Query>;
  body?: BodyDescription<Body>;
  answer: AnswerDescription;
}

/** What an operation works on: all of it checked. */
export interface Call<Body, Query> {
  context: Context;
  body: Body;
  query: Query;
  files: RequestFields["files"];
  /** The caller. Only there where `access` asks for one. */
  caller: Caller;
}

/** An operation with its description. */
export interface Operation {
  description: OperationDescription;
  answer: (context: Context) => Promise<Response>;
}

const nobody: Caller = {
  get organizationId(): never {
    throw new Error("The operation asks for no caller.");
  },
  by: "key",
};

async function readBody<Body>(
  context: Context,
  body: BodyDescription<Body> | undefined,
): Promise<Pick<Call<Body, unknown>, "body" | "files">> {
  if (!body) return { body: undefined as Body, files: new Map() };
  const { form = {}, maxBytes, textMaxBytes, schema, prepare } = body;
  const { fields, files, isForm } = await readRequestFields(context.req.raw, {
    form,
    ...(maxBytes !== undefined && { maxBytes }),
    ...(await body.room?.(context)),
    ...(textMaxBytes !== undefined && { textMaxBytes }),
  });
  for (const name of files.keys())
    if (body.files?.[name] === undefined && fields[name] === undefined)
      throw Fault.invalid("invalid", "A file was sent for this field, which takes text.", name);
  return { body: validated(schema, prepare ? prepare(fields) : fields, { emptyIsAbsent: isForm }), files };
}

/** An operation from its description and what it does with a checked call; what it resolves with is answered as JSON. */
export function operation<Body = undefined, Query = undefined>(
  description: OperationDescription<Body, Query>,
  perform: (call: Call<Body, Query>) => unknown,
): Operation {
  const { access, answer } = description;
  const needsCaller = access !== "open" && access !== "session";
  return {
    description: description,
    async answer(context) {
      const caller = needsCaller ? requireCaller(context, access === "console") : nobody;
      const query = description.query
        ? validated(
            description.query.schema,
            readQueryFields(new URL(context.req.url), description.query.form ?? {}),
          )
        : (undefined as Query);
      const { body, files } = await readBody(context, description.body);
      const result = await perform({ context, caller, query, body, files });
      if (result instanceof Response) return result;
      if (answer.status === 204) return context.body(null, 204);
      return jsonAnswer(context, result, answer.status);
    },
  };
}
