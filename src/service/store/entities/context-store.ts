import type { EmbedConfig } from "../../../protocol/settings/embed-config.ts";
import type { ContextSettings } from "../../../protocol/settings/embed-context.ts";
import type { Page, PageRequest } from "../database/paging.ts";

/** A stored embed context (interface specification, Embed context). Its `embed_config` is what the owner sent, any JSON. */
export interface ContextRecord extends ContextSettings {
  /** What `embed_config` says: the part of it that is valid. */
  readonly config: EmbedConfig;
  /** UUID, used in paths. */
  id: string;
  organizationId: string;
  /** The public embed key. */
  contextId: string;
  createdAtMs: number;
  updatedAtMs: number;
  /** How often it was saved. */
  revision: number;
  /** Only previews have it: the UUID of the context whose unsaved settings these are. */
  previewOf?: string;
}

/** The settings of a context as they were saved at some time. */
export interface ContextVersion {
  revision: number;
  settings: ContextSettings;
  savedAtMs: number;
  /** The name of the person who saved it; empty if it is unknown. */
  savedBy: string;
}

/** Settings as somebody typed them. They may be invalid. */
export interface ContextDraft {
  /** The revision that they began with. */
  revision: number;
  settings: Record<string, unknown>;
  savedAtMs: number;
}

/** A site whose pages loaded a context, or tried to. */
export interface ContextPage {
  origin: string;
  wasAllowed: boolean;
  /** Null: it was never allowed when it loaded the context. */
  firstAllowedAtMs: number | null;
  firstSeenAtMs: number;
  lastSeenAtMs: number;
}

/** Who changes a context, and which revision they saw; undefined: any. */
export interface ContextChange {
  by?: string;
  revision?: number | undefined;
}

/** How many versions of a context are kept. */
export const keptVersions = 20;

/** Drafts of contexts, one of each account. */
export interface ContextDraftStore {
  find(contextUuid: string, accountId: string): Promise<ContextDraft | null>;
  put(contextUuid: string, accountId: string, draft: ContextDraft): Promise<void>;
  remove(contextUuid: string, accountId: string): Promise<void>;
}

/** Unsaved settings that an operator tries: each account has one preview of each context. */
export interface ContextPreviewStore {
  /** Stores the settings; resolves with the preview, whose embed key differs from that of the settings before. */
  put(
    context: ContextRecord,
    accountId: string,
    settings: ContextSettings,
    nowMs: number,
  ): Promise<ContextRecord>;
  /** Removes previews that were not changed since a time. */
  removeOld(beforeMs: number): Promise<void>;
}

/** The sites that load contexts. Strangers can invent any number of them, so only the latest refused ones are kept. */
export interface ContextPageStore {
  note(contextUuid: string, page: { origin: string; allowed: boolean }, nowMs: number): Promise<void>;
  /** The latest first. */
  list(contextUuid: string): Promise<ContextPage[]>;
  /** Those of the organization's contexts that a page has loaded while it was allowed. */
  arrived(organizationId: string): Promise<string[]>;
}

/** Embed contexts. Only `setDeleted` finds deleted ones. */
export interface ContextStore {
  insert(context: Omit<ContextRecord, "config">, by?: string): Promise<void>;
  /** This and `byContextId` find previews too, so that sessions can use them. */
  byUuid(organizationId: string, id: string): Promise<ContextRecord | null>;
  byContextId(organizationId: string, contextId: string): Promise<ContextRecord | null>;
  /** In the order in which they were added. */
  list(organizationId: string): Promise<ContextRecord[]>;
  /** A part of `list`. */
  page(organizationId: string, request: PageRequest): Promise<Page<ContextRecord>>;
  /** A text that changes whenever a context of any organization is added, changed or removed. */
  version(): Promise<string>;
  /** Resolves with whether there was such a context. */
  remove(organizationId: string, id: string): Promise<boolean>;
  /** Replaces every setting; null if there is no such context, or not with the revision of the change. */
  replace(
    organizationId: string,
    id: string,
    settings: ContextSettings,
    nowMs: number,
    change?: ContextChange,
  ): Promise<ContextRecord | null>;
  /** The last versions of a context, the latest first. */
  versions(id: string): Promise<ContextVersion[]>;
  /** Marks a context as deleted, or undoes that (null). Resolves with whether there was such a context. */
  setDeleted(organizationId: string, id: string, deletedAtMs: number | null): Promise<boolean>;
  /** Removes contexts that were deleted before a time; resolves with how many. */
  removeDeleted(beforeMs: number): Promise<number>;
}
