import {
  checkedSuggestionsSchema,
  knowledgeAnswerSchema,
  knowledgeChangeSchema,
  knowledgeConflictSchema,
  knowledgeCreateSchema,
  knowledgeDetailSchema,
  knowledgeFileMaxBytes,
  knowledgeFileSchema,
  knowledgeListSchema,
  knowledgeSchema,
  knowledgeTestSchema,
  suggestionsSchema,
} from "../../../../protocol/console/knowledge.ts";
import { errorBodySchema } from "../../../../protocol/schema/error-body.ts";
import type { TextReader } from "../../../administration/knowledge/reading/text-reader.ts";
import { fileText } from "../../../administration/knowledge/files/file-text.ts";
import {
  changeKnowledge,
  createKnowledge,
  KnowledgeConflict,
  knowledgeDetail,
  type KnowledgeEdit,
  type KnowledgeParts,
  listKnowledge,
  removeKnowledge,
  restoreKnowledge,
} from "../../../administration/knowledge/knowledge.ts";
import { checkSuggestions } from "../../../administration/knowledge/knowledge-suggestions.ts";
import { testKnowledge } from "../../../administration/knowledge/knowledge-test.ts";
import { bodyMaxBytes } from "../../body/request-fields.ts";
import { type Caller, callerName } from "../../identity.ts";
import { operation, type Operation, OtherAnswer } from "../../operations/operation.ts";

const tag = "Knowledge";
const auth = "console";
const path = "/api/console/knowledge/";
const onePath = "/api/console/knowledge/:document/";

/** A document of a million characters in UTF-8 and JSON, with its other fields. */
const textMaxBytes = 6_500_000;

const oneDocument = { status: 200, description: "The document", schema: knowledgeSchema } as const;
const named = (_call: unknown, { id, title }: { id: string; title: string }) => ({ id, name: title });

const editOf = (caller: Caller): KnowledgeEdit => ({
  organizationId: caller.organizationId,
  by: callerName(caller),
});

/** The answer to a change of a document that somebody else has changed meanwhile: it has what they saved. */
function conflict(error: unknown): OtherAnswer {
  if (!(error instanceof KnowledgeConflict)) throw error;
  const { message: detail, current } = error;
  const errors = [{ code: "conflict", detail, attr: null }];
  return new OtherAnswer(409, { type: "client_error", errors, current });
}

function readRoutes(parts: KnowledgeParts): Operation[] {
  return [
    operation({
      method: "GET",
      path,
      id: "listKnowledge",
      tag,
      summary: "List the documents that avatars answer from",
      auth,
      answer: { status: 200, description: "The documents", schema: knowledgeListSchema },
      handler: ({ caller: { organizationId } }) => listKnowledge(parts, organizationId),
    }),
    operation({
      method: "GET",
      path: onePath,
      id: "retrieveKnowledge",
      tag,
      summary: "Read a document with its text",
      auth,
      answer: { status: 200, description: "The document", schema: knowledgeDetailSchema },
      handler: ({ params, caller: { organizationId } }) =>
        knowledgeDetail(parts, organizationId, params.document),
    }),
    operation({
      method: "POST",
      path: "/api/console/knowledge-test/",
      id: "testKnowledge",
      tag,
      summary: "Find the passages that answer a question",
      auth,
      role: "viewer",
      changesNothing: true,
      body: { schema: knowledgeTestSchema },
      answer: { status: 200, description: "The answer and its passages", schema: knowledgeAnswerSchema },
      handler: ({ caller: { organizationId }, body }) => testKnowledge(parts, organizationId, body),
    }),
    operation({
      method: "POST",
      path: "/api/console/knowledge-suggestions/",
      id: "checkSuggestions",
      tag,
      summary:
        "Find which of an avatar's suggestions its documents answer, and others that they would answer",
      auth,
      role: "viewer",
      changesNothing: true,
      body: { schema: suggestionsSchema },
      answer: { status: 200, description: "Both", schema: checkedSuggestionsSchema },
      handler: ({ caller: { organizationId }, body }) => checkSuggestions(parts, organizationId, body),
    }),
  ];
}

function addRoutes(parts: KnowledgeParts, reader: TextReader): Operation[] {
  return [
    operation({
      method: "POST",
      path,
      id: "createKnowledge",
      tag,
      summary: "Add a text as a document",
      auth,
      body: { schema: knowledgeCreateSchema, textMaxBytes, maxBytes: textMaxBytes },
      answer: { ...oneDocument, status: 201 },
      target: named,
      handler: ({ caller, body }) =>
        createKnowledge(parts, editOf(caller), { ...body, details: { source: "text" } }),
    }),
    operation({
      method: "POST",
      path: "/api/console/knowledge-files/",
      id: "uploadKnowledge",
      tag,
      summary: "Add a file as a document: PDF, Word (DOCX), plain text, Markdown or HTML",
      auth,
      body: {
        schema: knowledgeFileSchema,
        form: { lists: ["contexts"] },
        files: {
          file: {
            description: "Its name ends with .pdf, .docx, .txt, .md or .html",
            maxBytes: knowledgeFileMaxBytes,
            required: true,
          },
        },
        maxBytes: knowledgeFileMaxBytes + bodyMaxBytes,
      },
      answer: { ...oneDocument, status: 201 },
      target: named,
      async handler({ caller, body: { name, title = name, contexts }, files }) {
        const text = await fileText(name, files.get("file") ?? new Uint8Array(), reader);
        const fields = { title: title.slice(0, 200), text, contexts, details: { source: "file" as const } };
        return createKnowledge(parts, editOf(caller), fields);
      },
    }),
  ];
}

/** What avatars answer from. */
export function knowledgeRoutes(parts: KnowledgeParts, reader: TextReader): Operation[] {
  return [
    ...readRoutes(parts),
    ...addRoutes(parts, reader),
    operation({
      method: "PUT",
      path: onePath,
      id: "changeKnowledge",
      tag,
      summary: "Change title, text or avatars of a document; a text that is left out stays",
      auth,
      body: { schema: knowledgeChangeSchema, textMaxBytes, maxBytes: textMaxBytes },
      answer: oneDocument,
      otherAnswers: {
        409: { description: "Somebody else saved meanwhile", schema: knowledgeConflictSchema },
      },
      target: named,
      handler: ({ params, caller, body: { updated_at: basedOn, ...change } }) =>
        changeKnowledge(parts, editOf(caller), params.document, { ...change, basedOn }).catch(conflict),
    }),
    operation({
      method: "DELETE",
      path: onePath,
      id: "deleteKnowledge",
      tag,
      summary: "Delete a document; for 30 s it can be restored",
      auth,
      answer: { status: 204, description: "It was deleted" },
      otherAnswers: { 400: { description: "All organizations share it", schema: errorBodySchema } },
      handler: ({ params, caller }) => removeKnowledge(parts, editOf(caller), params.document),
    }),
    operation({
      method: "POST",
      path: `${onePath}restore/`,
      id: "restoreKnowledge",
      tag,
      summary: "Undo the deletion of a document, for 30 s after it",
      auth,
      answer: oneDocument,
      target: named,
      handler: ({ params, caller }) => restoreKnowledge(parts, editOf(caller), params.document),
    }),
  ];
}
