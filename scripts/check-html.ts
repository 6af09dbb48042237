/** Validates the HTML pages: the built ones, and those that the relay and the service answer themselves. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { HtmlValidate } from "html-validate";
import { apiViewerPage } from "../src/service/http/openapi/api-viewer.ts";
import { missingViewerPage, viewerPage } from "../src/relay/assets/viewer-page.ts";

const root = "dist/public";
const context = { context_id: "ctx_demo", name: "Alder & Home", embed_config: { allowed_origins: [] } };
const files = {
  widget: "assets/widget.js",
  viewer: { script: "assets/viewer.js", styles: ["assets/viewer.css"] },
};

const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:recommended"],
  // Prettier decides how tags are written.
  rules: { "doctype-style": "off", "void-style": "off" },
});

async function faultsIn(name: string, html: string): Promise<string[]> {
  const { results } = await validator.validateString(html, name);
  return results
    .flatMap(({ messages }) => messages)
    .map(({ line, column, ruleId, message }) => `${name}:${line}:${column} ${message} (${ruleId})`);
}

const built = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".html"),
);
if (built.length === 0) throw new Error(`There is no page in ${root}. Run the build.`);
const pages: [string, string][] = [
  ...built.map((file): [string, string] => [file, readFileSync(join(root, file), "utf8")]),
  ["the viewer's page", await viewerPage(context, files, "").text()],
  ["the API page", apiViewerPage],
  ["the viewer's page of an unknown context", await missingViewerPage().text()],
];
const faults = (await Promise.all(pages.map(([name, html]) => faultsIn(name, html)))).flat();
if (faults.length > 0) {
  process.stderr.write(`Pages with faults:\n  ${faults.join("\n  ")}\n`);
  process.exit(1);
}
process.stdout.write(`${pages.length} pages checked.\n`);
