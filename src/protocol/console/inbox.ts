import * as z from "zod";
import { pageQuerySchema } from "../schema/paging.ts";

/** What has become of a message. */
export const messageStates = ["new", "answered", "done"] as const;
export type MessageState = (typeof messageStates)[number];

/** Filters of the inbox. */
export const inboxFilterSchema = z.object({
  state: z.enum(messageStates).optional(),
  /** UUID of the avatar's context. */
  context: z.string().max(255).optional(),
});

/** Query of GET /api/console/inbox/. */
export const inboxQuerySchema = inboxFilterSchema.extend(pageQuerySchema.shape);

/** A message that a visitor has left. Texts are as the visitor wrote them; empty: not given. */
export const inboxMessageSchema = z.object({
  id: z.string(),
  session_id: z.string(),
  /** UUID of the avatar's context. */
  context: z.string(),
  at: z.string(),
  state: z.enum(messageStates),
  /** Who has changed the state last; empty: nobody. */
  by: z.string(),
  text: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  /** Where the visitor was. */
  page: z.string(),
  /** What the visitor agreed to. */
  agreed_to: z.string(),
});
export type InboxMessage = z.infer<typeof inboxMessageSchema>;

/** Answer of GET /api/console/inbox/. */
export const inboxListSchema = z.array(inboxMessageSchema);

/** Body of PUT /api/console/inbox/{message}/. */
export const messageChangeSchema = z.object({ state: z.enum(messageStates) });
