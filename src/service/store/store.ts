import type { AccountStore, InvitationStore, LoginStore } from "./entities/accounts.ts";
import type { ApiKeyStore } from "./entities/api-keys.ts";
import type { AttachmentStore } from "./entities/attachments.ts";
import type { AuditStore } from "./entities/audit-log.ts";
import type { CatalogueStore } from "./entities/catalogue-store.ts";
import type { ConversationStore } from "./entities/conversation-store.ts";
import type {
  ContextDraftStore,
  ContextPageStore,
  ContextPreviewStore,
  ContextStore,
} from "./entities/context-store.ts";
import type { DeletedDocumentStore } from "./entities/deleted-documents.ts";
import type { EventFileStore, EventStore } from "./entities/events.ts";
import type { InboxStore } from "./entities/inbox-store.ts";
import type { LiveStore } from "./entities/live/live-store.ts";
import type { ModelUseStore } from "./entities/model-use.ts";
import type { OrganizationStore } from "./entities/organizations.ts";
import type { PeerStore, SessionStore } from "./entities/session-store.ts";
import type { UnansweredStore } from "./entities/unanswered.ts";
import type { WebhookStore } from "./entities/webhooks/webhook-store.ts";
import type { WebsiteStore } from "./entities/websites.ts";

export type * from "./entities/accounts.ts";
export type * from "./entities/api-keys.ts";
export type * from "./entities/attachments.ts";
export type * from "./entities/audit-log.ts";
export type * from "./entities/catalogue-store.ts";
export type * from "./entities/context-store.ts";
export type * from "./entities/conversation-store.ts";
export type * from "./entities/deleted-documents.ts";
export type * from "./entities/events.ts";
export type * from "./files/file-store.ts";
export type * from "./entities/inbox-store.ts";
export type * from "./entities/live/live-store.ts";
export type * from "./entities/model-use.ts";
export type * from "./entities/organizations.ts";
export type * from "./database/paging.ts";
export type * from "./entities/session-store.ts";
export type * from "./entities/unanswered.ts";
export type * from "./entities/webhooks/webhook-store.ts";
export type * from "./entities/websites.ts";

/** The service's database. Every implementation passes the same tests. */
export interface Store {
  organizations: OrganizationStore;
  apiKeys: ApiKeyStore;
  accounts: AccountStore;
  logins: LoginStore;
  invitations: InvitationStore;
  audit: AuditStore;
  catalogue: CatalogueStore;
  contexts: ContextStore;
  contextDrafts: ContextDraftStore;
  contextPages: ContextPageStore;
  contextPreviews: ContextPreviewStore;
  sessions: SessionStore;
  conversations: ConversationStore;
  live: LiveStore;
  inbox: InboxStore;
  unanswered: UnansweredStore;
  deletedDocuments: DeletedDocumentStore;
  websites: WebsiteStore;
  webhooks: WebhookStore;
  modelUse: ModelUseStore;
  events: EventStore;
  eventFiles: EventFileStore;
  attachments: AttachmentStore;
  peers: PeerStore;
  /**
   * Runs the work while no other process runs any under the same name. With SQLite this applies within one process only.
   */
  alone<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Overwrites the traces of removed rows in the database's files. With Postgres, its own vacuum does that. Resolves
   * with false if somebody read at that moment.
   */
  forget(): Promise<boolean>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A store that can encrypt its private settings. */
export interface SealableStore extends Store {
  /**
   * Encrypts what is not encrypted yet, or with an older secret; resolves with the number of entries. Throws a
   * SecretBoxError if the store was encrypted with another secret.
   */
  seal(): Promise<number>;
}
