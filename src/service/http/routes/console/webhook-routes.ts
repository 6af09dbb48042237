import {
  webhookCreatedSchema,
  webhookCreateSchema,
  webhookDeliveryListSchema,
  webhookDeliverySchema,
  webhookListSchema,
  webhookSchema,
} from "../../../../protocol/console/webhooks.ts";
import { pageQuerySchema } from "../../../../protocol/schema/paging.ts";
import {
  addWebhook,
  listDeliveries,
  listWebhooks,
  removeWebhook,
  sendAgain,
  testWebhook,
  turnWebhookOn,
  webhookName,
} from "../../../administration/webhooks/webhooks.ts";
import type { WebhookParts } from "../../../administration/webhooks/webhooks.ts";
import { listOperation } from "../../operations/list-operation.ts";
import { operation } from "../../operations/operation.ts";
import type { Operation } from "../../operations/operation.ts";

const tag = "Webhooks";
const auth = "operator";
const role = "owner";
const path = "/api/console/webhooks/";
const onePath = "/api/console/webhooks/:webhook/";

const oneDelivery = {
  status: 200,
  description: "The delivery after the attempt",
  schema: webhookDeliverySchema,
} as const;
const named = (_call: unknown, webhook: { id: string; address: string }) => ({
  id: webhook.id,
  name: webhookName(webhook),
});

function deliveryRoutes(parts: WebhookParts): Operation[] {
  return [
    listOperation({
      path: `${onePath}deliveries/`,
      id: "listWebhookDeliveries",
      tag,
      summary: "List what was sent to a webhook and what waits, the newest first",
      auth,
      role,
      query: pageQuerySchema,
      description: "The last 7 days, 500 at most",
      schema: webhookDeliveryListSchema,
      read: ({ params, caller: { organizationId } }, page) =>
        listDeliveries(parts, organizationId, params.webhook, page),
    }),
    operation({
      method: "POST",
      path: `${onePath}test/`,
      id: "testWebhook",
      tag,
      summary: "Send a test to a webhook, once",
      auth,
      role,
      changesNothing: true,
      answer: oneDelivery,
      handler: ({ params, caller: { organizationId } }) => testWebhook(parts, organizationId, params.webhook),
    }),
    operation({
      method: "POST",
      path: `${onePath}deliveries/:delivery/send/`,
      id: "sendWebhookDelivery",
      tag,
      summary: "Send a delivery again now, with the same `webhook-id`",
      auth,
      role,
      answer: oneDelivery,
      handler: ({ params, caller: { organizationId } }) =>
        sendAgain(parts, organizationId, params.webhook, params.delivery),
    }),
  ];
}

/** Webhooks, which tell owners of events. */
export function webhookRoutes(parts: WebhookParts): Operation[] {
  return [
    operation({
      method: "GET",
      path,
      id: "listWebhooks",
      tag,
      summary: "List the webhooks with their last deliveries, without their secrets",
      auth,
      role,
      answer: { status: 200, description: "In order of creation", schema: webhookListSchema },
      handler: ({ caller: { organizationId } }) => listWebhooks(parts, organizationId),
    }),
    operation({
      method: "POST",
      path,
      id: "addWebhook",
      tag,
      summary: "Add a webhook, which is told of events by signed requests (Standard Webhooks)",
      auth,
      role,
      body: { schema: webhookCreateSchema },
      answer: {
        status: 201,
        description: "Only this answer has the secret that signs",
        schema: webhookCreatedSchema,
      },
      target: named,
      handler: ({ caller: { organizationId }, body }) => addWebhook(parts, organizationId, body),
    }),
    operation({
      method: "POST",
      path: `${onePath}on/`,
      id: "turnWebhookOn",
      tag,
      summary: "Turn a webhook on again, and send what waits for it",
      auth,
      role,
      answer: { status: 200, description: "The webhook", schema: webhookSchema },
      target: named,
      handler: ({ params, caller: { organizationId } }) =>
        turnWebhookOn(parts, organizationId, params.webhook),
    }),
    operation({
      method: "DELETE",
      path: onePath,
      id: "deleteWebhook",
      tag,
      summary: "Delete a webhook with its log; what waits is not sent any more",
      auth,
      role,
      answer: { status: 204, description: "It was deleted" },
      handler: ({ params, caller: { organizationId } }) =>
        removeWebhook(parts, organizationId, params.webhook),
    }),
    ...deliveryRoutes(parts),
  ];
}
