import type { Kysely } from "kysely";
import { accountRows } from "./account-rows.ts";
import { apiKeyRows } from "./api-key-rows.ts";
import { attachmentRows } from "./attachment-rows.ts";
import { auditRows } from "./audit-rows.ts";
import { catalogueRows } from "./catalogue-rows.ts";
import { contextDraftRows } from "./context-draft-rows.ts";
import { contextPageRows } from "./context-page-rows.ts";
import { contextPreviewRows, withPreviews } from "./context-preview-rows.ts";
import { contextRows } from "./context-rows.ts";
import { conversationRows } from "./conversation-rows.ts";
import { deletedDocumentRows } from "./deleted-document-rows.ts";
import { eventFileRows } from "./event-file-rows.ts";
import { eventRows } from "./event-rows.ts";
import { invitationRows } from "./invitation-rows.ts";
import { loginRows } from "./login-rows.ts";
import { modelUseRows } from "./model-use-rows.ts";
import { organizationRows } from "./organization-rows.ts";
import { peerRows } from "./peer-rows.ts";
import type { Queries } from "./queries.ts";
import { catalogueSeal } from "./sealed-catalogue.ts";
import type { SecretBox } from "./secret-box.ts";
import { sessionRows } from "./session-rows.ts";
import type { Store } from "./store.ts";
import type { Tables } from "./tables.ts";
import { unansweredRows } from "./unanswered-rows.ts";
import { websiteRows } from "./website-rows.ts";

/**
 * The tables of a store, with queries that run on both databases. Queries that run on every request go through `queries`
 * directly, the others through the query builder.
 */
export function storeRows(
  database: Kysely<Tables>,
  queries: Queries,
  box?: SecretBox,
): Omit<Store, "alone" | "ping" | "close"> {
  return {
    organizations: organizationRows(database, queries),
    apiKeys: apiKeyRows(database, queries),
    accounts: accountRows(database, queries),
    logins: loginRows(database, queries),
    audit: auditRows(database),
    invitations: invitationRows(database, queries),
    catalogue: catalogueRows(database, queries, catalogueSeal(box)),
    contexts: withPreviews(contextRows(database, queries), database),
    contextDrafts: contextDraftRows(database),
    contextPages: contextPageRows(database),
    contextPreviews: contextPreviewRows(database),
    sessions: sessionRows(database, queries),
    conversations: conversationRows(database, queries),
    unanswered: unansweredRows(database, queries),
    deletedDocuments: deletedDocumentRows(database),
    websites: websiteRows(database),
    modelUse: modelUseRows(database),
    events: eventRows(database, queries),
    eventFiles: eventFileRows(database, queries),
    attachments: attachmentRows(database),
    peers: peerRows(database),
  };
}
