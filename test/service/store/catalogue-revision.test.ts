import { expect, onTestFinished, test } from "vitest";
import { openSqliteStore } from "../../../src/service/store/database/sqlite-store.ts";
import { temporaryFolder } from "../service-fixture.ts";

test("concurrent changes of an entry's body are all saved", async () => {
  const store = openSqliteStore(temporaryFolder());
  onTestFinished(() => store.close());
  const body = { name: "a", service: "whisper", options: 0 } as const;
  await store.catalogue.put({
    kind: "stt_type",
    id: "a",
    name: "a",
    organizationId: null,
    createdAtMs: 0,
    body,
    engine: { x: 1 },
  });
  const more = () =>
    store.catalogue.revise("stt_type", "any", "a", (known) => ({
      ...known,
      options: Number(known.options) + 1,
    }));
  expect(await Promise.all(Array.from({ length: 20 }, more))).toEqual(Array(20).fill(true));
  expect(await store.catalogue.row("stt_type", "any", "a")).toMatchObject({
    body: { options: 20 },
    engine: { x: 1 },
  });
  expect(await store.catalogue.revise("stt_type", "any", "b", (known) => known)).toBe(false);
});
