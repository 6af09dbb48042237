import type { Context, Hono } from "hono";
import { Fault } from "../fault.ts";
import { answerHeaders } from "./answer-headers.ts";
import type { Operation, OperationDescription } from "./operation.ts";

/** Answers one method of a path. */
type Handler = (context: Context) => Response | Promise<Response>;

/** Methods that operations have. */
export type Method = "GET" | "POST" | "PUT" | "DELETE";

type Methods = Partial<Record<Method, Handler | Operation>>;

/** A route as it was registered. `description` is null where its handler came without one. */
export interface RegisteredRoute {
  method: Method;
  /** With the parts in Hono's form, `:name`. */
  path: string;
  description: OperationDescription | null;
}

const registered = new WeakMap<Hono, RegisteredRoute[]>();

/** The routes of an app in the order they were registered. */
export function registeredRoutes(app: Hono): readonly RegisteredRoute[] {
  return registered.get(app) ?? [];
}

/** Registers a path's methods; any other method is answered 405 with the list of those there are. */
export function route(app: Hono, path: string, methods: Methods): void {
  const routes = registered.get(app) ?? [];
  registered.set(app, routes);
  for (const [method, handler] of Object.entries(methods) as [Method, Handler | Operation][]) {
    const plain = typeof handler === "function";
    app.on(method, path, plain ? handler : handler.answer);
    routes.push({ method, path, description: plain ? null : handler.description });
  }
  const allowed = Object.keys(methods);
  app.all(path, (context) => {
    answerHeaders(context)["Allow"] = allowed.join(", ");
    throw Fault.client(405, "method_not_allowed", `Method "${context.req.method}" not allowed.`);
  });
}

/** A part of the path. */
export function pathPart(context: Context, name: string): string {
  return context.req.param(name) ?? "";
}

const jsonRanges = new Set(["*/*", "application/*", "application/json"]);

/** Throws a 406 Fault where the client takes no JSON. */
export function requireJsonAccepted(accept: string | null): void {
  if (accept === null || accept === "*/*" || accept.trim() === "") return;
  const accepted = accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((text) => text.trim().toLowerCase());
    return jsonRanges.has(type) && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  });
  if (!accepted) throw Fault.client(406, "not_acceptable", "Could not satisfy the request Accept header.");
}
