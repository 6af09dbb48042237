import { expect } from "vitest";
import { apiKey, type RunningService, runService, settingsWith } from "../service-fixture.ts";
import { testWith } from "./shared-service.ts";

const shop = "https://shop.example";
const paths = ["/api/v1/prompt/", "/api/v1/session/", "/api/v1/session/0123/", "/api/speech/v2/voices"];

/** A service whose session paths need a key, and which lists the shop's origin. */
const test = testWith((given) =>
  runService({ ...given, settings: settingsWith({ sessionAccess: "key", apiOrigins: [shop] }) }),
);
/** A service without listed origins. */
const openTest = testWith(runService);

function preflight(run: RunningService, path: string, origin: string): Promise<Response> {
  const asked = { "Access-Control-Request-Method": "POST" };
  const headers = { Origin: origin, ...asked, "Access-Control-Request-Headers": "serviceplatform-apikey" };
  return run.request(path, { method: "OPTIONS", headers });
}

const allowedBy = (response: Response) => response.headers.get("access-control-allow-origin");

test.for(paths)(
  "a page of a listed origin may ask whether it may call %s with a key",
  async (path, { run }) => {
    const response = await preflight(run, path, shop);
    expect([response.status, allowedBy(response), response.headers.get("vary")]).toEqual([
      204,
      shop,
      "Origin",
    ]);
    expect(response.headers.get("access-control-allow-headers")).toMatch(/ServicePlatform-APIKey,XP-API-KEY/);
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  },
);

test("a page of a listed origin can read answers and errors, including rate limits", async ({ run }) => {
  for (const [key, status] of [[apiKey, 200] as const, ["vv_nobody_has_this_key", 404] as const]) {
    const response = await run.request("/api/v1/prompt/", { headers: { Origin: shop, "XP-API-KEY": key } });
    expect([response.status, allowedBy(response)]).toEqual([status, shop]);
    expect(response.headers.get("access-control-expose-headers")).toContain("X-RateLimit-Reset");
  }
});

test.for([
  "https://shop.example.evil",
  "https://www.shop.example",
  "http://shop.example",
  "https://shop.example:8443",
  "https://SHOP.example",
  "null",
])("a page of %s reads nothing where https://shop.example is listed", async (origin, { run }) => {
  for (const path of paths) {
    expect(allowedBy(await preflight(run, path, origin))).toBeNull();
    const called = await run.request(path, { headers: { Origin: origin, "XP-API-KEY": apiKey } });
    expect([allowedBy(called), called.headers.get("vary")]).toEqual([null, "Origin"]);
  }
});

openTest(
  "without listed origins, no page can read answers to calls with a key, and there is no warning",
  async ({ own: run }) => {
    const response = await run.request("/api/v1/prompt/", {
      headers: { Origin: shop, "XP-API-KEY": apiKey },
    });
    expect([response.status, allowedBy(response)]).toEqual([200, null]);
    expect(allowedBy(await preflight(run, "/api/v1/session/", shop))).toBeNull();
    run.service.start();
    await run.service.stop();
    expect(run.lines.filter(({ level }) => level === "warn")).toEqual([]);
  },
);

openTest(
  "session paths that need no key are readable for pages of every origin, without credentials, errors too",
  async ({ run }) => {
    for (const [session, status] of [
      [await run.newSession(), 200] as const,
      ["0".repeat(40), 404] as const,
    ]) {
      const headers = { Origin: "https://other.example" };
      const response = await run.request(`/api/v1/session/${session}/`, { headers });
      expect([response.status, allowedBy(response)]).toEqual([status, "*"]);
      expect(response.headers.has("access-control-allow-credentials")).toBe(false);
    }
    expect((await preflight(run, `/api/v1/session/${"0".repeat(40)}/exchange/`, shop)).status).toBe(204);
  },
);

test("every start with listed origins warns that everyone can read a key in a page", async ({ own: run }) => {
  run.service.start();
  await run.service.stop();
  expect(run.lines).toContainEqual({
    level: "warn",
    message: "pages may call with an API key, which everyone who opens them can read",
    origins: shop,
  });
});
