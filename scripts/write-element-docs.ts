/** Writes the element's contract into docs/element.md. */
import { readFileSync, writeFileSync } from "node:fs";
import prettier from "prettier";
import { withContract } from "./element-docs.ts";

const path = "docs/element.md";
const options = { ...(await prettier.resolveConfig(path)), filepath: path };
writeFileSync(path, await prettier.format(withContract(readFileSync(path, "utf8")), options));
