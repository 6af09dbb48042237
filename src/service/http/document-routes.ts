import type { Hono } from "hono";
import type { PublicFiles } from "../sessions/public-files.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { Store } from "../store/store.ts";
import type { ApiKeyCheck } from "./api-key-check.ts";
import { pathPart, route } from "./routing.ts";

interface DocumentDependencies {
  store: Store;
  files: PublicFiles;
  sessions: Sessions;
}

/** Knowledge documents and their texts (wire conventions, Operations); the texts are for the organization alone. */
export function documentRoutes(
  app: Hono,
  { store, files, sessions }: DocumentDependencies,
  checkApiKey: ApiKeyCheck,
): void {
  route(app, "/api/v1/document/", {
    GET: async (context) => {
      const { organizationId } = await checkApiKey(context.req.raw.headers);
      const documents = await store.catalogue.list("document", organizationId);
      return context.json(documents.map((document) => files.document(document)));
    },
  });
  route(app, "/api/v1/document/:document/file/", {
    GET: async (context) => {
      const { organizationId } = await checkApiKey(context.req.raw.headers);
      const text = await sessions.documentText(organizationId, pathPart(context, "document"));
      return context.body(text, 200, {
        "Content-Type": "text/plain; charset=utf-8",
        // Whatever the text holds, it is never shown as a page of this address.
        "Content-Disposition": "attachment",
      });
    },
  });
}
