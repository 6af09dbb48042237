/** Writes the table of operations into docs/operations.md: `npm run docs:operations`. */
import { readFileSync, writeFileSync } from "node:fs";
import { interfaceDescription, withOperations } from "./operation-docs.ts";

const path = "docs/operations.md";
const page = withOperations(readFileSync(path, "utf8"), interfaceDescription());
writeFileSync(path, page);
