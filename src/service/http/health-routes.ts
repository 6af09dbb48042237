import type { Hono } from "hono";
import type { Store } from "../store/store.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { route } from "./routing.ts";

/** `/healthz`: the process answers. `/readyz`: it can do its work, and goes on to. */
export function healthRoutes(app: Hono, store: Store, sessions: Pick<Sessions, "isStopping">): void {
  route(app, "/healthz", { GET: (context) => context.json({ status: "ok" }) });
  route(app, "/readyz", {
    GET: async (context) => {
      if (sessions.isStopping) return context.json({ status: "stopping" }, 503);
      const ready = await store.ping().then(
        () => true,
        () => false,
      );
      return context.json({ status: ready ? "ok" : "store does not answer" }, ready ? 200 : 503);
    },
  });
}
