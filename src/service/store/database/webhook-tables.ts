import type { Generated } from "kysely";
import type {
  WebhookDelivery,
  WebhookMessage,
  WebhookProblem,
  WebhookState,
} from "../../../protocol/console/webhooks.ts";

/** The tables of webhooks and of what is sent to them. */
export interface WebhookTables {
  webhook: {
    sequence: Generated<number>;
    id: string;
    organization_id: string;
    /** Its address and its secret, as JSON, encrypted. */
    target: string;
    /** As JSON. */
    events: string;
    with_words: number;
    state: WebhookState;
    /** How many attempts in a row have failed. */
    failures: number;
    created_at_ms: number;
  };
  webhook_delivery: {
    sequence: Generated<number>;
    id: string;
    webhook_id: string;
    session_id: string;
    type: WebhookMessage;
    at_ms: number;
    /** As JSON. */
    data: string;
    /** What visitors said, as JSON. It is removed with the words of the conversation. */
    words: string | null;
    state: WebhookDelivery["state"];
    attempts: number;
    attempted_at_ms: number | null;
    next_at_ms: number | null;
    status: number | null;
    problem: WebhookProblem | null;
    /** Whoever sends it now, and until when. */
    run: string | null;
    taken_until_ms: number | null;
  };
}
