import type { Hono } from "hono";
import { knowledgeDocumentListSchema } from "../../protocol/catalogue.ts";
import type { ReadableCatalogue } from "../available-catalogue.ts";
import type { PublicFiles } from "../sessions/public-files.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { operation } from "./operation.ts";
import { pathPart, route } from "./routing.ts";

interface DocumentDependencies {
  catalogue: ReadableCatalogue;
  files: PublicFiles;
  sessions: Sessions;
}

const listed = {
  id: "listDocuments",
  tag: "Catalogues",
  summary: "List documents",
  access: "console",
  answer: {
    status: 200,
    description: "The entries in the order they were added",
    schema: knowledgeDocumentListSchema,
  },
} as const;

const read = {
  id: "readDocument",
  tag: "Catalogues",
  summary: "Read the text of a document",
  access: "console",
  answer: { status: 200, description: "The text as an attachment", contentType: "text/plain" },
} as const;

/** Knowledge documents and their texts (wire conventions, Operations); the texts are for the organization alone. */
export function documentRoutes(app: Hono, { catalogue, files, sessions }: DocumentDependencies): void {
  route(app, "/api/v1/document/", {
    GET: operation(listed, async ({ caller: { organizationId } }) =>
      (await catalogue.list("document", organizationId)).map((document) => files.document(document)),
    ),
  });
  route(app, "/api/v1/document/:document/file/", {
    GET: operation(read, async ({ context, caller: { organizationId } }) => {
      const text = await sessions.documentText(organizationId, pathPart(context, "document"));
      return context.body(text, 200, {
        "Content-Type": "text/plain; charset=utf-8",
        // Whatever the text holds, it is never shown as a page of this address.
        "Content-Disposition": "attachment",
      });
    }),
  });
}
