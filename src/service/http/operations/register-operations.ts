import type { Hono } from "hono";
import { Fault } from "../../fault.ts";
import { answerHeaders } from "../answers/answer-headers.ts";
import type { HttpEnvironment } from "../http-environment.ts";
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
      throw Fault.client(405, "method_not_allowed", `Method "${context.req.method}" not allowed.`);
    });
  }
}
