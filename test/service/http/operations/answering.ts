import { Hono } from "hono";
import * as z from "zod";
import { AuthFault, type Identity } from "../../../../src/service/http/identity.ts";
import type { AuditedChange } from "../../../../src/service/http/audited-change.ts";
import { completeHeaders } from "../../../../src/service/http/answers/answer-headers.ts";
import { createHttpApp, type HttpDependencies } from "../../../../src/service/http/http-app.ts";
import type { HttpContext, HttpEnvironment } from "../../../../src/service/http/http-environment.ts";
import {
  registerOperations,
  unknownPath,
} from "../../../../src/service/http/operations/register-operations.ts";
import { operation, type Operation } from "../../../../src/service/http/operations/operation.ts";
import type { AccountRole } from "../../../../src/protocol/console/accounts.ts";
import type { ErrorBody } from "../../../../src/protocol/schema/error-body.ts";
import { Fault } from "../../../../src/service/faults/fault.ts";
import { settingsWith } from "../../service-fixture.ts";

/** The operations of the service. */
export const { operations: registeredOperations } = createHttpApp({
  ...({} as HttpDependencies),
  ...{ store: {} as never, settings: settingsWith() },
});

/** An operation of a test: what is not said is the least. */
export const operationWith = (more: object): Operation =>
  operation({
    ...{ id: "things", tag: "Things", summary: "A thing.", method: "POST", path: "/api/a/", auth: "none" },
    answer: { status: 200, description: "The thing.", schema: z.looseObject({}) },
    handler: () => ({}),
    ...more,
  });

/** An answer as a test reads it. `body`: its JSON where it is JSON. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

export const byKey: Identity = { by: "key", keyId: "key-1", organizationId: "organization-1" };

export function byOperator(role: AccountRole): Identity {
  const ids = { id: "login-1", accountId: "account-1", organizationId: "organization-1" };
  return { by: "operator", session: { ...ids, username: "ann", role, expiresAtMs: 0 }, isIntended: true };
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
  const headers = { "Content-Type": "application/json" };
  return {
    changes,
    request,
    send: (method: string, path: string, body: unknown): Promise<Answer> =>
      request(path, { method, headers, body: JSON.stringify(body) }),
  };
}

/** The fields that a refusal names, each with its code. */
export function namedFields({ body }: Answer): Record<string, string> {
  const { errors } = body as ErrorBody;
  return Object.fromEntries(errors.map(({ attr, code }) => [String(attr), code]));
}

export const detailsOf = ({ body }: Answer): string[] =>
  (body as ErrorBody).errors.map(({ detail }) => detail);
