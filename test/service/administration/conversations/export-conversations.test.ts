import { expect, test } from "vitest";
import { conversationsAsJson } from "../../../../src/service/administration/conversations/export-conversations.ts";
import type { ConversationRecord } from "../../../../src/service/store/store.ts";

type ExportStore = Parameters<typeof conversationsAsJson>[0];

/** A store whose list names one conversation, and what reading that one gives. */
const storeOf = (read: () => Promise<ConversationRecord | null>): ExportStore =>
  ({
    conversations: {
      page: () => Promise.resolve({ items: [{ sessionId: "session_1" }], next: null }),
      byId: read,
    },
  }) as unknown as ExportStore;

async function exported(store: ExportStore): Promise<string> {
  let text = "";
  for await (const piece of conversationsAsJson(store, "org_1", {})) text += piece;
  return text;
}

test("an export leaves out a conversation that was deleted meanwhile", async () => {
  expect(JSON.parse(await exported(storeOf(() => Promise.resolve(null))))).toEqual([]);
});

test("an export fails with the database, instead of lacking conversations without saying so", async () => {
  const failing = storeOf(() => Promise.reject(new Error("The database is down.")));
  await expect(exported(failing)).rejects.toThrow("The database is down.");
});
