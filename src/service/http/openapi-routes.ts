import type { Hono } from "hono";
import { apiPage } from "./api-page.ts";
import type { ApiPage } from "./api-page.ts";
import { documentedOperations } from "./documented-operations.ts";
import { openApiDocument } from "./openapi-document.ts";
import { route } from "./routing.ts";

/** The interface's description: `/openapi.json` for machines, `/api/` for people. Made when it is first asked for. */
export function openApiRoutes(app: Hono, publicUrl: string): void {
  let document: string | undefined;
  let page: ApiPage | undefined;
  route(app, "/openapi.json", {
    GET: (context) => {
      document ??= JSON.stringify(openApiDocument(documentedOperations(app), publicUrl));
      return context.body(document, 200, {
        "Content-Type": "application/json",
        "Cache-Control": "no-cache",
        // It says nothing that is not public, and tools of other origins read it.
        "Access-Control-Allow-Origin": "*",
      });
    },
  });
  route(app, "/api/", {
    GET: (context) => {
      page ??= apiPage(documentedOperations(app));
      return context.body(page.html, 200, page.headers);
    },
  });
}
