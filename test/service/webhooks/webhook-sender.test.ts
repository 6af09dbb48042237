/** The sender alone, on both databases. */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createOutboundCalls } from "../../../src/service/outbound/outbound-calls.ts";
import type { Store, WebhookRecord } from "../../../src/service/store/store.ts";
import { createWebhookSender } from "../../../src/service/webhooks/webhook-sender.ts";
import { newWebhookSecret, signatureHeaders } from "../../../src/service/webhooks/webhook-signature.ts";
import { silentLog } from "../service-fixture.ts";
import { storeBackends } from "../store/backends.ts";

const limits = { waiting: 1_000, ofConversation: 1_000 };

async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function addWebhook(store: Store, id: string, address: string): Promise<void> {
  const record: WebhookRecord = {
    ...{ id, organizationId: "org", address, secret: newWebhookSecret(), events: ["rating.down"] },
    ...{ withWords: true, state: "on", failures: 0, createdAtMs: 1 },
  };
  await store.webhooks.insert(record);
}

const addDelivery = (store: Store, webhookId: string, id: string) =>
  store.webhooks.add(
    { id, webhookId, sessionId: "s", type: "rating.down", atMs: 1_000, data: {}, words: { why: "No" } },
    limits,
  );

/** A process of the service, as far as it sends webhooks. */
function senderOf(store: Store, timeoutMs?: number) {
  const outbound = createOutboundCalls({ allowPrivate: true });
  const sender = createWebhookSender({
    ...{ store, outbound, log: silentLog, clock: { nowMs: () => 2_000 }, timeoutMs },
  });
  onTestFinished(() => sender.stop());
  return sender;
}

test("a signature is that of the specification's example", () => {
  expect(
    signatureHeaders("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      timestampSec: 1_614_265_330,
      body: '{"test": 2432232314}',
    })["webhook-signature"],
  ).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

for (const backend of storeBackends())
  describe.skipIf(!backend.isThere)(`webhooks in ${backend.name} [needs ${backend.name}]`, () => {
    async function openStore(): Promise<Store> {
      const { store } = await backend.open(await backend.newPlace());
      onTestFinished(() => store.close());
      await store.organizations.insert({ id: "org", name: "Shop", createdAtMs: 1 });
      return store;
    }

    test("each delivery is sent once, however many processes look for it", async () => {
      const store = await openStore();
      const got: string[] = [];
      const address = await serve((request, response) => {
        got.push(String(request.headers["webhook-id"]));
        response.end();
      });
      const ids = Array.from({ length: 30 }, (_, place) => `msg_${place}`);
      for (const webhook of ["a", "b", "c"]) {
        await addWebhook(store, webhook, address);
        for (const id of ids) await addDelivery(store, webhook, `${id}${webhook}`);
      }
      const senders = Array.from({ length: 4 }, () => senderOf(store));
      await Promise.all(senders.map((sender) => sender.sendDue()));
      // One that found another's delivery in work has left the rest.
      await senders[0]!.sendDue();
      expect(got).toHaveLength(90);
      expect(new Set(got).size).toBe(90);
      const { items } = await store.webhooks.deliveries("a", {});
      expect(items.every(({ state, attempts }) => state === "delivered" && attempts === 1)).toBe(true);
    });

    test("a receiver that takes too long has failed", async () => {
      const store = await openStore();
      await addWebhook(store, "a", await serve(() => undefined));
      await addDelivery(store, "a", "msg_1");
      await senderOf(store, 50).sendDue();
      expect(await store.webhooks.delivery("a", "msg_1")).toMatchObject({
        ...{ state: "waiting", problem: "timeout", status: null, nextAtMs: 7_000 },
      });
    });

    test("the log keeps those that wait, and the newest of the others", async () => {
      const store = await openStore();
      await addWebhook(store, "a", await serve((_request, response) => response.end()));
      for (const id of ["msg_1", "msg_2", "msg_3"]) await addDelivery(store, "a", id);
      await senderOf(store).sendDue();
      await addDelivery(store, "a", "msg_4");
      expect(await store.webhooks.trim(0, 2)).toBe(1);
      const ids = async () => (await store.webhooks.deliveries("a", {})).items.map(({ id }) => id);
      expect(await ids()).toEqual(["msg_4", "msg_3", "msg_2"]);
      expect(await store.webhooks.trim(1_001, 2)).toBe(3);
      expect(await ids()).toEqual([]);
    });

    test("no more wait than the limits say, and a deleted webhook takes its deliveries with it", async () => {
      const store = await openStore();
      await addWebhook(store, "a", "https://hooks.example/");
      await addDelivery(store, "a", "msg_1");
      const content = { webhookId: "a", type: "rating.down", atMs: 1, data: {}, words: null } as const;
      const add = (id: string, sessionId: string, most: typeof limits) =>
        store.webhooks.add({ ...content, id, sessionId }, most);
      expect(await add("msg_2", "t", { waiting: 1, ofConversation: 9 })).toBe(false);
      expect(await add("msg_2", "s", { waiting: 9, ofConversation: 1 })).toBe(false);
      expect(await add("msg_2", "t", { waiting: 9, ofConversation: 1 })).toBe(true);
      expect(await store.webhooks.remove("other", "a")).toBe(false);
      expect(await store.webhooks.remove("org", "a")).toBe(true);
      expect(await store.webhooks.delivery("a", "msg_1")).toBeNull();
    });
  });
