import { Fault } from "../../fault.ts";
import type { ServiceMetrics } from "../../metrics.ts";
import type { Store } from "../../store/store.ts";
import { metricsPath } from "../middleware/authentication.ts";
import { operation, TypedContent } from "../operations/operation.ts";
import type { Operation } from "../operations/operation.ts";

/**
 * `/metrics`: the metrics of this process, for API keys of the operator's organization. An address is no substitute for a
 * key: behind a proxy or a container's port, every visitor seems to come from a private address.
 */
export function metricsRoutes(
  { organizations }: Pick<Store, "organizations">,
  metrics: Pick<ServiceMetrics, "exposition">,
): Operation[] {
  return [
    operation({
      method: "GET",
      path: metricsPath,
      id: "readMetrics",
      tag: "Service",
      summary: "Read the metrics of this process; the API key may be a bearer token",
      auth: "key",
      answer: {
        status: 200,
        description: "Prometheus' text format",
        contentType: "text/plain",
        headers: { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" },
      },
      async handler({ caller }) {
        // The metrics are about every organization, so only the one that runs the service may read them.
        if (caller.organizationId !== (await organizations.first())?.id) throw Fault.forbidden();
        const { text, contentType } = await metrics.exposition();
        return new TypedContent(text, contentType);
      },
    }),
  ];
}
