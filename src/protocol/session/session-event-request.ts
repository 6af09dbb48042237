import * as z from "zod";
import { sessionEventKinds, sessionEventSchema } from "./session-event.ts";

/** The largest file an event may carry, in bytes (interface specification, Limits). */
export const eventFileMaxBytes = 10 * 1024 * 1024;

/**
 * Body of POST …/event/create/. A file is sent as a file part of a multipart body. As a field, `file` can only say that
 * there is no file.
 */
export const sessionEventRequestSchema = z.object({
  event: z.enum(sessionEventKinds),
  detail: z.string().max(10_000).nullish(),
  file: z
    .string()
    .refine((text) => text === "", "The submitted data was not a file; use multipart/form-data.")
    .nullish(),
});
export type SessionEventRequest = z.infer<typeof sessionEventRequestSchema>;

/** An event in this service's answers. Other services may send null for a detail that was left out; relays accept that too. */
export const sessionEventAnswerSchema = z.object({ ...sessionEventSchema.shape, detail: z.string() });
export type SessionEventAnswer = z.infer<typeof sessionEventAnswerSchema>;

/** Answer of GET …/event/. */
export const sessionEventListSchema = z.array(sessionEventAnswerSchema);
