import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { AccountRole } from "../../../protocol/console/accounts.ts";
import type { PasswordHasher } from "../../operator-password.ts";
import type { AccountRecord, InvitationRecord, Store } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";
import { checkedName } from "../checked-name.ts";

type InvitationStore = Pick<Store, "invitations">;

const lifetimeMs = 7 * 24 * 60 * 60 * 1000;

/** One fast hash is enough: tokens are random and not chosen by people. */
const hashOf = (token: string): string => createHash("sha256").update(token, "utf8").digest("hex");

const gone = (): AdministrationError =>
  new AdministrationError(
    "invitation_gone",
    "This invitation was used, withdrawn or has expired; ask for a new one.",
    { field: "token" },
  );

/** For whom an invitation is, and who made it. */
export interface InvitationFields {
  organizationId: string;
  role: AccountRole;
  note: string;
  invitedBy: string;
}

/** Creates an invitation for one account, which is valid for a week. Its token is only in the result. */
export async function createInvitation(
  { invitations }: InvitationStore,
  fields: InvitationFields,
  nowMs: number,
): Promise<{ invitation: InvitationRecord; token: string }> {
  const token = randomBytes(32).toString("base64url");
  const invitation = {
    ...fields,
    id: randomUUID(),
    note: fields.note.trim(),
    tokenHash: hashOf(token),
    createdAtMs: nowMs,
    expiresAtMs: nowMs + lifetimeMs,
  };
  await invitations.insert(invitation);
  return { invitation, token };
}

/**
 * The address where an invitation is used. The token is behind `#`: browsers do not send it, so it is in no server's log.
 *
 * @param publicUrl without a slash at its end
 */
export function invitationLink(publicUrl: string, token: string): string {
  return `${publicUrl}/console/invitation#${token}`;
}

/** The invitations of an organization that can still be used, in order of creation. */
export async function listInvitations(
  { invitations }: InvitationStore,
  organizationId: string,
  nowMs: number,
): Promise<InvitationRecord[]> {
  return (await invitations.list(organizationId)).filter(({ expiresAtMs }) => expiresAtMs > nowMs);
}

/** Withdraws an invitation. Throws AdministrationError `not_found`. */
export async function withdrawInvitation(
  { invitations }: InvitationStore,
  organizationId: string,
  id: string,
): Promise<void> {
  if (!(await invitations.remove(organizationId, id)))
    throw new AdministrationError("not_found", `There is no invitation "${id}".`);
}

/** The invitation of a token. Throws AdministrationError `invitation_gone`. */
export async function invitationOf(
  { invitations }: InvitationStore,
  token: string,
  nowMs: number,
): Promise<InvitationRecord> {
  const invitation = await invitations.byToken(hashOf(token));
  if (invitation === null || invitation.expiresAtMs <= nowMs) throw gone();
  return invitation;
}

/** Uses an invitation: creates its account. Throws AdministrationError `invitation_gone`, `invalid_name` and `name_taken`. */
export async function acceptInvitation(
  passwords: PasswordHasher,
  { invitations }: InvitationStore,
  { token, username, password }: { token: string; username: string; password: string },
  nowMs: number,
): Promise<AccountRecord> {
  const { organizationId, role } = await invitationOf({ invitations }, token, nowMs);
  const account: AccountRecord = {
    id: randomUUID(),
    organizationId,
    username: checkedName(username, "username"),
    role,
    isFirst: false,
    passwordHash: await passwords.hash(password),
    replacedPassword: null,
    createdAtMs: nowMs,
  };
  const outcome = await invitations.use(hashOf(token), account);
  if (outcome === "gone") throw gone();
  if (outcome === "username_taken")
    throw new AdministrationError(
      "name_taken",
      `The name "${account.username}" is taken; choose another one.`,
      { field: "username" },
    );
  return account;
}
