import type { Hono } from "hono";
import type { Store } from "../store/store.ts";
import { route } from "./routing.ts";

/** `/healthz`: the process answers. `/readyz`: it can do its work. */
export function healthRoutes(app: Hono, store: Store): void {
  route(app, "/healthz", { GET: (context) => context.json({ status: "ok" }) });
  route(app, "/readyz", {
    GET: async (context) => {
      const ready = await store.ping().then(
        () => true,
        () => false,
      );
      return context.json({ status: ready ? "ok" : "store does not answer" }, ready ? 200 : 503);
    },
  });
}
