/** Writes the picture of the imports into docs/architecture.md: `npm run docs:architecture`. */
import { readFileSync, writeFileSync } from "node:fs";
import { mermaidOf, partImports, withPicture } from "./architecture-picture.ts";

const page = "docs/architecture.md";
writeFileSync(page, withPicture(readFileSync(page, "utf8"), mermaidOf(await partImports())));
