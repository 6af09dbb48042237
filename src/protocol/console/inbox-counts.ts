import * as z from "zod";

/** Answer of GET /api/console/inbox-counts/: how many messages of visitors are in each state. */
export const inboxCountsSchema = z.object({ new: z.number(), answered: z.number(), done: z.number() });
