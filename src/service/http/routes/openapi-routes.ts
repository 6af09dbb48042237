import { apiViewerHeaders, apiViewerPage, readApiViewerScript } from "../openapi/api-viewer.ts";
import { openApiDocument } from "../openapi/openapi-document.ts";
import { operation } from "../operations/operation.ts";
import type { Operation } from "../operations/operation.ts";

const tag = "Service";

/** `/openapi.json`. The document is made at the first request, because it describes all operations, this one too. */
function readDocument(operations: () => readonly Operation[], publicUrl: string): Operation {
  let written: string | undefined;
  return operation({
    method: "GET",
    path: "/openapi.json",
    id: "readOpenApiDocument",
    tag,
    summary: "Read the description of this interface",
    auth: "none",
    answer: {
      status: 200,
      description: "An OpenAPI 3.1 document",
      contentType: "application/json",
      headers: {
        "Cache-Control": "no-cache",
        // The document is public, and tools of other origins read it.
        "Access-Control-Allow-Origin": "*",
      },
    },
    handler: () => (written ??= JSON.stringify(openApiDocument(operations(), publicUrl))),
  });
}

const readPage = (): Operation =>
  operation({
    method: "GET",
    path: "/api/",
    id: "readApiReference",
    tag,
    summary: "Show this interface as a page",
    auth: "none",
    answer: {
      status: 200,
      description: "The page",
      contentType: "text/html; charset=utf-8",
      headers: apiViewerHeaders,
    },
    handler: () => apiViewerPage,
  });

const readScript = (): Operation =>
  operation({
    method: "GET",
    path: "/api/viewer.js",
    id: "readApiViewer",
    tag,
    summary: "Get the script of the page that shows this interface",
    auth: "none",
    answer: {
      status: 200,
      description: "The script",
      contentType: "text/javascript; charset=utf-8",
      headers: { "Cache-Control": "public, max-age=86400" },
    },
    handler: () => readApiViewerScript(),
  });

/**
 * The interface's description: `/openapi.json` for machines, `/api/` for people.
 *
 * @param operations all operations of the app, these included
 */
export function openApiRoutes(operations: () => readonly Operation[], publicUrl: string): Operation[] {
  return [readDocument(operations, publicUrl), readPage(), readScript()];
}
