import type { EmbedContextPut } from "../../protocol/embed-context.ts";
import type { EventTerminateReason, SessionEventKind } from "../../protocol/session-event.ts";
import type { CapabilityName } from "../../protocol/catalogue.ts";
import type { SessionCreate, TerminationReason } from "../../protocol/session.ts";
import type { LiveStatus, SessionState } from "../sessions/session-machine.ts";
import type { CatalogueKind, CatalogueKinds } from "./catalogue-kinds.ts";

/** An API key as it is kept: never the key itself. Times are ms since the Unix epoch. */
export interface ApiKeyRecord {
  id: string;
  organizationId: string;
  name: string;
  /** SHA-256 of the key, in hexadecimal. */
  hash: string;
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
}

/** How an operator's row reaches its engine: address, model, where its key is. Never answered to anybody. */
export type EngineSettings = Readonly<Record<string, unknown>>;

/** A row of a catalogue as engines see it: what everybody may read, and the settings that nobody may. */
export interface CatalogueRow<Kind extends CatalogueKind> {
  id: string;
  name: string;
  body: CatalogueKinds[Kind];
  engine: EngineSettings | null;
}

/** A row as the store holds it. */
export interface KeptRow<Kind extends CatalogueKind> extends CatalogueRow<Kind> {
  /** Whether it is every organization's. */
  isShared: boolean;
}

/** An organization as it is kept. */
export interface OrganizationRecord {
  id: string;
  name: string;
  createdAtMs: number;
}

/** A row to be kept. `organizationId` null: every organization may name it. `id` or `name` finds it. */
export interface CatalogueEntry<Kind extends CatalogueKind> extends Omit<CatalogueRow<Kind>, "engine"> {
  kind: Kind;
  organizationId: string | null;
  createdAtMs: number;
  /** Default: none. */
  engine?: EngineSettings | null;
}

/** An embed context as it is kept (interface specification, Embed context). */
export interface ContextRecord extends EmbedContextPut {
  /** UUID, used in paths. */
  id: string;
  organizationId: string;
  /** The public embed key. */
  contextId: string;
  createdAtMs: number;
  updatedAtMs: number;
}

/** The part of a session that changes often, small so that heartbeats are cheap. */
export interface SessionRecord {
  id: string;
  organizationId: string;
  /** UUID of the embed context it belongs to, if any. */
  contextUuid: string | null;
  /** Counts changes: a change is saved only on top of the one it was made from. */
  revision: number;
  state: SessionState;
  /** When a sweep must look at it; null when it has ended. */
  deadlineAtMs: number | null;
}

/** What was asked of a session, with capability and paddings filled in. */
export type SessionRequest = SessionCreate & {
  capability: CapabilityName[];
  padding_left: number;
  padding_top: number;
  padding_height: number;
};

/** The part of a session that is written once or twice. */
export interface SessionDetail {
  request: SessionRequest;
  clientSdp: string | null;
  serverSdp: string | null;
}

/** A reported event. `file` is the name under which the files of the store keep it. */
export interface EventRecord {
  id: string;
  sessionId: string;
  kind: SessionEventKind;
  detail: string | null;
  file: string | null;
  createdAtMs: number;
  terminateReason: EventTerminateReason | null;
}

/** A file that came with an event. */
export interface EventFile {
  /** The name under which the files of the store keep it: the event's id. */
  name: string;
  sessionId: string;
  bytes: number;
}

/** How much of event files is kept. */
export interface EventFileLimits {
  /** Files of one session. */
  maxFiles: number;
  /** Bytes of one session's files. */
  maxBytes: number;
  /** Bytes of all files of events. */
  storeMaxBytes: number;
}

/** What event files take: those of one session, and all of them. */
export interface EventFileUse {
  files: number;
  bytes: number;
  storeBytes: number;
}

/** Whose limit leaves no room for a file. */
export type EventFileRefusal = "session_full" | "store_full";

/** How much an organization may use; null: as much as it likes. */
export interface Quotas {
  /** Sessions that have not ended. */
  activeSessions: number | null;
  /** Of one session, for sessions created from now on. */
  minutesPerSession: number | null;
  /** Started minutes in progress of all sessions together, in a calendar month (UTC). */
  minutesPerMonth: number | null;
  /** What is left of them: every started minute in progress takes one. */
  credits: number | null;
}

/** What an organization uses. */
export interface Usage {
  activeSessions: number;
  /** Started minutes in progress of the month. */
  minutes: number;
}

/** The quotas that can refuse a session, as the reason with which it is refused. */
export type QuotaReason = Extract<
  TerminationReason,
  "MAX_ACTIVE_SESSION_QUOTA_EXCEEDED" | "TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED" | "INSUFFICIENT_CREDITS"
>;

/** What is saved together with a change of a session: all of it or nothing. */
export interface ChangeCompanions {
  /**
   * Minutes in progress that began with the change, and the month (`2026-01`, UTC) they count in. `isOwed` ones are used
   * already: they are counted whatever the quotas say.
   */
  minutes?: { count: number; month: string; isOwed: boolean } | undefined;
  /** What happens to the session's place among its organization's active sessions. */
  place?: "taken" | "freed" | undefined;
  /** The month of the change (`2026-01`, UTC): a place is taken by the month's quota. */
  month?: string | undefined;
  /** The event that was reported. */
  event?: EventRecord | undefined;
}

/** Rows of the service. Every implementation passes the same tests. */
export interface Store {
  organizations: {
    /** Quotas that are not given do not limit it. */
    insert(organization: OrganizationRecord, quotas?: Partial<Quotas>): Promise<void>;
    /** The organization made first, which the seed belongs to. */
    first(): Promise<{ id: string; name: string } | null>;
    /** In the order they were made. */
    list(): Promise<OrganizationRecord[]>;
    /** Null when there is no such organization. */
    quotas(id: string): Promise<Quotas | null>;
    /** Replaces the quotas that are given; tells whether there was such an organization. */
    setQuotas(id: string, quotas: Partial<Quotas>): Promise<boolean>;
    /** What it uses, its minutes those of a month (`2026-01`, UTC). */
    usage(id: string, month: string): Promise<Usage>;
  };
  apiKeys: {
    insert(key: ApiKeyRecord): Promise<void>;
    byHash(hash: string): Promise<ApiKeyRecord | null>;
    /** In the order they were made. */
    list(organizationId: string): Promise<ApiKeyRecord[]>;
    /** Tells whether there is a key of that id; one that was revoked before keeps the first time. */
    revoke(id: string, nowMs: number): Promise<boolean>;
  };
  /**
   * Entries are an organization's own, or everybody's. Its own goes before everybody's of the same id; others' own are not
   * there for it. An `organizationId` of null sees everybody's alone.
   */
  catalogue: {
    /** Adds the entry, or replaces its owner's of the same kind and id. */
    put<Kind extends CatalogueKind>(entry: CatalogueEntry<Kind>): Promise<void>;
    /**
     * Adds those entries that were never added by this before: what was changed since stays changed, what was removed stays
     * away, and an entry of the same kind and id that its owner has for another reason stays.
     */
    addBuiltIn(entries: readonly CatalogueEntry<CatalogueKind>[]): Promise<void>;
    /** The entry that an identifier (id or name) means to an organization. */
    find<Kind extends CatalogueKind>(
      kind: Kind,
      organizationId: string | null,
      identifier: string,
    ): Promise<CatalogueKinds[Kind] | null>;
    /** The same with its engine's settings. */
    row<Kind extends CatalogueKind>(
      kind: Kind,
      organizationId: string | null,
      identifier: string,
    ): Promise<KeptRow<Kind> | null>;
    /** In the order they were added. */
    list<Kind extends CatalogueKind>(
      kind: Kind,
      organizationId: string | null,
    ): Promise<CatalogueKinds[Kind][]>;
    /** The same with their engines' settings. */
    rows<Kind extends CatalogueKind>(kind: Kind, organizationId: string | null): Promise<KeptRow<Kind>[]>;
    /**
     * Changes the body of an organization's entry on top of whatever it is by then, so that no other change is lost; tells
     * whether there is such an entry.
     */
    revise<Kind extends CatalogueKind>(
      kind: Kind,
      organizationId: string | null,
      id: string,
      change: (body: CatalogueKinds[Kind]) => CatalogueKinds[Kind],
    ): Promise<boolean>;
    /** Removes the owner's own entry of that id; tells whether there was one. */
    remove(kind: CatalogueKind, organizationId: string | null, id: string): Promise<boolean>;
  };
  contexts: {
    insert(context: ContextRecord): Promise<void>;
    byUuid(organizationId: string, id: string): Promise<ContextRecord | null>;
    byContextId(organizationId: string, contextId: string): Promise<ContextRecord | null>;
    list(organizationId: string): Promise<ContextRecord[]>;
    /** A text that differs after any organization's context was added, changed or removed. */
    version(): Promise<string>;
    /** Tells whether there was one. */
    remove(organizationId: string, id: string): Promise<boolean>;
    /** Replaces every setting; null when there is no such context. */
    replace(
      organizationId: string,
      id: string,
      settings: EmbedContextPut,
      nowMs: number,
    ): Promise<ContextRecord | null>;
  };
  sessions: {
    /**
     * Adds a session. A live one (with a deadline) counts as active, and is refused where a quota leaves no place for it
     * in that month (`2026-01`, UTC): resolves with the reason, null when it was added.
     */
    insert(session: SessionRecord, detail: SessionDetail, month: string): Promise<QuotaReason | null>;
    byId(id: string): Promise<SessionRecord | null>;
    detail(id: string): Promise<SessionDetail | null>;
    /**
     * Saves `session` and what goes with it. `stale`: its stored revision is no longer the one before. A quota's reason:
     * the minutes or the place are not to be had. Then nothing was saved.
     */
    replace(session: SessionRecord, companions?: ChangeCompanions): Promise<"saved" | "stale" | QuotaReason>;
    saveDescriptions(id: string, clientSdp: string, serverSdp: string): Promise<void>;
    /** How many sessions have not ended, of each status that any has. */
    countLive(): Promise<Partial<Record<LiveStatus, number>>>;
    /** Live sessions whose context was removed or switched off. */
    withoutContext(limit: number): Promise<SessionRecord[]>;
    /** Live sessions whose deadline has come, earliest first; those behind `after`, where it is given. */
    due(nowMs: number, limit: number, after?: SessionRecord): Promise<SessionRecord[]>;
  };
  events: {
    insert(event: EventRecord): Promise<void>;
    /** In the order they were stored. */
    list(sessionId: string): Promise<EventRecord[]>;
  };
  eventFiles: {
    /**
     * Takes room for a file before it is written, so that parallel uploads never exceed the limits together. Resolves with
     * why there is none, null where it was taken.
     */
    reserve(file: EventFile, createdAtMs: number, limits: EventFileLimits): Promise<EventFileRefusal | null>;
    /** Gives a file's room back; its event names it no more. */
    remove(name: string): Promise<void>;
    use(sessionId: string): Promise<EventFileUse>;
    /** The oldest files from before a time, in ms since the Unix epoch. */
    createdBefore(timeMs: number, limit: number): Promise<{ name: string; bytes: number }[]>;
    /** Names of files whose bytes an older version did not count. */
    unmeasured(limit: number): Promise<string[]>;
    measure(name: string, bytes: number): Promise<void>;
    /** Counts the bytes of all files anew. */
    recount(): Promise<void>;
  };
  /** Which process holds a session's peer, where several serve one store. */
  peers: {
    /** Notes that the session's peer is in this process, and in no other. */
    take(sessionId: string, process: string): Promise<void>;
    /** Those of the sessions that are live and whose peer is in this process. */
    held(process: string, sessionIds: readonly string[]): Promise<string[]>;
  };
  /**
   * Runs the work while no other process runs any under the same name, so that what is done once is done by one. With
   * SQLite only this process is kept in order.
   */
  alone<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Resolves when the store answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A store whose private settings are encrypted. */
export interface SealableStore extends Store {
  /**
   * Encrypts what was kept in plain or with an older secret; resolves with how many entries. Throws a SecretBoxError where
   * the store's secret is another one.
   */
  seal(): Promise<number>;
}

/** Files of the service, by names that it makes itself. */
export interface FileStore {
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Null when there is no such file. */
  read(name: string): Promise<Uint8Array | null>;
  /** Bytes of a file; null when there is no such file. */
  size(name: string): Promise<number | null>;
  /** Removes a file; one that is not there is no error. */
  remove(name: string): Promise<void>;
}
