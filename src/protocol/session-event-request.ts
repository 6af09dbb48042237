import * as z from "zod";
import { sessionEventKinds } from "./session-event.ts";

/** The largest file an event may carry, in bytes (interface specification, Limits). */
export const eventFileMaxBytes = 10 * 1024 * 1024;

/** Body of POST …/event/create/ apart from its file. */
export const sessionEventRequestSchema = z.object({
  event: z.enum(sessionEventKinds),
  detail: z.string().max(10_000).nullish(),
});
export type SessionEventRequest = z.infer<typeof sessionEventRequestSchema>;
