import type { Insertable, Kysely, Selectable } from "kysely";
import type {
  ChangeCompanions,
  SessionDetail,
  SessionRecord,
  SessionRequest,
  SessionStore,
} from "./session-store.ts";
import type { Tables } from "../database/tables.ts";
import { ask, compiledOnce, type Queries, storedJson, type Unit } from "../database/queries.ts";
import { eventInsertion } from "./events.ts";
import { orQuotaReason, quotaUnits, type QuotaUnits } from "./quotas.ts";
import type { QuotaReason } from "./organizations.ts";

/** A session from its row. */
function toSession(row: Selectable<Tables["session"]>): SessionRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    contextUuid: row.context_uuid,
    revision: row.revision,
    deadlineAtMs: row.deadline_at_ms,
    state: {
      status: row.status,
      terminationReason: row.termination_reason,
      createdAtMs: row.created_at_ms,
      inProgressAtMs: row.in_progress_at_ms,
      lastSeenAtMs: row.last_seen_at_ms,
      endedAtMs: row.ended_at_ms,
      maxSessionSec: row.max_session_sec,
      boughtMin: row.bought_min,
      peerClosedAtMs: row.peer_closed_at_ms,
      leavingAtMs: row.leaving_at_ms,
      holdsPlace: row.holds_place === 1,
    },
  };
}

/** The columns that change during a session. */
export function changingColumns({ revision, state, deadlineAtMs }: SessionRecord) {
  return {
    revision,
    status: state.status,
    termination_reason: state.terminationReason,
    in_progress_at_ms: state.inProgressAtMs,
    last_seen_at_ms: state.lastSeenAtMs,
    ended_at_ms: state.endedAtMs,
    bought_min: state.boughtMin,
    peer_closed_at_ms: state.peerClosedAtMs,
    leaving_at_ms: state.leavingAtMs,
    holds_place: state.holdsPlace ? 1 : 0,
    deadline_at_ms: deadlineAtMs,
  };
}

/** A session's changing columns. */
export type ChangingColumns = ReturnType<typeof changingColumns>;

/** The queries over many sessions. */
function sessionLists(
  database: Kysely<Tables>,
): Pick<SessionStore, "countLive" | "countByContext" | "withoutContext" | "due"> {
  return {
    async countLive() {
      const rows = await database
        .selectFrom("session")
        .select((select) => ["status", select.fn.countAll<number>().as("sessions")])
        .where("deadline_at_ms", "is not", null)
        .groupBy("status")
        .execute();
      return Object.fromEntries(rows.map(({ status, sessions }) => [status, sessions]));
    },
    async countByContext(organizationId, sinceMs) {
      const rows = await database
        .selectFrom("session")
        .select((select) => ["context_uuid", select.fn.countAll<number>().as("sessions")])
        .where("organization_id", "=", organizationId)
        .where("created_at_ms", ">=", sinceMs)
        .where("in_progress_at_ms", "is not", null)
        .where("context_uuid", "is not", null)
        .groupBy("context_uuid")
        .execute();
      return new Map(rows.map(({ context_uuid: context, sessions }) => [context ?? "", sessions]));
    },
    async withoutContext(limit) {
      const rows = await database
        .selectFrom("session")
        .leftJoin("embed_context", "embed_context.id", "session.context_uuid")
        .selectAll("session")
        .where("session.deadline_at_ms", "is not", null)
        .where("session.context_uuid", "is not", null)
        // An operator's preview may go on, whatever visitors may use.
        .where("session.context_uuid", "not in", (of) => of.selectFrom("context_preview").select("id"))
        .where((where) =>
          where.or([
            where("embed_context.id", "is", null),
            where("embed_context.is_active", "=", 0),
            where("embed_context.deleted_at_ms", "is not", null),
          ]),
        )
        .limit(limit)
        .execute();
      return rows.map(toSession);
    },
    async due(nowMs, limit, after) {
      let query = database.selectFrom("session").selectAll().where("deadline_at_ms", "<=", nowMs);
      if (after) {
        const { deadlineAtMs, id } = after;
        query = query.where((where) =>
          where.and([
            // A condition of its own, so that the index is used for it.
            where("deadline_at_ms", ">=", deadlineAtMs),
            where.or([where("deadline_at_ms", ">", deadlineAtMs), where("id", ">", id)]),
          ]),
        );
      }
      const rows = await query.orderBy("deadline_at_ms").orderBy("id").limit(limit).execute();
      return rows.map(toSession);
    },
  };
}

const sessionColumns = [
  "id",
  "organization_id",
  "context_uuid",
  "revision",
  "status",
  "termination_reason",
  "created_at_ms",
  "in_progress_at_ms",
  "last_seen_at_ms",
  "ended_at_ms",
  "max_session_sec",
  "bought_min",
  "peer_closed_at_ms",
  "leaving_at_ms",
  "holds_place",
  "deadline_at_ms",
] as const satisfies (keyof Tables["session"])[];

/** Units that insert a session. */
function sessionInsertion(database: Kysely<Tables>, quotas: QuotaUnits) {
  const insert = compiledOnce<Selectable<Tables["session"]>, unknown>((parameter) =>
    database.insertInto("session").values(
      // eslint-disable-next-line no-restricted-syntax -- `satisfies` above: each name is a column
      Object.fromEntries(sessionColumns.map((name) => [name, parameter(name)])) as Insertable<
        Tables["session"]
      >,
    ),
  );
  const insertDetail = compiledOnce<Selectable<Tables["session_detail"]>, unknown>((parameter) =>
    database.insertInto("session_detail").values({
      session_id: parameter("session_id"),
      request: parameter("request"),
      client_sdp: parameter("client_sdp"),
      server_sdp: parameter("server_sdp"),
    }),
  );
  return function* (session: SessionRecord, detail: SessionDetail, month: string): Unit<QuotaReason | null> {
    const isLive = session.deadlineAtMs !== null;
    const reason = isLive ? yield* quotas.admit(session.organizationId, month) : null;
    if (reason !== null) return reason;
    yield* ask(
      insert({
        id: session.id,
        organization_id: session.organizationId,
        context_uuid: session.contextUuid,
        created_at_ms: session.state.createdAtMs,
        max_session_sec: session.state.maxSessionSec,
        ...changingColumns(session),
      }),
    );
    yield* ask(
      insertDetail({
        session_id: session.id,
        request: JSON.stringify(detail.request),
        client_sdp: detail.clientSdp,
        server_sdp: detail.serverSdp,
      }),
    );
    return null;
  };
}

type ChangedColumns = ChangingColumns & { id: string; known_revision: number };

/** Units that save a change of a session. */
function sessionReplacement(database: Kysely<Tables>, quotas: QuotaUnits) {
  const insertEvent = eventInsertion(database);
  const update = compiledOnce<ChangedColumns, unknown>((parameter) =>
    database
      .updateTable("session")
      .set({
        revision: parameter("revision"),
        status: parameter("status"),
        termination_reason: parameter("termination_reason"),
        in_progress_at_ms: parameter("in_progress_at_ms"),
        last_seen_at_ms: parameter("last_seen_at_ms"),
        ended_at_ms: parameter("ended_at_ms"),
        bought_min: parameter("bought_min"),
        peer_closed_at_ms: parameter("peer_closed_at_ms"),
        leaving_at_ms: parameter("leaving_at_ms"),
        holds_place: parameter("holds_place"),
        deadline_at_ms: parameter("deadline_at_ms"),
      })
      .where("id", "=", parameter("id"))
      .where("revision", "=", parameter("known_revision")),
  );
  return function* (
    session: SessionRecord,
    { minutes, place, month = "", event }: ChangeCompanions,
  ): Unit<"saved" | "stale"> {
    const { changed } = yield* ask(
      update({ ...changingColumns(session), id: session.id, known_revision: session.revision - 1 }),
    );
    if (changed !== 1) return "stale";
    // Only one change of each revision gets here, so a place is counted once.
    if (place === "freed") yield* quotas.dismiss(session.organizationId);
    if (place === "taken") yield* quotas.readmit(session.organizationId, month);
    if (minutes) yield* quotas.buy(session.organizationId, minutes);
    if (event) yield* ask(insertEvent(event));
    return "saved";
  };
}

/** Sessions in SQL. What changes with every heartbeat is in a narrow row, the rest in another table. */
export function sessionRows(database: Kysely<Tables>, queries: Queries): SessionStore {
  const quotas = quotaUnits(database);
  const insertion = sessionInsertion(database, quotas);
  const replacement = sessionReplacement(database, quotas);
  const selectById = compiledOnce<{ id: string }, Selectable<Tables["session"]>>(
    (parameter) => database.selectFrom("session").selectAll().where("id", "=", parameter("id")),
    { isSingle: true },
  );
  const selectDetail = compiledOnce<{ id: string }, Selectable<Tables["session_detail"]>>(
    (parameter) =>
      database.selectFrom("session_detail").selectAll().where("session_id", "=", parameter("id")),
    { isSingle: true },
  );
  return {
    insert: (session, detail, month) =>
      queries.unit(() => insertion(session, detail, month), { organization: session.organizationId }),
    replace(session, companions = {}) {
      const { id, organizationId } = session;
      const changesQuotas = companions.place !== undefined || companions.minutes !== undefined;
      const shared = changesQuotas ? { session: id, organization: organizationId } : { session: id };
      return orQuotaReason(queries.unit(() => replacement(session, companions), shared));
    },
    async byId(id) {
      const { rows } = await queries.run(selectById({ id }));
      const [row] = rows;
      return row ? toSession(row) : null;
    },
    async detail(id) {
      const [row] = (await queries.run(selectDetail({ id }))).rows;
      if (!row) return null;
      const request = storedJson<SessionRequest>(row.request);
      return { request, clientSdp: row.client_sdp, serverSdp: row.server_sdp };
    },
    async saveDescriptions(id, clientSdp, serverSdp) {
      await database
        .updateTable("session_detail")
        .set({ client_sdp: clientSdp, server_sdp: serverSdp })
        .where("session_id", "=", id)
        .execute();
    },
    ...sessionLists(database),
  };
}
