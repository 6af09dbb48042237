import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import type { BodyLease } from "../installation.ts";
import type { RecordChange } from "./audited-change.ts";
import type { Authentication } from "./identity.ts";

/** What the middleware hands to operations. */
export interface HttpEnvironment {
  /** Node's own request. Other servers pass on nothing. */
  Bindings: { incoming?: IncomingMessage };
  Variables: {
    authentication: Authentication;
    /** Set where the request is beyond its caller's rate limit. */
    isRateLimitExceeded: boolean | undefined;
    /** The memory that the request's body may take. */
    bodyLease: BodyLease | undefined;
    /** Writes a change to the audit log. */
    recordChange: RecordChange | undefined;
    /** Headers of the answer, gathered before there is one. */
    answerHeaders: Record<string, string> | undefined;
    /** Cookies of the answer, gathered before there is one. */
    answerCookies: string[] | undefined;
    /** The answer that already has the gathered headers. */
    completeAnswer: Response | undefined;
  };
}

/** A request of the service's HTTP interface on its way. */
export type HttpContext = Context<HttpEnvironment>;
