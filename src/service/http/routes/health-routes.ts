import * as z from "zod";
import type { Logger } from "../../../logging/logger.ts";
import { errorMessage } from "../../faults/error-message.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { StorageError, theDatabase } from "../../faults/storage-error.ts";
import type { Store } from "../../store/store.ts";
import { operation, type Operation, OtherAnswer, TypedContent } from "../operations/operation.ts";
import { runsService } from "../../administration/organizations.ts";
import { Fault } from "../../faults/fault.ts";
import type { ServiceMetrics } from "../../metrics/metrics.ts";
import { metricsPath } from "../middleware/authentication.ts";

const healthSchema = z.object({ status: z.string() });
const notReadySchema = z.object({
  status: z.string(),
  code: z.enum(["stopping", "store_unreachable", "disk_full", "read_only"]),
});
type NotReady = z.infer<typeof notReadySchema>;

function notReady(error: unknown): NotReady {
  if (!(error instanceof StorageError)) return { status: "store does not answer", code: "store_unreachable" };
  // Whoever asks may be anybody, so the folder is not named.
  const place = error.place === theDatabase ? theDatabase : "the data folder";
  const status = error.code === "disk_full" ? `the disk of ${place} is full` : `${place} cannot be written`;
  return { status, code: error.code };
}

/** Logs why the process is not ready, once for each reason, and that it is ready again. */
function readinessLog(log: Logger): (error: unknown) => void {
  let known: string | null = null;
  return (error) => {
    const reason = error === null ? null : errorMessage(error);
    if (reason === known) return;
    known = reason;
    if (reason === null) log.info("the service is ready again");
    else log.error("the service is not ready", { error: reason });
  };
}

/** `/healthz`: the process answers. `/readyz`: it can do its work, and is not shutting down. */
export function healthRoutes(
  store: Pick<Store, "ping">,
  sessions: Pick<Sessions, "isStopping">,
  log: Logger,
): Operation[] {
  const note = readinessLog(log);
  return [
    operation({
      method: "GET",
      path: "/healthz",
      id: "checkHealth",
      tag: "Service",
      summary: "Check that the process answers",
      auth: "none",
      answer: { status: 200, description: "It does", schema: healthSchema },
      handler: () => ({ status: "ok" }),
    }),
    operation({
      method: "GET",
      path: "/readyz",
      id: "checkReadiness",
      tag: "Service",
      summary: "Check that the process can do its work",
      auth: "none",
      answer: { status: 200, description: "It can", schema: healthSchema },
      otherAnswers: {
        503: {
          description: "It is shutting down, the store does not answer, or nothing can be stored",
          schema: notReadySchema,
        },
      },
      async handler() {
        if (sessions.isStopping)
          return new OtherAnswer(503, { status: "stopping", code: "stopping" } satisfies NotReady);
        const failure = await store.ping().then(
          () => null,
          (error: unknown) => ({ error }),
        );
        note(failure?.error ?? null);
        return failure === null ? { status: "ok" } : new OtherAnswer(503, notReady(failure.error));
      },
    }),
  ];
}

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
        if (!(await runsService({ organizations }, caller.organizationId))) throw Fault.forbidden();
        const { text, contentType } = await metrics.exposition();
        return new TypedContent(text, contentType);
      },
    }),
  ];
}
