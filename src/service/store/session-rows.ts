import type { Insertable, Kysely, Selectable } from "kysely";
import type { SessionStatus, TerminationReason } from "../../protocol/session.ts";
import { compiledOnce } from "./compiled-once.ts";
import { eventInsertion } from "./event-rows.ts";
import { ask } from "./queries.ts";
import type { Queries, Unit } from "./queries.ts";
import { orQuotaReason, quotaUnits } from "./quota-rows.ts";
import type { QuotaUnits } from "./quota-rows.ts";
import type {
  ChangeCompanions,
  QuotaReason,
  SessionDetail,
  SessionRecord,
  SessionRequest,
  Store,
} from "./store.ts";
import type { Tables } from "./tables.ts";

function toRecord(row: Selectable<Tables["session"]>): SessionRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    contextUuid: row.context_uuid,
    revision: row.revision,
    deadlineAtMs: row.deadline_at_ms,
    state: {
      status: row.status as SessionStatus,
      terminationReason: row.termination_reason as TerminationReason | null,
      createdAtMs: row.created_at_ms,
      inProgressAtMs: row.in_progress_at_ms,
      lastSeenAtMs: row.last_seen_at_ms,
      endedAtMs: row.ended_at_ms,
      maxSessionSec: row.max_session_sec,
      boughtMin: row.bought_min,
      peerClosedAtMs: row.peer_closed_at_ms,
      holdsPlace: row.holds_place === 1,
    },
  };
}

function changingColumns({ revision, state, deadlineAtMs }: SessionRecord) {
  return {
    revision,
    status: state.status,
    termination_reason: state.terminationReason,
    in_progress_at_ms: state.inProgressAtMs,
    last_seen_at_ms: state.lastSeenAtMs,
    ended_at_ms: state.endedAtMs,
    bought_min: state.boughtMin,
    peer_closed_at_ms: state.peerClosedAtMs,
    holds_place: state.holdsPlace ? 1 : 0,
    deadline_at_ms: deadlineAtMs,
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
  "holds_place",
  "deadline_at_ms",
] as const satisfies (keyof Tables["session"])[];

/** How a session is stored. */
function sessionInsertion(database: Kysely<Tables>, quotas: QuotaUnits) {
  const insert = compiledOnce<Selectable<Tables["session"]>, unknown>((parameter) =>
    database
      .insertInto("session")
      .values(
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

type ChangedColumns = ReturnType<typeof changingColumns> & { id: string; known_revision: number };

/** How a change of a session is saved. */
function sessionReplacement(database: Kysely<Tables>, quotas: QuotaUnits) {
  const insertEvent = eventInsertion(database);
  const update = compiledOnce<ChangedColumns, unknown>(
    (parameter) =>
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
          holds_place: parameter("holds_place"),
          deadline_at_ms: parameter("deadline_at_ms"),
        })
        .where("id", "=", parameter("id"))
        .where("revision", "=", parameter("known_revision")),
    { locks: ["session", "id"] },
  );
  return function* (
    session: SessionRecord,
    { minutes, place, month = "", event }: ChangeCompanions,
  ): Unit<"saved" | "stale"> {
    const { changed } = yield* ask(
      update({ ...changingColumns(session), id: session.id, known_revision: session.revision - 1 }),
    );
    if (changed !== 1) return "stale";
    // One compare-and-set decides about each change, so a place is counted once.
    if (place === "freed") yield* quotas.dismiss(session.organizationId);
    if (place === "taken") yield* quotas.readmit(session.organizationId, month);
    if (minutes) yield* quotas.buy(session.organizationId, minutes);
    if (event) yield* ask(insertEvent(event));
    return "saved";
  };
}

/** Sessions in SQL: what changes with every heartbeat in one narrow row, the rest beside it. */
export function sessionRows(database: Kysely<Tables>, queries: Queries): Store["sessions"] {
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
    insert: (session, detail, month) => queries.unit(() => insertion(session, detail, month)),
    replace: (session, companions = {}) =>
      orQuotaReason(queries.unit(() => replacement(session, companions))),
    async byId(id) {
      const { rows } = await queries.run(selectById({ id }));
      const [row] = rows;
      return row ? toRecord(row) : null;
    },
    async detail(id) {
      const [row] = (await queries.run(selectDetail({ id }))).rows;
      if (!row) return null;
      const request = JSON.parse(row.request) as SessionRequest;
      return { request, clientSdp: row.client_sdp, serverSdp: row.server_sdp };
    },
    async saveDescriptions(id, clientSdp, serverSdp) {
      await database
        .updateTable("session_detail")
        .set({ client_sdp: clientSdp, server_sdp: serverSdp })
        .where("session_id", "=", id)
        .execute();
    },
    async countLive() {
      const rows = await database
        .selectFrom("session")
        .select((select) => ["status", select.fn.countAll<number>().as("sessions")])
        .where("deadline_at_ms", "is not", null)
        .groupBy("status")
        .execute();
      return Object.fromEntries(rows.map(({ status, sessions }) => [status, sessions]));
    },
    async withoutContext(limit) {
      const rows = await database
        .selectFrom("session")
        .leftJoin("embed_context", "embed_context.id", "session.context_uuid")
        .selectAll("session")
        .where("session.deadline_at_ms", "is not", null)
        .where("session.context_uuid", "is not", null)
        .where((where) =>
          where.or([where("embed_context.id", "is", null), where("embed_context.is_active", "=", 0)]),
        )
        .limit(limit)
        .execute();
      return rows.map(toRecord);
    },
    async due(nowMs, limit, after) {
      let query = database.selectFrom("session").selectAll().where("deadline_at_ms", "<=", nowMs);
      if (after) {
        const { deadlineAtMs, id } = after;
        query = query.where((where) =>
          where.and([
            // Said apart, so that the index is entered there.
            where("deadline_at_ms", ">=", deadlineAtMs),
            where.or([where("deadline_at_ms", ">", deadlineAtMs), where("id", ">", id)]),
          ]),
        );
      }
      const rows = await query.orderBy("deadline_at_ms").orderBy("id").limit(limit).execute();
      return rows.map(toRecord);
    },
  };
}
