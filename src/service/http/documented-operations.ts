import type { Hono } from "hono";
import { authErrorBodySchema, errorBodySchema } from "../../protocol/error-body.ts";
import type { WireSchema } from "../../protocol/json-schema.ts";
import { describedElsewhere } from "./described-operations.ts";
import type { OperationDescription } from "./operation.ts";
import { registeredRoutes } from "./routing.ts";
import type { Method } from "./routing.ts";

/** One answer of an operation. No schema: an empty body, or one of `contentType`. */
export interface DocumentedAnswer {
  description: string;
  schemas: readonly WireSchema[];
  contentType: string | null;
}

/** An operation with every answer it may give, successes and errors. */
export interface DocumentedOperation {
  method: Method;
  /** With the parts in Hono's form, `:name`. */
  path: string;
  description: OperationDescription;
  answers: ReadonlyMap<number, DocumentedAnswer>;
}

const json = "application/json";

const wireError = (description: string): DocumentedAnswer => ({
  description,
  schemas: [errorBodySchema],
  contentType: json,
});

/** Whether something of the request itself can be wrong. */
function takesInput({ body, query }: OperationDescription): boolean {
  return body !== undefined || query !== undefined;
}

function answersOf(path: string, description: OperationDescription): Map<number, DocumentedAnswer> {
  const { access, answer, body } = description;
  const keyed = access !== "open";
  const answers = new Map<number, DocumentedAnswer>();
  answers.set(answer.status, {
    description: answer.description,
    schemas: answer.schema ? [answer.schema] : [],
    contentType: answer.schema ? json : (answer.contentType ?? null),
  });
  if (takesInput(description) || access === "session")
    answers.set(400, wireError("Invalid input, or the session has ended"));
  answers.set(401, {
    description: "No credentials, or an API key that is invalid (A0010), expired or deactivated (A0011)",
    schemas: [authErrorBodySchema],
    contentType: json,
  });
  answers.set(403, wireError("The caller may not do this"));
  if (keyed || path.includes(":"))
    answers.set(404, {
      description: "Not found; an API key that nobody has (A0009)",
      schemas: [errorBodySchema, authErrorBodySchema],
      contentType: json,
    });
  answers.set(405, wireError("The path has no such method"));
  answers.set(406, wireError("The client accepts no JSON"));
  if (body) answers.set(415, wireError("The body is of another media type or charset"));
  answers.set(429, {
    description: "Rate limit exceeded (G0005); wait until X-RateLimit-Reset",
    schemas: [authErrorBodySchema],
    contentType: json,
  });
  answers.set(500, wireError("Unexpected error"));
  answers.set(
    503,
    wireError("The service is shutting down, or is reading too many bodies (server_busy); see Retry-After"),
  );
  return answers;
}

/** The app's operations as they are documented; routes that nothing describes are left out. */
export function documentedOperations(app: Hono): DocumentedOperation[] {
  return registeredRoutes(app).flatMap(({ method, path, description: own }) => {
    const description = own ?? describedElsewhere(method, path);
    return description ? [{ method, path, description, answers: answersOf(path, description) }] : [];
  });
}
