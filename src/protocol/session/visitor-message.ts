import * as z from "zod";
import { phonePattern } from "../settings/late-settings.ts";
import { emailMaxLength, emailPattern, messageMaxLength, nameMaxLength } from "./message-fields.ts";

export const messageIdPattern = /^[\w-]{8,64}$/;

/** Body of POST …/message/: what a visitor leaves while nobody is there, an addition of ours. Sent again with the same `id` it counts once. */
export const visitorMessageSchema = z.object({
  id: z.string().regex(messageIdPattern),
  text: z.string().trim().min(1).max(messageMaxLength),
  name: z.string().trim().max(nameMaxLength).optional(),
  email: z.string().trim().max(emailMaxLength).regex(emailPattern).optional(),
  phone: z.string().trim().regex(phonePattern).optional(),
  /** Where the visitor is, as the page's address without its query. */
  page: z.string().max(2_000).optional(),
  /** The visitor agrees to what the owner asks for (`ui.handover_consent`). */
  agreed: z.boolean().optional(),
});
export type VisitorMessage = z.infer<typeof visitorMessageSchema>;
