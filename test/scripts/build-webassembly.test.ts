import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { moduleText, targets } from "../../scripts/build-webassembly.ts";

it.each(["planes", "filter", "encoder"] as const)(
  "the compiled module is that of webassembly/%s",
  async (source) => {
    const file = readFileSync(targets[source], "utf8");
    expect(file === (await moduleText(source)), "Run `npm run build:webassembly`.").toBe(true);
  },
);
