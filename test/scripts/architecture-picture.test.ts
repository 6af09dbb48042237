import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mermaidOf, partImports, withPicture } from "../../scripts/architecture-picture.ts";

test("the picture in docs/architecture.md shows the imports as they are (npm run docs:architecture)", async () => {
  const imports = await partImports();
  expect([...imports.keys()]).toEqual(
    expect.arrayContaining(["widget", "relay", "service/http", "protocol"]),
  );
  const page = readFileSync("docs/architecture.md", "utf8");
  expect(withPicture(page, mermaidOf(imports))).toBe(page);
});
