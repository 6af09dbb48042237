import { describe, expect, onTestFinished, test } from "vitest";
import type { MessageRecord, Store } from "../../../src/service/store/store.ts";
import { storeBackends } from "./backends.ts";

const organizationId = "org";

const message = (requestId: string, sessionId = "s-1", atMs = 10): MessageRecord => ({
  id: `${sessionId}-${requestId}`,
  sessionId,
  requestId,
  organizationId,
  contextUuid: "context",
  atMs,
  state: "new",
  stateBy: "",
  text: "Can you deliver on a Saturday?",
  name: "Ana",
  email: "ana@weiz.example",
  phone: "",
  page: "",
  agreedTo: "",
});

for (const backend of storeBackends())
  describe.skipIf(!backend.isThere)(`in ${backend.name} [needs ${backend.name}]`, () => {
    async function openStore(): Promise<Store> {
      const { store } = await backend.open(await backend.newPlace());
      onTestFinished(() => store.close());
      await store.organizations.insert({ id: organizationId, name: "Organization", createdAtMs: 1 });
      for (const sessionId of ["s-1", "s-2"])
        await store.conversations.begin({
          ...{ sessionId, organizationId, contextUuid: "context" },
          ...{ startedAtMs: 1, expiresAtMs: null },
        });
      return store;
    }

    test("a message is stored once, and a session has no more than its limit", async () => {
      const { inbox } = await openStore();
      const first = message("a");
      const twice = await Promise.all([inbox.add(first, 2), inbox.add({ ...first, id: "other" }, 2)]);
      expect(twice.toSorted()).toEqual(["added", "known"]);
      expect(await inbox.add(message("b"), 2)).toBe("added");
      expect(await inbox.add(message("c"), 2)).toBe("full");
      expect(await inbox.add(message("a"), 2)).toBe("known");
      expect(await inbox.add(message("a", "s-2"), 2)).toBe("added");
      expect((await inbox.ofSession("s-1")).map(({ requestId }) => requestId)).toEqual(["a", "b"]);
    });

    test("messages are listed by pages, the newest first, by state and context", async () => {
      const { inbox } = await openStore();
      for (const id of ["a", "b", "c"]) await inbox.add(message(id), 5);
      await inbox.setState(organizationId, "s-1-b", "done", "Lena");
      const begin = await inbox.page(organizationId, {}, { limit: 2 });
      expect(begin.items.map(({ id }) => id)).toEqual(["s-1-c", "s-1-b"]);
      const rest = await inbox.page(organizationId, {}, { limit: 2, after: begin.next ?? 0 });
      expect(rest).toMatchObject({ items: [{ id: "s-1-a" }], next: null });
      const done = await inbox.page(organizationId, { state: "done", contextUuid: "context" }, {});
      expect(done.items).toEqual([{ ...message("b"), state: "done", stateBy: "Lena" }]);
      expect((await inbox.page(organizationId, { contextUuid: "none" }, {})).items).toEqual([]);
      expect(await inbox.counts(organizationId)).toEqual({ new: 2, answered: 0, done: 1 });
    });

    test("old and deleted messages are removed, and those of a removed conversation", async () => {
      const { conversations, inbox } = await openStore();
      await inbox.add(message("old", "s-1", 10), 5);
      await inbox.add(message("deleted", "s-1", 30), 5);
      await inbox.add(message("kept", "s-1", 30), 5);
      await inbox.add(message("other", "s-2", 30), 5);
      await inbox.setDeleted(organizationId, "s-1-deleted", 31);
      expect(await inbox.byId(organizationId, "s-1-deleted")).toBeNull();
      expect(await inbox.removeOld(20, 1)).toBe(1);
      expect(await inbox.removeOld(20, 5)).toBe(1);
      expect(await inbox.removeOld(20, 5)).toBe(0);
      await conversations.setDeleted(organizationId, "s-2", 40);
      expect((await inbox.page(organizationId, {}, {})).items.map(({ id }) => id)).toEqual(["s-1-kept"]);
      await conversations.removeDeleted(50, 5);
      await conversations.restore(organizationId, "s-2");
      expect(await inbox.ofSession("s-2")).toEqual([]);
    });
  });
