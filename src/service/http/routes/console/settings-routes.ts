import {
  healthSchema,
  quotasPutSchema,
  type QuotaUse,
  quotaUseSchema,
  retentionPutSchema,
  retentionSchema,
} from "../../../../protocol/console/settings.ts";
import { type HealthParts, installationHealth } from "../../../administration/health.ts";
import {
  organizationUse,
  requireFirstOrganization,
  setQuotas,
} from "../../../administration/organizations.ts";
import { retentionOf, setRetention } from "../../../administration/conversations/conversations.ts";
import { callerName } from "../../identity.ts";
import { operation, type Operation } from "../../operations/operation.ts";
import { organizationName } from "./console-access.ts";

const tag = "Settings";
const auth = "operator";

async function quotaUse({ store, clock }: HealthParts, id: string): Promise<QuotaUse> {
  const name = await organizationName(store, id);
  const { quotas, used } = await organizationUse(store, { id, name }, clock.nowMs());
  return {
    max_active_sessions: quotas?.activeSessions ?? null,
    max_session_min: quotas?.minutesPerSession ?? null,
    max_month_min: quotas?.minutesPerMonth ?? null,
    credits: quotas?.credits ?? null,
    active_sessions: used.activeSessions,
    month_min: used.minutes,
    month: used.month,
  };
}

function quotaRoutes(parts: HealthParts): Operation[] {
  const path = "/api/console/quotas/";
  const answer = { status: 200, description: "Quotas and use", schema: quotaUseSchema } as const;
  return [
    operation({
      method: "GET",
      path,
      id: "retrieveQuotas",
      tag,
      summary: "Read the quotas of the organization, and how much is used",
      auth,
      answer,
      handler: ({ caller: { organizationId } }) => quotaUse(parts, organizationId),
    }),
    operation({
      method: "PUT",
      path,
      id: "replaceQuotas",
      tag,
      summary: "Replace the quotas of the organization that runs the service",
      auth,
      role: "owner",
      body: { schema: quotasPutSchema },
      answer,
      async handler({ caller: { organizationId }, body }) {
        // The service's operator sets the quotas of other organizations.
        await requireFirstOrganization(parts.store, organizationId);
        await setQuotas(parts.store, organizationId, {
          activeSessions: body.max_active_sessions,
          minutesPerSession: body.max_session_min,
          minutesPerMonth: body.max_month_min,
        });
        return quotaUse(parts, organizationId);
      },
    }),
  ];
}

function retentionRoutes({ store, clock }: HealthParts): Operation[] {
  const path = "/api/console/retention/";
  const answer = { status: 200, description: "What is kept", schema: retentionSchema } as const;
  return [
    operation({
      method: "GET",
      path,
      id: "retrieveRetention",
      tag,
      summary: "Read how long the words of conversations are kept",
      auth,
      answer,
      handler: ({ caller: { organizationId } }) => retentionOf(store, organizationId),
    }),
    operation({
      method: "PUT",
      path,
      id: "replaceRetention",
      tag,
      summary: "Change how long the words of conversations are kept; fewer days delete earlier ones",
      auth,
      body: { schema: retentionPutSchema },
      answer,
      async handler({ caller, body }) {
        const { organizationId } = caller;
        const change = { organizationId, by: callerName(caller), nowMs: clock.nowMs() };
        await setRetention(store, change, body);
        return retentionOf(store, organizationId);
      },
    }),
  ];
}

/** What applies to all avatars: quotas, retention, and the state of the server. */
export function settingsRoutes(parts: HealthParts): Operation[] {
  return [
    ...quotaRoutes(parts),
    ...retentionRoutes(parts),
    operation({
      method: "GET",
      path: "/api/console/health/",
      id: "retrieveHealth",
      tag,
      summary: "Read the state of server, database, media processes and disk",
      auth,
      answer: { status: 200, description: "The parts of the service", schema: healthSchema },
      handler: () => installationHealth(parts),
    }),
  ];
}
