import { authErrorBodySchema, errorBodySchema } from "../../../protocol/error-body.ts";
import type { WireSchema } from "../../../protocol/json-schema.ts";
import type { AnswerDescription, OperationDescription } from "../operations/operation.ts";

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
  return { description: answer.description, schemas: [], contentType };
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
