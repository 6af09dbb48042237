import { randomUUID } from "node:crypto";
import type { Webhook, WebhookDelivery, WebhookEvent } from "../../../protocol/console/webhooks.ts";
import type { Clock } from "../../clock.ts";
import type { Installation } from "../../installation.ts";
import { allowEverywhere, checkOutboundAddress } from "../../outbound/outbound-address.ts";
import type { Page, PageRequest, Store, WebhookDeliveryRecord, WebhookRecord } from "../../store/store.ts";
import { newDeliveryId, webhookLimits } from "../../webhooks/webhook-events.ts";
import type { WebhookSender } from "../../webhooks/webhook-sender.ts";
import { newWebhookSecret } from "../../webhooks/webhook-signature.ts";
import { AdministrationError } from "../administration-error.ts";
import { runsService } from "../organizations.ts";

/** What work on webhooks needs. */
export interface WebhookParts {
  store: Pick<Store, "webhooks" | "organizations">;
  clock: Clock;
  sender: Pick<WebhookSender, "sendNow" | "wake">;
  /** Says whether http and private networks are allowed. */
  installation: Pick<Installation, "machine">;
}

/** The most webhooks of an organization. */
const maxWebhooks = 10;

const isoTime = (timeMs: number | null): string | null =>
  timeMs === null ? null : new Date(timeMs).toISOString();

function deliveryView(record: WebhookDeliveryRecord): WebhookDelivery {
  const { id, type, state, attempts, status, problem } = record;
  return {
    ...{ id, type, state, attempts, status, problem },
    at: new Date(record.atMs).toISOString(),
    attempted_at: isoTime(record.attemptedAtMs),
    next_at: isoTime(record.nextAtMs),
  };
}

async function view({ webhooks }: WebhookParts["store"], record: WebhookRecord): Promise<Webhook> {
  const { id, address, events, withWords, state, createdAtMs } = record;
  const [last] = (await webhooks.deliveries(id, { limit: 1 })).items;
  return {
    ...{ id, address, state, events: [...events], with_words: withWords },
    created_at: new Date(createdAtMs).toISOString(),
    last_delivery: last ? deliveryView(last) : null,
  };
}

async function named({ store }: WebhookParts, organizationId: string, id: string): Promise<WebhookRecord> {
  const found = await store.webhooks.find(organizationId, id);
  if (found === null) throw new AdministrationError("not_found", `There is no webhook "${id}".`);
  return found;
}

/** The host of a webhook's address, which is its name in the audit log: many addresses contain a key. */
export const webhookName = ({ address }: Pick<Webhook, "address">): string => new URL(address).host;

/** The webhooks of an organization, in the order in which they were added. */
export async function listWebhooks({ store }: WebhookParts, organizationId: string): Promise<Webhook[]> {
  const records = await store.webhooks.list(organizationId);
  return Promise.all(records.map((record) => view(store, record)));
}

/** Adds a webhook. Only this result has its secret. Throws a Fault of the field `address`. */
export async function addWebhook(
  { store, clock, installation }: WebhookParts,
  organizationId: string,
  wanted: { address: string; events: readonly WebhookEvent[]; with_words: boolean },
): Promise<Webhook & { secret: string }> {
  const isTrusted = installation.machine.allowPrivateAddresses && (await runsService(store, organizationId));
  const address = wanted.address.trim();
  checkOutboundAddress({ field: "address", address, isTrusted, remedy: allowEverywhere });
  if ((await store.webhooks.list(organizationId)).length >= maxWebhooks)
    throw new AdministrationError(
      "webhook_refused",
      `At most ${maxWebhooks} webhooks are possible. Delete one first.`,
      { field: "address" },
    );
  const record: WebhookRecord = {
    ...{ id: randomUUID(), organizationId, address, secret: newWebhookSecret() },
    ...{ events: [...new Set(wanted.events)], withWords: wanted.with_words },
    ...{ state: "on", failures: 0, createdAtMs: clock.nowMs() },
  };
  await store.webhooks.insert(record);
  return { ...(await view(store, record)), secret: record.secret };
}

/** Deletes a webhook with its log. What waits is not sent any more. Throws AdministrationError `not_found`. */
export async function removeWebhook(
  { store }: WebhookParts,
  organizationId: string,
  id: string,
): Promise<void> {
  if (!(await store.webhooks.remove(organizationId, id)))
    throw new AdministrationError("not_found", `There is no webhook "${id}".`);
}

/** Turns a webhook on again, and sends what waits for it. Throws AdministrationError `not_found`. */
export async function turnWebhookOn(
  parts: WebhookParts,
  organizationId: string,
  id: string,
): Promise<Webhook> {
  await named(parts, organizationId, id);
  await parts.store.webhooks.turnOn(organizationId, id);
  parts.sender.wake();
  return view(parts.store, await named(parts, organizationId, id));
}

/** What was sent to a webhook and what waits, the newest first. Throws AdministrationError `not_found`. */
export async function listDeliveries(
  parts: WebhookParts,
  organizationId: string,
  id: string,
  page: PageRequest,
): Promise<Page<WebhookDelivery>> {
  await named(parts, organizationId, id);
  const { items, next } = await parts.store.webhooks.deliveries(id, page);
  return { items: items.map(deliveryView), next };
}

async function sent(
  { store, sender }: WebhookParts,
  webhookId: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  await sender.sendNow(deliveryId);
  const delivery = await store.webhooks.delivery(webhookId, deliveryId);
  if (delivery === null) throw new AdministrationError("not_found", "The webhook was deleted meanwhile.");
  return deliveryView(delivery);
}

/** Sends a message that tells nothing, once, also to a webhook that is off. Throws AdministrationError `not_found`. */
export async function testWebhook(
  parts: WebhookParts,
  organizationId: string,
  id: string,
): Promise<WebhookDelivery> {
  const { store, clock } = parts;
  await named(parts, organizationId, id);
  const content = { id: newDeliveryId(), webhookId: id, sessionId: "", type: "webhook.test" } as const;
  if (!(await store.webhooks.add({ ...content, atMs: clock.nowMs(), data: {}, words: null }, webhookLimits)))
    throw new AdministrationError("webhook_refused", "Too many deliveries wait for this webhook.");
  return sent(parts, id, content.id);
}

/** Sends a delivery again, now, also to a webhook that is off. Throws AdministrationError `not_found`. */
export async function sendAgain(
  parts: WebhookParts,
  organizationId: string,
  id: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  const { store, clock } = parts;
  await named(parts, organizationId, id);
  if ((await store.webhooks.delivery(id, deliveryId)) === null)
    throw new AdministrationError("not_found", `There is no delivery "${deliveryId}".`);
  await store.webhooks.again(id, deliveryId, clock.nowMs());
  return sent(parts, id, deliveryId);
}
