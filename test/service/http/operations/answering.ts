import { Hono } from "hono";
import { AuthFault, type Identity } from "../../../../src/service/http/identity.ts";
import type { AuditedChange } from "../../../../src/service/http/audited-change.ts";
import { completeHeaders } from "../../../../src/service/http/answers/answer-headers.ts";
import type { HttpContext, HttpEnvironment } from "../../../../src/service/http/http-environment.ts";
import {
  registerOperations,
  unknownPath,
} from "../../../../src/service/http/operations/register-operations.ts";
import type { Operation } from "../../../../src/service/http/operations/operation.ts";
import type { AccountRole } from "../../../../src/protocol/console/accounts.ts";
import { Fault } from "../../../../src/service/faults/fault.ts";

/** An answer as a test reads it. `body`: its JSON where it is JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

export const byKey: Identity = { by: "key", keyId: "key-1", organizationId: "organization-1" };

export function byOperator(role: AccountRole): Identity {
  const session = {
    id: "login-1",
    accountId: "account-1",
    username: "ann",
    role,
    organizationId: "organization-1",
    expiresAtMs: 0,
  };
  return { by: "operator", session, isIntended: true };
}

export const byNobody: Identity = { by: "nobody", refusal: null };

/** Answers requests with operations alone: without a service, a store or a server. */
export function answering(operations: readonly Operation[], identity: Identity = byKey) {
  const changes: AuditedChange[] = [];
  const app = new Hono<HttpEnvironment>();
  app.use(async (context, next) => {
    context.set("authentication", { identity, sessionOwner: null });
    context.set("recordChange", (_request, _environment, change) => {
      changes.push(change);
      return Promise.resolve();
    });
    await next();
    completeHeaders(context);
  });
  registerOperations(app, operations);
  const unknown = unknownPath(operations);
  app.notFound((context: HttpContext) => {
    throw unknown(context);
  });
  app.onError((error) => {
    if (error instanceof Fault || error instanceof AuthFault)
      return Response.json(error.body, { status: error.status });
    throw error;
  });
  async function request(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await app.request(path, init);
    const text = await response.text();
    const isJson = text !== "" && response.headers.get("content-type") === "application/json";
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
  return {
    changes,
    request,
    send: (method: string, path: string, body: unknown): Promise<Answer> =>
      request(path, {
        method,
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
  };
}

/** The fields that a refusal names, each with its code. */
export function namedFields({ body }: Answer): Record<string, string> {
  const { errors } = body as { errors: { attr: string | null; code: string }[] };
  return Object.fromEntries(errors.map(({ attr, code }) => [String(attr), code]));
}
