import { beforeEach, describe, expect, test } from "vitest";
import { createApiKey, listApiKeys, revokeApiKey } from "../../../src/service/administration/api-keys.ts";
import {
  createContext,
  namedContext,
  removeContext,
  replaceContext,
} from "../../../src/service/administration/contexts/contexts.ts";
import { listLiveSessions } from "../../../src/service/administration/live-sessions.ts";
import {
  chosenOrganization,
  createOrganization,
  organizationUse,
  setQuotas,
} from "../../../src/service/administration/organizations.ts";
import { contextView } from "../../../src/service/contexts/context-settings.ts";
import { runService, type RunningService } from "../service-fixture.ts";

const nowMs = Date.UTC(2026, 0, 1);
let run: RunningService;

beforeEach(async () => {
  run = await runService();
});

describe("API keys", () => {
  test("a key is accepted until it is revoked", async () => {
    const fields = { organizationId: run.organizationId, name: " Shop ", expiresAtMs: null };
    const made = await createApiKey(run.store, fields, nowMs);
    const listed = async () => (await listApiKeys(run.store, run.organizationId, nowMs)).at(-1);
    const status = async () =>
      (await run.service.app.request("/api/v1/prompt/", { headers: { "ServicePlatform-APIKey": made.key } }))
        .status;
    expect(await listed()).toEqual({
      id: made.id,
      name: "Shop",
      createdAtMs: nowMs,
      state: { status: "active", atMs: null },
    });
    expect(await status()).toBe(200);
    await revokeApiKey(run.store, run.organizationId, made.id, nowMs);
    expect((await listed())?.state).toEqual({ status: "revoked", atMs: nowMs });
    expect(await status()).toBe(401);
  });

  test("an unknown name, a past expiry and an unknown id are refused with codes", async () => {
    const fields = { organizationId: run.organizationId, name: "Shop", expiresAtMs: null };
    await expect(createApiKey(run.store, { ...fields, name: " " }, nowMs)).rejects.toMatchObject({
      code: "invalid_name",
    });
    await expect(createApiKey(run.store, { ...fields, expiresAtMs: nowMs }, nowMs)).rejects.toMatchObject({
      code: "invalid_expiry",
    });
    await expect(revokeApiKey(run.store, run.organizationId, "none", nowMs)).rejects.toMatchObject({
      code: "not_found",
    });
  });
});

describe("organizations", () => {
  test("have quotas, which must be whole numbers", async () => {
    const { id, name } = await createOrganization(run.store, "Bakery", nowMs);
    await setQuotas(run.store, id, { credits: 40, minutesPerSession: null });
    expect(await organizationUse(run.store, { id, name }, nowMs)).toMatchObject({
      quotas: { credits: 40, minutesPerSession: null },
      used: { month: "2026-01", activeSessions: 0 },
    });
    for (const credits of [-1, 0.5, 2 ** 31])
      await expect(setQuotas(run.store, id, { credits })).rejects.toMatchObject({ code: "invalid_quota" });
    await expect(createOrganization(run.store, "Bakery", nowMs)).rejects.toMatchObject({
      code: "name_taken",
    });
  });

  test("one must be named when there are several", async () => {
    const bakery = await createOrganization(run.store, "Bakery", nowMs);
    const all = await run.store.organizations.list();
    expect(chosenOrganization(all, "Bakery")).toEqual(bakery);
    expect(chosenOrganization([bakery], undefined)).toBe(bakery);
    const refusal = (named?: string) => {
      try {
        return chosenOrganization(all, named);
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect([refusal(), refusal("Butcher")]).toEqual(["organization_required", "not_found"]);
  });
});

test("contexts are created, replaced by id or embed key, and removed", async () => {
  const { store, organizationId, demo } = run;
  const fields = { ...contextView(demo), name: "Shop" };
  const { id, contextId } = await createContext(store, organizationId, fields, nowMs);
  const replaced = await replaceContext(
    store,
    { organizationId, identifier: contextId },
    { ...fields, name: "Bakery" },
    nowMs,
  );
  expect(replaced).toMatchObject({ id, name: "Bakery" });
  await expect(
    createContext(store, organizationId, { ...fields, colour: "red" }, nowMs),
  ).rejects.toMatchObject({ body: { errors: [{ attr: "colour" }] } });
  await removeContext(store, organizationId, id.toUpperCase(), nowMs);
  await expect(namedContext(store, organizationId, contextId)).rejects.toMatchObject({ code: "not_found" });
});

test("live sessions of the organization are listed with their context", async () => {
  const id = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
  expect(await listLiveSessions(run.store, run.organizationId)).toMatchObject([
    { id, status: "CREATED", durationSec: 0, contextId: "ctx_demo" },
  ]);
  expect(await listLiveSessions(run.store, "another")).toEqual([]);
});
