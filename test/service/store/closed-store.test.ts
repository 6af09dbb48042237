import { expect, test } from "vitest";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import { temporaryFolder } from "../service-fixture.ts";

test("what comes after a store is closed gets an error, and does not end the process", async () => {
  const store = openSqliteStore(temporaryFolder());
  await store.close();
  await expect(store.sessions.byId("late")).rejects.toThrow("The store is closed.");
  await expect(store.sessions.detail("late")).rejects.toThrow("The store is closed.");
});
