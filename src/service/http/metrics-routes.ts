import type { Hono } from "hono";
import { Fault } from "../fault.ts";
import type { ServiceMetrics } from "../metrics.ts";
import type { Store } from "../store/store.ts";
import { route } from "./routing.ts";
import { metricsPath, requireCaller } from "./visit.ts";

/**
 * `/metrics`: the figures of this process, for holders of an API key of the operator's organization. No network is trusted
 * instead of a key: behind a proxy or a container's port every visitor seems to come from a private address.
 */
export function metricsRoutes(
  app: Hono,
  { organizations }: Pick<Store, "organizations">,
  metrics: Pick<ServiceMetrics, "exposition">,
): void {
  route(app, metricsPath, {
    GET: async (context) => {
      const caller = requireCaller(context, false);
      // They are about every organization, so they are for the one that runs the service.
      if (caller.organizationId !== (await organizations.first())?.id) throw Fault.forbidden();
      const { text, contentType } = await metrics.exposition();
      return context.body(text, 200, {
        "Content-Type": contentType,
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
      });
    },
  });
}
