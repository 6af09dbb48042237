import type { AccountRole } from "../../protocol/console/accounts.ts";

/** Somebody who can log in to the console. */
export interface AccountRecord {
  id: string;
  organizationId: string;
  username: string;
  role: AccountRole;
  /** Whether the installation's own password belongs to this account. A store has one such account. */
  isFirst: boolean;
  /** The hash of the account's own password; null for the first account while it uses the installation's password. */
  passwordHash: string | null;
  /** For the first account: a digest of the installation's password that its own password replaced. */
  replacedPassword: string | null;
  createdAtMs: number;
}

/** A browser in which an account is logged in. */
export interface LoginRecord {
  id: string;
  accountId: string;
  address: string | null;
  userAgent: string | null;
  createdAtMs: number;
  lastSeenAtMs: number;
  expiresAtMs: number;
}

/** An invitation that nobody has used yet. Its token is stored only as a hash. */
export interface InvitationRecord {
  id: string;
  organizationId: string;
  tokenHash: string;
  role: AccountRole;
  note: string;
  invitedBy: string;
  createdAtMs: number;
  expiresAtMs: number;
}

/** Accounts of the console. User names are unique in the whole store; their case does not matter. */
export interface AccountStore {
  /** Resolves with whether the user name was free. */
  insert(account: AccountRecord): Promise<boolean>;
  byId(id: string): Promise<AccountRecord | null>;
  byUsername(username: string): Promise<AccountRecord | null>;
  /** The account of the installation's own password. */
  first(): Promise<AccountRecord | null>;
  /** In order of creation. */
  list(organizationId: string): Promise<AccountRecord[]>;
  /** Changes nothing if the organization would have no owner left; resolves with whether it was changed. */
  setRole(organizationId: string, id: string, role: AccountRole): Promise<boolean>;
  /** Removes an account and its logins, unless the organization would have no owner left; resolves with whether it did. */
  remove(organizationId: string, id: string): Promise<boolean>;
  setPassword(id: string, passwordHash: string, replacedPassword: string | null): Promise<void>;
}

/** Logins at the console. */
export interface LoginStore {
  insert(login: LoginRecord): Promise<void>;
  /** A login with its account; null if there is none. */
  byId(id: string): Promise<{ login: LoginRecord; account: AccountRecord } | null>;
  touch(id: string, nowMs: number): Promise<void>;
  /** Those of an organization that have not expired, the latest first. */
  list(organizationId: string, nowMs: number): Promise<LoginRecord[]>;
  /** Resolves with whether there was such a login. */
  remove(id: string): Promise<boolean>;
  /** Removes the logins of an account, except one. */
  removeOthers(accountId: string, keptId: string): Promise<void>;
  removeExpired(nowMs: number): Promise<void>;
}

/** Invitations to become an account. */
export interface InvitationStore {
  insert(invitation: InvitationRecord): Promise<void>;
  /** In order of creation, also those that have expired. */
  list(organizationId: string): Promise<InvitationRecord[]>;
  byToken(tokenHash: string): Promise<InvitationRecord | null>;
  /** Resolves with whether there was such an invitation. */
  remove(organizationId: string, id: string): Promise<boolean>;
  /** Removes the invitation and adds the account, both or neither: an invitation makes one account. */
  use(tokenHash: string, account: AccountRecord): Promise<"used" | "gone" | "username_taken">;
}
