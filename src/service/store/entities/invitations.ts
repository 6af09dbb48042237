import type { Kysely, Selectable } from "kysely";
import { accountInsertion } from "./accounts.ts";
import { ask, compiledOnce, type Queries, type Unit } from "../database/queries.ts";
import type { AccountRecord, InvitationRecord, InvitationStore } from "../store.ts";
import type { Tables } from "../database/tables.ts";

type InvitationColumns = Tables["account_invitation"];

/** Thrown in a unit to roll it back. */
class UsernameTaken extends Error {
  override readonly name = "UsernameTaken";
}

function toInvitation(row: Selectable<InvitationColumns>): InvitationRecord {
  return {
    id: row.id,
    organizationId: row.organization_id,
    tokenHash: row.token_hash,
    role: row.role,
    note: row.note,
    invitedBy: row.invited_by,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
  };
}

function invitationUse(database: Kysely<Tables>, queries: Queries): InvitationStore["use"] {
  const insertAccount = accountInsertion(database);
  const remove = compiledOnce<{ tokenHash: string; nowMs: number }, { id: string }>(
    (parameter) =>
      database
        .deleteFrom("account_invitation")
        .where("token_hash", "=", parameter("tokenHash"))
        .where("expires_at_ms", ">", parameter("nowMs"))
        .returning("id"),
    { isSingle: true },
  );
  function* using(tokenHash: string, account: AccountRecord): Unit<"used" | "gone"> {
    const { rows } = yield* ask(remove({ tokenHash, nowMs: account.createdAtMs }));
    if (rows.length === 0) return "gone";
    const { changed } = yield* ask(insertAccount(account));
    if (changed !== 1) throw new UsernameTaken();
    return "used";
  }
  return async (tokenHash, account) => {
    try {
      return await queries.unit(() => using(tokenHash, account));
    } catch (error) {
      if (error instanceof UsernameTaken) return "username_taken";
      throw error;
    }
  };
}

/** Invitations in SQL. */
export function invitationRows(database: Kysely<Tables>, queries: Queries): InvitationStore {
  return {
    async insert(invitation) {
      await database
        .insertInto("account_invitation")
        .values({
          id: invitation.id,
          organization_id: invitation.organizationId,
          token_hash: invitation.tokenHash,
          role: invitation.role,
          note: invitation.note,
          invited_by: invitation.invitedBy,
          created_at_ms: invitation.createdAtMs,
          expires_at_ms: invitation.expiresAtMs,
        })
        .execute();
    },
    async list(organizationId) {
      const rows = await database
        .selectFrom("account_invitation")
        .selectAll()
        .where("organization_id", "=", organizationId)
        .orderBy("created_at_ms")
        .orderBy("id")
        .execute();
      return rows.map(toInvitation);
    },
    async byToken(tokenHash) {
      const row = await database
        .selectFrom("account_invitation")
        .selectAll()
        .where("token_hash", "=", tokenHash)
        .executeTakeFirst();
      return row ? toInvitation(row) : null;
    },
    async remove(organizationId, id) {
      const { numDeletedRows } = await database
        .deleteFrom("account_invitation")
        .where("organization_id", "=", organizationId)
        .where("id", "=", id)
        .executeTakeFirst();
      return numDeletedRows === 1n;
    },
    use: invitationUse(database, queries),
  };
}
