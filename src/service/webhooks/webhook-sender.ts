import { randomUUID } from "node:crypto";
import type { Logger } from "../../logging/logger.ts";
import type { WebhookProblem } from "../../protocol/console/webhooks.ts";
import type { Clock } from "../clock.ts";
import { errorMessage } from "../faults/error-message.ts";
import { GuardedFetchError, type GuardedFetchCode } from "../outbound/guarded-fetch-error.ts";
import type { OutboundCalls } from "../outbound/outbound-calls.ts";
import type { Store, WebhookDeliveryRecord, WebhookLease, WebhookOutcome } from "../store/store.ts";
import { signatureHeaders } from "./webhook-signature.ts";

/** What sending needs. */
export interface WebhookSenderParts {
  store: Pick<Store, "webhooks" | "organizations">;
  clock: Clock;
  log: Logger;
  outbound: Pick<OutboundCalls, "webhook">;
  /** How long an answer may take, in ms. Default: 15 s. */
  timeoutMs?: number | undefined;
}

/** Sends what owners are told. */
export interface WebhookSender {
  /** Sends what is due, in the background. */
  wake(): void;
  /** Sends what is due; resolves when nothing is. */
  sendDue(): Promise<void>;
  /** Sends one delivery now, unless another process does. */
  sendNow(id: string): Promise<void>;
  /** Looks regularly. */
  start(): void;
  /** Stops; what is being sent is sent again by the next process. */
  stop(): Promise<void>;
}

const intervalMs = 5_000;
/** A process that says nothing for so long has ended, and another one sends the delivery. */
const leaseMs = 60_000;
/** How many deliveries one process sends at once, so that a slow receiver does not hold up the others. */
const atOnce = 4;
/** The pauses between the attempts of a delivery, in s: a day together. */
const pausesSec = [5, 60, 300, 1_800, 7_200, 14_400, 25_200, 36_000];
/** After so many failures in a row a webhook is turned off. */
const mostFailures = 100;

const problems: Readonly<Partial<Record<GuardedFetchCode, WebhookProblem>>> = {
  too_many_redirects: "redirected",
  timeout: "timeout",
  forbidden_address: "forbidden",
  insecure_url: "forbidden",
  not_resolved: "not_resolved",
  certificate: "certificate",
};

/** The body of a delivery's requests: the same each time, as long as its words are kept. */
function bodyOf({ type, atMs, data, words }: WebhookDeliveryRecord): string {
  const timestamp = new Date(atMs).toISOString();
  return JSON.stringify({ type, timestamp, data: words === null ? data : { ...data, words } });
}

type Answer = Pick<WebhookOutcome, "status" | "problem">;

/** Asks the receiver to take a delivery. Rejects with the signal's reason. */
async function answerTo(
  { store, clock, outbound, timeoutMs = 15_000 }: WebhookSenderParts,
  { webhook, delivery }: WebhookLease,
  signal: AbortSignal,
): Promise<Answer> {
  const body = bodyOf(delivery);
  const timestampSec = Math.floor(clock.nowMs() / 1000);
  const isOperators = (await store.organizations.first())?.id === webhook.organizationId;
  try {
    const answer = await outbound.webhook({ isOperators })(webhook.address, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Visavis",
        ...signatureHeaders(webhook.secret, { id: delivery.id, body, timestampSec }),
      },
      ...{ body, signal, timeoutMs },
    });
    // Its status says all. What else it says is not read, however long it is.
    await answer.body?.cancel();
    const { status, ok } = answer;
    return { status, problem: ok ? null : status === 410 ? "gone" : "refused" };
  } catch (error) {
    signal.throwIfAborted();
    const code = error instanceof GuardedFetchError ? problems[error.code] : undefined;
    return { status: null, problem: code ?? "unreachable" };
  }
}

/** When a delivery is sent again after a failure; null: never. A test and one that nobody wants are not. */
function nextAttemptMs({ type, attempts }: WebhookDeliveryRecord, { problem }: Answer, nowMs: number) {
  const pauseSec = pausesSec[attempts - 1];
  if (problem === null || problem === "gone" || type === "webhook.test" || pauseSec === undefined)
    return null;
  return nowMs + pauseSec * 1000;
}

/** Sends a delivery once. */
async function attempt(
  parts: WebhookSenderParts,
  lease: WebhookLease,
  signal: AbortSignal,
): Promise<WebhookOutcome> {
  const answer = await answerTo(parts, lease, signal);
  const attemptedAtMs = parts.clock.nowMs();
  return { ...answer, attemptedAtMs, nextAtMs: nextAttemptMs(lease.delivery, answer, attemptedAtMs) };
}

/** Sends deliveries of a store. With several processes, each is sent by one of them. */
export function createWebhookSender(parts: WebhookSenderParts): WebhookSender {
  const { store, clock, log } = parts;
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isAskedAgain = false;

  const take = (id?: string): Promise<WebhookLease | null> =>
    store.webhooks.take(randomUUID(), clock.nowMs(), clock.nowMs() + leaseMs, id);

  async function send(lease: WebhookLease): Promise<void> {
    try {
      const outcome = await attempt(parts, lease, ending.signal);
      const state = await store.webhooks.finish(lease, outcome, mostFailures);
      if (state !== null)
        log.warn("a webhook was turned off", { config: `webhook ${lease.webhook.id}`, reason: state });
    } catch (error) {
      if (!ending.signal.aborted) throw error;
      await store.webhooks.giveBack(lease);
    }
  }

  async function sendDue(): Promise<void> {
    while (!ending.signal.aborted) {
      const lease = await take();
      if (lease === null) return;
      await send(lease);
    }
  }

  function wake(): void {
    if (ending.signal.aborted) return;
    if (running.size >= atOnce) {
      isAskedAgain = true;
      return;
    }
    const sending = sendDue()
      .catch((error: unknown) => log.error("webhooks could not be sent", { error: errorMessage(error) }))
      .finally(() => {
        running.delete(sending);
        // A delivery may have come after this run had looked for the next one.
        if (!isAskedAgain) return;
        isAskedAgain = false;
        wake();
      });
    running.add(sending);
  }

  return {
    wake,
    sendDue,
    async sendNow(id) {
      const lease = await take(id);
      if (lease !== null) await send(lease);
    },
    start() {
      timer ??= setInterval(wake, intervalMs).unref();
    },
    async stop() {
      clearInterval(timer);
      ending.abort(new Error("The server is stopping."));
      await Promise.all(running);
    },
  };
}
