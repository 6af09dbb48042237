import type {
  WebsitePage,
  WebsitePaths,
  WebsiteReason,
  WebsiteReport,
  WebsiteSchedule,
  WebsiteState,
} from "../../../protocol/console/websites.ts";
import type {
  ExpressionBuilder,
  Insertable,
  Kysely,
  Selectable,
  UpdateQueryBuilder,
  UpdateResult,
} from "kysely";
import { storedJson } from "../database/queries.ts";
import type { Tables } from "../database/tables.ts";

/** A page as it is stored. */
export interface StoredPage extends WebsitePage {
  /** How many characters of the document are its text. Earlier versions did not count. */
  characters?: number;
}

/** A report as it is stored. */
export interface StoredReport extends WebsiteReport {
  pages: StoredPage[];
}

/** A website that avatars answer from. */
export interface WebsiteRecord {
  /** Also the id of its document. */
  id: string;
  organizationId: string;
  address: string;
  every: WebsiteSchedule;
  /** UUIDs of the contexts that will answer from it, until its document is there and says so. */
  contexts: string[];
  /** Which pages are read. */
  paths: WebsitePaths;
  state: WebsiteState;
  problem: WebsiteReason | null;
  report: StoredReport;
  /** Whether its document was made. */
  hasDocument: boolean;
  createdAtMs: number;
  startedAtMs: number | null;
  finishedAtMs: number | null;
  /** When it is read again; null: never. */
  nextAtMs: number | null;
  /** How often its reading was begun since one ended: more than once if processes ended meanwhile. */
  attempts: number;
}

/** How a reading ended. */
export type WebsiteOutcome = Pick<
  WebsiteRecord,
  "state" | "problem" | "report" | "hasDocument" | "nextAtMs"
> & { finishedAtMs: number };

/** The reading of a website by one process. */
export interface WebsiteReadingLease {
  id: string;
  /** Unique for each reading. */
  run: string;
}

/** Websites that avatars answer from. One process reads a website at a time. */
export interface WebsiteStore {
  insert(website: WebsiteRecord): Promise<void>;
  /** In the order in which they were added. */
  list(organizationId: string): Promise<WebsiteRecord[]>;
  find(organizationId: string, id: string): Promise<WebsiteRecord | null>;
  /** Removes a website; a process that reads it stops. Resolves with whether there was one. */
  remove(id: string): Promise<boolean>;
  /** Changes how often and when it is read again, and which pages. Resolves with whether there is one. */
  schedule(
    organizationId: string,
    id: string,
    change: Pick<WebsiteRecord, "every" | "nextAtMs"> & Partial<Pick<WebsiteRecord, "paths">>,
  ): Promise<boolean>;
  /** Leaves out a page that was read. Resolves with whether nobody was reading the website. */
  leaveOut(
    organizationId: string,
    id: string,
    change: Pick<WebsiteRecord, "paths" | "report">,
  ): Promise<boolean>;
  /** Lets a website be read now. Resolves with whether nobody was reading it. */
  order(organizationId: string, id: string, nowMs: number): Promise<boolean>;
  /** Stops the reading in the process that does it. Resolves with whether it was running or waiting. */
  stop(organizationId: string, id: string, nextAtMs: number | null): Promise<boolean>;
  /** Takes a website whose time has come, until `untilMs`; null: there is none. */
  take(run: string, nowMs: number, untilMs: number): Promise<WebsiteRecord | null>;
  /** Notes how far a reading is, and keeps the website until `untilMs`. False: it was stopped or removed. */
  progress(lease: WebsiteReadingLease, report: StoredReport, untilMs: number): Promise<boolean>;
  /** Ends a reading. False: it was stopped or removed before. */
  finish(lease: WebsiteReadingLease, outcome: WebsiteOutcome): Promise<boolean>;
  /** Leaves a website to the next process. */
  giveBack(lease: WebsiteReadingLease, nextAtMs: number): Promise<void>;
}

function toRecord(row: Selectable<Tables["website"]>): WebsiteRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    address: row.address,
    every: row.every,
    contexts: storedJson(row.contexts),
    paths: storedJson(row.paths),
    state: row.state,
    problem: row.problem,
    report: storedJson(row.report),
    hasDocument: row.has_document === 1,
    createdAtMs: row.created_at_ms,
    startedAtMs: row.started_at_ms,
    finishedAtMs: row.finished_at_ms,
    nextAtMs: row.next_at_ms,
    attempts: row.attempts,
  };
}

const nobody = { run: null, taken_until_ms: null, attempts: 0 } as const;

const toRow = (website: WebsiteRecord): Insertable<Tables["website"]> => ({
  id: website.id,
  organization_id: website.organizationId,
  address: website.address,
  every: website.every,
  contexts: JSON.stringify(website.contexts),
  paths: JSON.stringify(website.paths),
  state: website.state,
  problem: website.problem,
  report: JSON.stringify(website.report),
  has_document: website.hasDocument ? 1 : 0,
  created_at_ms: website.createdAtMs,
  started_at_ms: website.startedAtMs,
  finished_at_ms: website.finishedAtMs,
  next_at_ms: website.nextAtMs,
  ...nobody,
});

/** Whether an update found its row. */
async function isChanged(
  update: UpdateQueryBuilder<Tables, "website", "website", UpdateResult>,
): Promise<boolean> {
  return (await update.returning("id").execute()).length > 0;
}

/** What operators do with websites. */
function operatorRows(
  database: Kysely<Tables>,
): Pick<WebsiteStore, "insert" | "list" | "find" | "remove" | "schedule" | "leaveOut" | "order" | "stop"> {
  const ofOrganization = (organizationId: string) =>
    database.selectFrom("website").selectAll().where("organization_id", "=", organizationId);
  const changeOne = (organizationId: string, id: string) =>
    database.updateTable("website").where("organization_id", "=", organizationId).where("id", "=", id);
  return {
    async insert(website) {
      await database.insertInto("website").values(toRow(website)).execute();
    },
    async list(organizationId) {
      return (await ofOrganization(organizationId).orderBy("sequence").execute()).map(toRecord);
    },
    async find(organizationId, id) {
      const row = await ofOrganization(organizationId).where("id", "=", id).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    async remove(id) {
      const rows = await database.deleteFrom("website").where("id", "=", id).returning("id").execute();
      return rows.length > 0;
    },
    schedule(organizationId, id, { every, nextAtMs, paths }) {
      const change = { every, next_at_ms: nextAtMs, ...(paths && { paths: JSON.stringify(paths) }) };
      return isChanged(changeOne(organizationId, id).set(change));
    },
    leaveOut(organizationId, id, { paths, report }) {
      const change = { paths: JSON.stringify(paths), report: JSON.stringify(report) };
      return isChanged(
        changeOne(organizationId, id).where("state", "not in", ["waiting", "reading"]).set(change),
      );
    },
    async order(organizationId, id, nowMs) {
      const rows = await changeOne(organizationId, id)
        .where("state", "not in", ["waiting", "reading"])
        .set({ state: "waiting", next_at_ms: nowMs })
        .returning("id")
        .execute();
      return rows.length > 0;
    },
    async stop(organizationId, id, nextAtMs) {
      const rows = await changeOne(organizationId, id)
        .where("state", "in", ["waiting", "reading"])
        .set({ state: "stopped", next_at_ms: nextAtMs, ...nobody })
        .returning("id")
        .execute();
      return rows.length > 0;
    },
  };
}

/** Whether nobody reads a website. */
const isFree =
  (nowMs: number) =>
  ({ or, eb }: ExpressionBuilder<Tables, "website">) =>
    or([eb("taken_until_ms", "is", null), eb("taken_until_ms", "<", nowMs)]);

/** What readers of websites do. */
function readerRows(
  database: Kysely<Tables>,
): Pick<WebsiteStore, "take" | "progress" | "finish" | "giveBack"> {
  const ofRun = ({ id, run }: WebsiteReadingLease) =>
    database.updateTable("website").where("id", "=", id).where("run", "=", run);
  return {
    async take(run, nowMs, untilMs) {
      for (;;) {
        const next = await database
          .selectFrom("website")
          .select("id")
          .where("next_at_ms", "<=", nowMs)
          .where(isFree(nowMs))
          .orderBy("next_at_ms")
          .limit(1)
          .executeTakeFirst();
        if (!next) return null;
        const rows = await database
          .updateTable("website")
          .set(({ eb }) => ({
            ...{ state: "reading", run, taken_until_ms: untilMs, started_at_ms: nowMs },
            attempts: eb("attempts", "+", 1),
          }))
          .where("id", "=", next.id)
          // Another process may have taken it meanwhile. The row itself is asked again, not a copy from before.
          .where("next_at_ms", "<=", nowMs)
          .where(isFree(nowMs))
          .returningAll()
          .execute();
        if (rows[0]) return toRecord(rows[0]);
      }
    },
    async progress(lease, report, untilMs) {
      return isChanged(ofRun(lease).set({ report: JSON.stringify(report), taken_until_ms: untilMs }));
    },
    async finish(lease, { state, problem, report, hasDocument, nextAtMs, finishedAtMs }) {
      return isChanged(
        ofRun(lease).set({
          state,
          problem,
          report: JSON.stringify(report),
          has_document: hasDocument ? 1 : 0,
          next_at_ms: nextAtMs,
          finished_at_ms: finishedAtMs,
          ...nobody,
        }),
      );
    },
    async giveBack(lease, nextAtMs) {
      await ofRun(lease)
        .set({ state: "waiting", next_at_ms: nextAtMs, ...nobody })
        .execute();
    },
  };
}

/** Websites that avatars answer from, in SQL. */
export const websiteRows = (database: Kysely<Tables>): WebsiteStore => ({
  ...operatorRows(database),
  ...readerRows(database),
});
