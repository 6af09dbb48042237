import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { planesModule } from "../../scripts/build-planes.ts";

test("the compiled module is that of webassembly/planes", async () => {
  const file = readFileSync("src/service/media/planes/kernel-module.ts", "utf8");
  expect(file === (await planesModule()), "Run `npm run build:planes`.").toBe(true);
}, 60_000);
