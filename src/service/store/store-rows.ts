import type { Kysely } from "kysely";
import { accountRows } from "./entities/accounts.ts";
import { apiKeyRows } from "./entities/api-keys.ts";
import { attachmentRows } from "./entities/attachments.ts";
import { auditRows } from "./entities/audit-log.ts";
import { catalogueRows } from "./entities/catalogue-rows.ts";
import {
  contextDraftRows,
  contextPageRows,
  contextPreviewRows,
  withPreviews,
} from "./entities/context-drafts.ts";
import { contextRows } from "./entities/context-rows.ts";
import { conversationRows } from "./entities/conversation-rows.ts";
import { deletedDocumentRows } from "./entities/deleted-documents.ts";
import { eventFileRows } from "./entities/event-files.ts";
import { eventRows } from "./entities/events.ts";
import { inboxRows } from "./entities/inbox-rows.ts";
import { invitationRows } from "./entities/invitations.ts";
import { liveRows } from "./entities/live/live-rows.ts";
import { loginRows } from "./entities/logins.ts";
import { modelUseRows } from "./entities/model-use.ts";
import { organizationRows } from "./entities/organizations.ts";
import { peerRows } from "./processes/peer-rows.ts";
import type { Queries } from "./database/queries.ts";
import { catalogueSeal } from "./secrets/sealed-catalogue.ts";
import type { SecretBox } from "./secrets/secret-box.ts";
import { webhookSeal } from "./secrets/sealed-webhooks.ts";
import { sessionRows } from "./entities/session-rows.ts";
import type { Store } from "./store.ts";
import type { Tables } from "./database/tables.ts";
import { unansweredRows } from "./entities/unanswered.ts";
import { webhookRows } from "./entities/webhooks/webhook-rows.ts";
import { websiteRows } from "./entities/websites.ts";

/**
 * The tables of a store, with queries that run on both databases. Queries that run on every request go through `queries`
 * directly, the others through the query builder.
 */
export function storeRows(
  database: Kysely<Tables>,
  queries: Queries,
  box?: SecretBox,
): Omit<Store, "alone" | "forget" | "ping" | "close"> {
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
    live: liveRows(database, queries),
    inbox: inboxRows(database),
    unanswered: unansweredRows(database, queries),
    deletedDocuments: deletedDocumentRows(database),
    websites: websiteRows(database),
    webhooks: webhookRows(database, queries, webhookSeal(box)),
    modelUse: modelUseRows(database),
    events: eventRows(database, queries),
    eventFiles: eventFileRows(database, queries),
    attachments: attachmentRows(database),
    peers: peerRows(database),
  };
}
