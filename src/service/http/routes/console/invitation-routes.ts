import {
  type Invitation,
  invitationAcceptSchema,
  invitationCreatedSchema,
  invitationCreateSchema,
  invitationListSchema,
  invitationPreviewSchema,
  invitationTokenSchema,
} from "../../../../protocol/console/accounts.ts";
import {
  acceptInvitation,
  createInvitation,
  invitationLink,
  invitationOf,
  listInvitations,
  withdrawInvitation,
} from "../../../administration/accounts/invitations.ts";
import { Fault } from "../../../faults/fault.ts";
import type { InvitationRecord } from "../../../store/store.ts";
import { requestSource } from "../../middleware/same-origin.ts";
import { operation, type Operation } from "../../operations/operation.ts";
import {
  type ConsoleAccess,
  consoleSessionView,
  isoTime,
  organizationName,
  whoIsLoggedIn,
} from "./console-access.ts";

const tag = "Accounts";
const auth = "operator";
const role = "owner";
const collectionPath = "/api/console/invitations/";

function invitationView(invitation: InvitationRecord): Invitation {
  return {
    id: invitation.id,
    role: invitation.role,
    note: invitation.note,
    invited_by: invitation.invitedBy,
    created_at: isoTime(invitation.createdAtMs),
    expires_at: isoTime(invitation.expiresAtMs),
  };
}

function ownerRoutes({ store, clock, publicUrl }: ConsoleAccess): Operation[] {
  return [
    operation({
      method: "GET",
      path: collectionPath,
      id: "listInvitations",
      tag,
      summary: "List the invitations that nobody has used yet",
      auth,
      role,
      answer: { status: 200, description: "In order of creation", schema: invitationListSchema },
      handler: async ({ caller: { organizationId } }) =>
        (await listInvitations(store, organizationId, clock.nowMs())).map(invitationView),
    }),
    operation({
      method: "POST",
      path: collectionPath,
      id: "createInvitation",
      tag,
      summary: "Invite somebody by a link, which works once and for a week",
      auth,
      role,
      body: { schema: invitationCreateSchema },
      answer: {
        status: 201,
        description: "The invitation; only this answer has the link",
        schema: invitationCreatedSchema,
      },
      target: (_call, { id, note }) => ({ id, name: note }),
      async handler({ caller: { organizationId, session }, body }) {
        const fields = { ...body, organizationId, invitedBy: session.username };
        const { invitation, token } = await createInvitation(store, fields, clock.nowMs());
        return { ...invitationView(invitation), link: invitationLink(publicUrl, token) };
      },
    }),
    operation({
      method: "DELETE",
      path: "/api/console/invitations/:invitation/",
      id: "deleteInvitation",
      tag,
      summary: "Withdraw an invitation",
      auth,
      role,
      answer: { status: 204, description: "The link no longer works" },
      handler: ({ params, caller: { organizationId } }) =>
        withdrawInvitation(store, organizationId, params.invitation),
    }),
  ];
}

function guestRoutes({ store, clock, sessions, devices, publicUrl, passwords }: ConsoleAccess): Operation[] {
  return [
    operation({
      method: "POST",
      path: "/api/console/invitation/",
      id: "readInvitation",
      tag,
      summary: "Find out what an invitation's link is for",
      auth: "none",
      body: { schema: invitationTokenSchema },
      answer: { status: 200, description: "The invitation", schema: invitationPreviewSchema },
      async handler({ body: { token } }) {
        const invitation = await invitationOf(store, token, clock.nowMs());
        return {
          organization: await organizationName(store, invitation.organizationId),
          role: invitation.role,
          expires_at: isoTime(invitation.expiresAtMs),
        };
      },
    }),
    operation({
      method: "POST",
      path: "/api/console/invitation/accept/",
      id: "acceptInvitation",
      tag,
      summary: "Use an invitation: create the account and log in; sets the session cookie",
      auth: "none",
      body: { schema: invitationAcceptSchema },
      answer: whoIsLoggedIn,
      async handler({ context, body }) {
        // Otherwise another page could log its visitor in as somebody else.
        if (requestSource(context, publicUrl) === "foreign") throw Fault.forbidden();
        const account = await acceptInvitation(passwords, store, body, clock.nowMs());
        const session = await sessions.begin(context, account);
        await devices.remember(context);
        await context.get("recordChange")?.(context.req.raw, context.env, {
          caller: { by: "operator", organizationId: session.organizationId, session },
          operation: "acceptInvitation",
          target: { id: account.id, name: account.username },
        });
        return consoleSessionView(store, session);
      },
    }),
  ];
}

/** Invitations to the console, for the owners who make them and the people who use them. */
export function invitationRoutes(access: ConsoleAccess): Operation[] {
  return [...ownerRoutes(access), ...guestRoutes(access)];
}
