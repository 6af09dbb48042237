import { overviewQuerySchema, overviewSchema } from "../../../../protocol/console/overview.ts";
import { overviewOf } from "../../../administration/overview/overview.ts";
import type { OverviewParts } from "../../../administration/overview/overview.ts";
import { operation } from "../../operations/operation.ts";
import type { Operation } from "../../operations/operation.ts";

/** The console's first page. */
export function overviewRoutes(parts: OverviewParts): Operation[] {
  return [
    operation({
      method: "GET",
      path: "/api/console/overview/",
      id: "retrieveOverview",
      tag: "Overview",
      summary: "Read the figures of the last 30 days, the first steps, limits and problems",
      auth: "console",
      query: { schema: overviewQuerySchema },
      answer: { status: 200, description: "The overview", schema: overviewSchema },
      handler: ({ caller: { organizationId }, query }) => overviewOf(parts, organizationId, query.context),
    }),
  ];
}
