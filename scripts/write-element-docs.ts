/** Writes the element's contract into docs/element.md. */
import { readFileSync, writeFileSync } from "node:fs";
import { withContract } from "./element-docs.ts";

const path = "docs/element.md";
writeFileSync(path, withContract(readFileSync(path, "utf8")));
