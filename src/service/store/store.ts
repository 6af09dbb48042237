import type { AccountStore, InvitationStore, LoginStore } from "./account-store.ts";
import type { ApiKeyStore } from "./api-key-store.ts";
import type { AttachmentStore } from "./attachment-store.ts";
import type { AuditStore } from "./audit-store.ts";
import type { CatalogueStore } from "./catalogue-store.ts";
import type { ConversationStore } from "./conversation-store.ts";
import type {
  ContextDraftStore,
  ContextPageStore,
  ContextPreviewStore,
  ContextStore,
} from "./context-store.ts";
import type { DeletedDocumentStore } from "./deleted-document-store.ts";
import type { EventFileStore, EventStore } from "./event-store.ts";
import type { ModelUseStore } from "./model-use-store.ts";
import type { OrganizationStore } from "./organization-store.ts";
import type { PeerStore, SessionStore } from "./session-store.ts";
import type { UnansweredStore } from "./unanswered-store.ts";
import type { WebsiteStore } from "./website-store.ts";

export type * from "./account-store.ts";
export type * from "./api-key-store.ts";
export type * from "./attachment-store.ts";
export type * from "./audit-store.ts";
export type * from "./catalogue-store.ts";
export type * from "./context-store.ts";
export type * from "./conversation-store.ts";
export type * from "./deleted-document-store.ts";
export type * from "./event-store.ts";
export type * from "./file-store.ts";
export type * from "./model-use-store.ts";
export type * from "./organization-store.ts";
export type * from "./page.ts";
export type * from "./session-store.ts";
export type * from "./unanswered-store.ts";
export type * from "./website-store.ts";

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
  unanswered: UnansweredStore;
  deletedDocuments: DeletedDocumentStore;
  websites: WebsiteStore;
  modelUse: ModelUseStore;
  events: EventStore;
  eventFiles: EventFileStore;
  attachments: AttachmentStore;
  peers: PeerStore;
  /**
   * Runs the work while no other process runs any under the same name. With SQLite this applies within one process only.
   */
  alone<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
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
