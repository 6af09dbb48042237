import type { HttpBindings } from "@hono/node-server";

/** The address that Node saw a request come from; null where it cannot be told. */
export function clientAddress(_request: Request, environment: unknown): string | null {
  const bindings = environment as Partial<HttpBindings> | undefined;
  return bindings?.incoming?.socket.remoteAddress ?? null;
}
