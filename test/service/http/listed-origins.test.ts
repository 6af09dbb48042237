import { describe, expect, test } from "vitest";
import { defaultServiceSettings } from "../../../src/service/service-settings.ts";
import { apiKey, runService } from "../service-fixture.ts";
import type { RunningService } from "../service-fixture.ts";

const shop = "https://shop.example";
const settings = {
  ...defaultServiceSettings,
  publicUrl: "https://relay.example",
  publicFolder: "/srv/public",
};

const withShop = () => runService({ settings: { ...settings, sessionAccess: "key", apiOrigins: [shop] } });

const paths = ["/api/v1/prompt/", "/api/v1/session/", "/api/v1/session/0123/", "/api/speech/v2/voices"];

function preflight(run: RunningService, path: string, origin: string): Promise<Response> {
  return run.request(path, {
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "serviceplatform-apikey,content-type",
    },
  });
}

describe("a page of a listed origin", () => {
  test.each(paths)("may ask whether it may call %s with a key", async (path) => {
    const response = await preflight(await withShop(), path, shop);
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe(shop);
    expect(response.headers.get("access-control-allow-headers")).toMatch(/ServicePlatform-APIKey,XP-API-KEY/);
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("vary")).toBe("Origin");
  });

  test("can read answers and errors, including rate limits", async () => {
    const run = await withShop();
    for (const [key, status] of [[apiKey, 200] as const, ["vv_nobody_has_this_key", 404] as const]) {
      const response = await run.request("/api/v1/prompt/", { headers: { Origin: shop, "XP-API-KEY": key } });
      expect(response.status).toBe(status);
      expect(response.headers.get("access-control-allow-origin")).toBe(shop);
      expect(response.headers.get("access-control-expose-headers")).toContain("X-RateLimit-Reset");
    }
  });
});

test.each([
  "https://shop.example.evil",
  "https://www.shop.example",
  "http://shop.example",
  "https://shop.example:8443",
  "https://SHOP.example",
  "null",
])("a page of %s reads nothing where https://shop.example is listed", async (origin) => {
  const run = await withShop();
  for (const path of paths) {
    const asked = await preflight(run, path, origin);
    expect(asked.headers.get("access-control-allow-origin")).toBeNull();
    const called = await run.request(path, { headers: { Origin: origin, "XP-API-KEY": apiKey } });
    expect(called.headers.get("access-control-allow-origin")).toBeNull();
    expect(called.headers.get("vary")).toBe("Origin");
  }
});

test("without listed origins, no page can read answers to calls with a key, and there is no warning", async () => {
  const run = await runService({ settings });
  const response = await run.request("/api/v1/prompt/", { headers: { Origin: shop, "XP-API-KEY": apiKey } });
  expect(response.status).toBe(200);
  expect(response.headers.get("access-control-allow-origin")).toBeNull();
  run.service.start();
  await run.service.stop();
  expect(run.lines.filter(({ level }) => level === "warn")).toEqual([]);
});

test("session paths that need no key are readable for pages of every origin", async () => {
  const run = await runService({ settings: { ...settings, apiOrigins: [shop] } });
  const response = await run.request(`/api/v1/session/${await run.newSession()}/`, {
    headers: { Origin: "https://other.example" },
  });
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
});

test("every start with listed origins warns that everyone can read a key in a page", async () => {
  const run = await withShop();
  run.service.start();
  await run.service.stop();
  expect(run.lines).toContainEqual({
    level: "warn",
    message: "pages may call with an API key, which everyone who opens them can read",
    origins: shop,
  });
});
