import { createHash } from "node:crypto";
import { openApiPath } from "./openapi-document.ts";
import type { DocumentedOperation } from "./documented-operations.ts";
import { jsonSchema } from "../../protocol/json-schema.ts";
import type { Direction, WireSchema } from "../../protocol/json-schema.ts";
import { apiPageStyle } from "./api-page-style.ts";
import { escapeHtml } from "./html.ts";
import type { Access } from "./operation.ts";

/** A page of the interface with the headers it must be sent with. */
export interface ApiPage {
  html: string;
  headers: Record<string, string>;
}

const accessText: Record<Access, string> = {
  open: "No credential",
  session: "The session's id alone",
  key: "API key",
  voices: "API key, in xi-api-key too",
  console: "API key or console session",
};

/** A heading's fragment, such as `embed-contexts`. */
function slug(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

function schemaText(schema: WireSchema, direction: Direction): string {
  const json = jsonSchema(schema, { direction, named: new Map(), uri: (name) => name });
  return escapeHtml(JSON.stringify(json, null, 2));
}

/** A schema that opens by keyboard and click alike; what scrolls sideways can be reached by keyboard. */
function schemaBlock(label: string, schema: WireSchema, direction: Direction): string {
  const title = escapeHtml(label);
  return `<details><summary>${title}</summary><pre tabindex="0" role="region" aria-label="${title}">${schemaText(schema, direction)}</pre></details>`;
}

function answerRows({ answers }: DocumentedOperation): string {
  return [...answers]
    .map(([status, { description }]) => `<dt>${status}</dt><dd>${escapeHtml(description)}</dd>`)
    .join("");
}

function operationBlock(operation: DocumentedOperation): string {
  const { method, path, description } = operation;
  const { id, summary, access, query, body, answer } = description;
  const name = escapeHtml(id);
  return [
    `<section aria-labelledby="${name}"><h3 id="${name}">${escapeHtml(summary)}</h3>`,
    `<p class="call"><b>${method}</b> <code>${escapeHtml(openApiPath(path))}</code></p>`,
    `<p>${escapeHtml(accessText[access])}</p>`,
    query ? schemaBlock(`Query of ${id}`, query.schema, "input") : "",
    body ? schemaBlock(`Body of ${id}`, body.schema, "input") : "",
    answer.schema ? schemaBlock(`Answer of ${id}`, answer.schema, "output") : "",
    `<dl>${answerRows(operation)}</dl></section>`,
  ].join("");
}

function page(operations: readonly DocumentedOperation[]): string {
  const tags = [...new Set(operations.map(({ description }) => description.tag))];
  const links = tags.map((tag) => `<li><a href="#${slug(tag)}">${escapeHtml(tag)}</a></li>`).join("");
  const parts = tags.map((tag) => {
    const own = operations.filter(({ description }) => description.tag === tag);
    return `<h2 id="${slug(tag)}">${escapeHtml(tag)}</h2>${own.map(operationBlock).join("")}`;
  });
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The service's interface</title>` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<meta name="color-scheme" content="light dark"><style>${apiPageStyle}</style></head><body>` +
    `<a class="skip" href="#content">Skip to the operations</a>` +
    `<header><h1>The service's interface</h1>` +
    `<p>Made from the same schemas that check every request. The machine's version: ` +
    `<a href="/openapi.json">openapi.json</a>.</p></header>` +
    `<nav aria-label="Parts"><ul>${links}</ul></nav><main id="content">${parts.join("")}</main></body></html>`
  );
}

/** The interface as a page that reads without any script. */
export function apiPage(operations: readonly DocumentedOperation[]): ApiPage {
  const style = createHash("sha256").update(apiPageStyle).digest("base64");
  return {
    html: page(operations),
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy":
        `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; ` +
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "no-cache",
    },
  };
}
