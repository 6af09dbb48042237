import * as z from "zod";

/**
 * What an account may do; each role may do everything that the ones before it may. A viewer reads, `answers` talks with visitors too
 * and changes nothing, an editor changes, an owner changes accounts too.
 */
export const accountRoles = ["viewer", "answers", "editor", "owner"] as const;
export type AccountRole = (typeof accountRoles)[number];

/** The fewest characters of a password that is chosen in the console. */
export const passwordMinLength = 12;
const passwordMaxLength = 1_024;

const username = z.string().min(1).max(100);
const presentPassword = z.string().min(1).max(passwordMaxLength);
const newPassword = z.string().min(passwordMinLength).max(passwordMaxLength);
const token = z.string().min(1).max(255);

/** Body of POST /api/console/login/. Without a user name it is the first owner, whose password the server printed. */
export const loginSchema = z.object({ password: presentPassword, username: username.optional() });

/** Who is logged in to the console, and until when. */
export const consoleSessionSchema = z.object({
  organization: z.object({ id: z.string(), name: z.string() }),
  account: z.object({ id: z.string(), username: z.string(), role: z.enum(accountRoles) }),
  expires_at: z.string(),
});
export type ConsoleSession = z.infer<typeof consoleSessionSchema>;

/** Body of PUT /api/console/password/. */
export const passwordChangeSchema = z.object({
  current_password: presentPassword,
  new_password: newPassword,
});

/** Somebody who can log in to the console. */
export const accountSchema = z.object({
  id: z.string(),
  username: z.string(),
  role: z.enum(accountRoles),
  /** The account of the installation's own password. It stays an owner and cannot be removed. */
  is_first: z.boolean(),
  created_at: z.string(),
  /** The last request of any of its logins that have not ended; null without one. */
  last_seen_at: z.string().nullable(),
});
export type Account = z.infer<typeof accountSchema>;

/** Answer of GET /api/console/accounts/. */
export const accountListSchema = z.array(accountSchema);

/** Body of PUT /api/console/accounts/{account}/. */
export const accountChangeSchema = z.object({ role: z.enum(accountRoles) });

/** Body of POST /api/console/invitations/. `note`: whom it is for. */
export const invitationCreateSchema = z.object({
  role: z.enum(accountRoles),
  note: z.string().max(200).default(""),
});

/** An invitation that nobody has used yet. */
export const invitationSchema = z.object({
  id: z.string(),
  role: z.enum(accountRoles),
  note: z.string(),
  invited_by: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
});
export type Invitation = z.infer<typeof invitationSchema>;

/** Answer of GET /api/console/invitations/. */
export const invitationListSchema = z.array(invitationSchema);

/** Answer of POST /api/console/invitations/: the link is shown only once. */
export const invitationCreatedSchema = invitationSchema.extend({ link: z.string() });

/** Body of POST /api/console/invitation/: the part of the link after `#`. */
export const invitationTokenSchema = z.object({ token });

/** Answer of POST /api/console/invitation/: what the invitation is for. */
export const invitationPreviewSchema = z.object({
  organization: z.string(),
  role: z.enum(accountRoles),
  expires_at: z.string(),
});

/** Body of POST /api/console/invitation/accept/. */
export const invitationAcceptSchema = z.object({ token, username, password: newPassword });

/** A browser in which somebody is logged in. */
export const consoleLoginSchema = z.object({
  id: z.string(),
  account: z.object({ id: z.string(), username: z.string() }),
  /** The address of the login; null where it is unknown. */
  address: z.string().nullable(),
  /** The browser as it names itself. */
  user_agent: z.string().nullable(),
  created_at: z.string(),
  last_seen_at: z.string(),
  expires_at: z.string(),
  /** Whether this request came with this login. */
  is_current: z.boolean(),
});
export type ConsoleLogin = z.infer<typeof consoleLoginSchema>;

/** Answer of GET /api/console/logins/. */
export const consoleLoginListSchema = z.array(consoleLoginSchema);
