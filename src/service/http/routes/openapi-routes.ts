import * as z from "zod";
import { apiViewerHeaders, apiViewerPage, readApiViewerScript } from "../openapi/api-viewer.ts";
import { openApiDocument } from "../openapi/openapi-document.ts";
import { operation } from "../operations/operation.ts";
import type { Operation } from "../operations/operation.ts";

const tag = "Service";

/** An OpenAPI 3.1 document, as far as the specification of OpenAPI requires. */
const openApiDocumentSchema = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.looseObject({})),
});

/** `/openapi.json`. */
const readDocument = (writtenDocument: () => string): Operation =>
  operation({
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
      content: openApiDocumentSchema,
      headers: {
        "Cache-Control": "no-cache",
        // The document is public, and tools of other origins read it.
        "Access-Control-Allow-Origin": "*",
      },
    },
    handler: writtenDocument,
  });

const readPage = (writtenDocument: () => string): Operation =>
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
    handler: () => {
      // The viewer gives up on a description that takes longer than 5 s, and to make it takes seconds on a busy machine.
      writtenDocument();
      return apiViewerPage;
    },
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
export function openApiRoutes(operations: () => readonly Operation[], serviceUrl: string): Operation[] {
  let written: string | undefined;
  // Made at the first request, because it describes all operations, these too.
  const writtenDocument = () => (written ??= JSON.stringify(openApiDocument(operations(), serviceUrl)));
  return [readDocument(writtenDocument), readPage(writtenDocument), readScript()];
}
