import { expect, test } from "vitest";
import { errorBodySchema } from "../../../src/protocol/schema/error-body.ts";
import { runService } from "../service-fixture.ts";

test("manipulated paths find nothing and cause no server error", async () => {
  const run = await runService();
  for (const id of [
    "%00",
    "%E0%A4%A",
    "..%2f..",
    "%2e%2e",
    "a".repeat(5_000),
    "'%20or%201=1--",
    "%F0%9F%98%80",
  ])
    for (const path of [
      `/api/v1/session/${id}/`,
      `/api/console/b2c/contexts/${id}/`,
      `/api/v1/background_image/${id}/`,
    ]) {
      const response = await run.get(path);
      expect([404, 405]).toContain(response.status);
      errorBodySchema.parse(await response.json());
    }
});
