import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { interfaceDescription, withOperations } from "../../scripts/operation-docs.ts";

test("docs/operations.md has the operations of /openapi.json that clients may call (npm run docs:operations)", () => {
  const page = readFileSync("docs/operations.md", "utf8");
  const written = withOperations(page, interfaceDescription());
  expect(written).toBe(page);
  expect(page).toContain("`POST /api/v1/session/{session}/event/create/`");
  expect(page).not.toContain("/api/console/accounts/");
});
