import { Hono, type MiddlewareHandler } from "hono";
import { refreshedTokenHeader } from "../protocol/session/relay-session.ts";
import { HTTPException } from "hono/http-exception";
import { routePath } from "hono/route";
import { assetRoutes } from "./assets/asset-routes.ts";
import { BodyBudget } from "./limits/body-budget.ts";
import { leasedBodies } from "./limits/limited-body.ts";
import { contextRoutes } from "./contexts/context-routes.ts";
import { RelayError } from "./relay-error.ts";
import type { RelayDeps } from "./relay-deps.ts";
import { RelayScope } from "./relay-scope.ts";
import { sessionRoutes } from "./sessions/session-routes.ts";
import { missingViewerPage, viewerPage } from "./assets/viewer-page.ts";

const preflightMaxAgeSec = 600;

/** Headers that pages' own scripts add to each request, such as those of tracing. No credentials are involved, so all may be sent. */
const askedHeaders = /^[\w\-, ]{1,1000}$/;

/**
 * Lets the requesting page read the response, including errors, so that the widget can explain them. Each route decides
 * who may *use* a context. No credentials: the token is sent in its own header.
 */
const readableByAskingPage: MiddlewareHandler = async (c, next) => {
  const origin = c.req.header("origin");
  const asked = c.req.header("access-control-request-headers") ?? "";
  if (c.req.method === "OPTIONS") {
    c.res = new Response(null, {
      status: 204,
      headers: {
        "Access-Control-Allow-Methods": "GET, POST, DELETE",
        "Access-Control-Allow-Headers": ["authorization, content-type", askedHeaders.exec(asked)?.[0]]
          .filter(Boolean)
          .join(", "),
        "Access-Control-Max-Age": String(preflightMaxAgeSec),
      },
    });
  } else {
    await next();
  }
  c.header("Vary", "Origin", { append: true });
  if (origin === undefined) return;
  c.header("Access-Control-Allow-Origin", origin);
  c.header("Access-Control-Expose-Headers", `${refreshedTokenHeader}, Retry-After, X-RateLimit-Reset`);
};

/** Lets every page read the response, which is the same for all pages. */
const readableByEveryPage: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("Access-Control-Allow-Origin", "*");
  c.header("Cross-Origin-Resource-Policy", "cross-origin");
};

/** Headers of every response of the relay. */
const guarded: MiddlewareHandler = async (c, next) => {
  await next();
  c.header("X-Content-Type-Options", "nosniff");
  c.header("Referrer-Policy", "strict-origin-when-cross-origin");
  if (!c.res.headers.has("Content-Security-Policy")) {
    c.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  }
};

const publicFiles = [
  "/embed.js",
  "/embed/:version/embed.js",
  "/widget.js",
  "/assets/*",
  "/characters/*",
  "/backgrounds/*",
  "/stills/*",
];

function asRelayError(error: unknown): RelayError {
  if (error instanceof RelayError) return error;
  if (error instanceof HTTPException)
    return new RelayError("error", error.status, "The request cannot be answered.");
  return new RelayError("error", 500, "The relay failed.", { cause: error });
}

/** The relay as a server of Web requests: any framework that has a `Request` can call it. */
export interface Relay {
  /** Answers a request. `environment` is what `clientAddress` gets beside the request. */
  fetch(request: Request, environment?: unknown): Response | Promise<Response>;
  /** Answers a request for a path, without a server; for tests. */
  request(path: string, init?: RequestInit): Response | Promise<Response>;
}

/**
 * Makes the token relay. It needs only Web APIs, so it runs on Node, Workers, Deno and Bun. Its only state is its
 * counters.
 *
 * Paths: /embed.js, /widget.js, /assets/*, /viewer/{context_id}, /embed/v1/… (product contract, How a session starts).
 */
export function createRelay(deps: RelayDeps): Relay {
  const scope = new RelayScope(deps);
  const app = new Hono({ strict: false });

  for (const path of [...publicFiles, "/viewer/*", "/embed/v1/*"]) app.use(path, guarded);
  for (const path of publicFiles) app.use(path, readableByEveryPage);
  app.use("/embed/v1/*", readableByAskingPage);
  app.use("/embed/v1/*", leasedBodies(deps.bodyBudget ?? new BodyBudget(), deps.clientAddress));

  app.route("/", assetRoutes(scope));
  app.route("/embed/v1", contextRoutes(scope));
  app.route("/embed/v1", sessionRoutes(scope));
  app.all("/embed/v1/*", () =>
    new RelayError("not_found", 404, "There is nothing at this path.").toResponse(),
  );

  app.get("/viewer/:contextId", async (c) => {
    await scope.countRead(c.req.raw, c.env);
    const address = await scope.addressOf(c.req.raw, c.env);
    const context = await scope.contexts.find(c.req.param("contextId"), address);
    return context ? viewerPage(context, await scope.builtFiles(), scope.mountPath()) : missingViewerPage();
  });

  app.onError((thrown, c) => {
    const error = asRelayError(thrown);
    // The request failed because the browser aborted it.
    if (error.status >= 500 && !c.req.raw.signal.aborted) {
      const cause = error.cause instanceof Error ? error.cause.message : undefined;
      scope.deps.log.warn("request failed", { path: routePath(c), code: error.code, cause });
    }
    return error.toResponse();
  });
  return app;
}
