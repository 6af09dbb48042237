import { knowledgeDocumentListSchema } from "../../../protocol/catalogue.ts";
import type { ReadableCatalogue } from "../../engines/available-catalogue.ts";
import type { PublicFiles } from "../../sessions/connection/public-files.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { operation, type Operation } from "../operations/operation.ts";
import { catalogueList } from "./catalogue-list.ts";

interface DocumentDependencies {
  catalogue: ReadableCatalogue;
  files: PublicFiles;
  sessions: Sessions;
}

/** Knowledge documents and their texts (wire conventions, Operations). Only the organization may read the texts. */
export function documentRoutes({ catalogue, files, sessions }: DocumentDependencies): Operation[] {
  return [
    catalogueList(catalogue, "document", {
      path: "/api/v1/document/",
      id: "listDocuments",
      summary: "List documents",
      schema: knowledgeDocumentListSchema,
      view: (entry) => files.document(entry),
    }),
    operation({
      method: "GET",
      path: "/api/v1/document/:document/file/",
      id: "readDocument",
      tag: "Catalogues",
      summary: "Read the text of a document",
      auth: "console",
      answer: {
        status: 200,
        description: "The text as an attachment",
        contentType: "text/plain; charset=utf-8",
        // The text is never shown as a page of this origin, whatever it contains.
        headers: { "Content-Disposition": "attachment" },
      },
      handler: ({ params, caller }) => sessions.documentText(caller.organizationId, params.document),
    }),
  ];
}
