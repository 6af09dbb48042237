import { expect, test } from "vitest";
import {
  createContext,
  namedContext,
  removeContext,
} from "../../../src/service/administration/contexts/contexts.ts";
import { setQuotas } from "../../../src/service/administration/organizations.ts";
import { contextView } from "../../../src/service/contexts/context-settings.ts";
import { runService } from "../service-fixture.ts";

test("quotas are whole numbers that a database takes", async () => {
  const { store, organizationId } = await runService();
  for (const credits of [-1, 0.5, 2 ** 31])
    await expect(setQuotas(store, organizationId, { credits })).rejects.toMatchObject({
      code: "invalid_quota",
    });
});

test("a context is removed by its id in any case", async () => {
  const { store, organizationId, demo, nowMs } = await runService();
  const fields = { ...contextView(demo), name: "Shop" };
  const { id, contextId } = await createContext(store, organizationId, fields, nowMs());
  await removeContext(store, organizationId, id.toUpperCase(), nowMs());
  await expect(namedContext(store, organizationId, contextId)).rejects.toMatchObject({ code: "not_found" });
});
