import type { Hono } from "hono";
import { Fault } from "../../faults/fault.ts";
import { answerHeaders } from "../answers/answer-headers.ts";
import type { HttpContext, HttpEnvironment } from "../http-environment.ts";
import type { Operation } from "./operation.ts";

/** Operations by their path, in the order of the list. */
function byPath(operations: readonly Operation[]): Map<string, Operation[]> {
  const paths = new Map<string, Operation[]>();
  for (const operation of operations) {
    const known = paths.get(operation.path);
    if (known) known.push(operation);
    else paths.set(operation.path, [operation]);
  }
  return paths;
}

/** Adds operations to the app. Other methods of their paths are answered with 405 and the list of allowed methods. */
export function registerOperations(app: Hono<HttpEnvironment>, operations: readonly Operation[]): void {
  for (const [path, ofPath] of byPath(operations)) {
    for (const { method, respond } of ofPath) app.on(method, path, respond);
    const allowed = ofPath.map(({ method }) => method).join(", ");
    app.all(path, (context) => {
      answerHeaders(context)["Allow"] = allowed;
      const detail = `Method "${context.req.method}" not allowed. Allowed here: ${allowed}.`;
      throw Fault.client(405, "method_not_allowed", detail);
    });
  }
}

/**
 * Answers paths that no operation has. Clients that add or leave out a slash at the end meet this often, and a redirect would turn
 * their POST into a GET, so the answer says what the path is.
 */
export function unknownPath(operations: readonly Operation[]): (context: HttpContext) => Fault {
  const patterns = [...byPath(operations).keys()].map(
    (path) => new RegExp(`^${path.replace(/:[^/]+/g, "[^/]+")}$`),
  );
  return ({ req: { path } }) => {
    const other = path.endsWith("/") ? path.slice(0, -1) : `${path}/`;
    const isKnown = patterns.some((pattern) => pattern.test(other));
    if (!isKnown) return Fault.notFound();
    const remedy = path.endsWith("/") ? "has no slash at its end" : "ends with a slash";
    return Fault.notFound(`Not found. The path ${remedy}: ${other}`);
  };
}
