import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** Files that installing and building leave in an example, and files that are not code. */
const notWritten = /node_modules|\/(?:dist|\.next)\/|README\.md$|package-lock\.json$/;

function linesOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => !notWritten.test(path) && statSync(path).isFile())
    .reduce((sum, path) => sum + readFileSync(path, "utf8").trimEnd().split("\n").length, 0);
}

/** An example that shows the widget has few lines. One that is a caller of the service connects, reads what is spoken, and draws itself. */
const mostLines = (name: string): number => (name === "onpremise" ? 250 : 60);

it.each(readdirSync("examples"))("the example %s is as short as what it shows", (name) => {
  const lines = linesOf(join("examples", name));
  expect(lines).toBeGreaterThan(0);
  expect(lines).toBeLessThanOrEqual(mostLines(name));
});
