import * as z from "zod";
import type { Sessions } from "../../sessions/sessions.ts";
import type { Store } from "../../store/store.ts";
import { operation, OtherAnswer } from "../operations/operation.ts";
import type { Operation } from "../operations/operation.ts";

const healthSchema = z.object({ status: z.string() });

/** `/healthz`: the process answers. `/readyz`: it can do its work, and is not shutting down. */
export function healthRoutes(store: Store, sessions: Pick<Sessions, "isStopping">): Operation[] {
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
        503: { description: "It is shutting down, or the store does not answer", schema: healthSchema },
      },
      async handler() {
        if (sessions.isStopping) return new OtherAnswer(503, { status: "stopping" });
        const isReady = await store.ping().then(
          () => true,
          () => false,
        );
        return isReady ? { status: "ok" } : new OtherAnswer(503, { status: "store does not answer" });
      },
    }),
  ];
}
