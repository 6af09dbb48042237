import * as z from "zod/mini";
import { answerSourcesSchema } from "./answer-source.ts";
import { chatMessageSchema } from "./llm-request.ts";
import { richContentSchema } from "./rich-content.ts";
import { visavisErrorCodes } from "../visavis-error-code.ts";

const entrySchema = z.object({
  id: z.string(),
  role: z.enum(["visitor", "avatar", "person"]),
  text: z.string(),
  status: z.enum(["streaming", "final", "interrupted", "cut", "waiting", "failed"]),
  fault: z.optional(z.enum(visavisErrorCodes)),
  unspoken: z.optional(z.boolean()),
  rest: z.optional(z.string()),
  content: z.optional(richContentSchema),
  found: z.optional(z.boolean()),
  sources: z.optional(answerSourcesSchema),
  name: z.optional(z.string()),
  note: z.optional(z.enum(["joined", "left"])),
  line: z.optional(z.number()),
  attachments: z.optional(
    z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.string(),
        bytes: z.number(),
        at: z.optional(z.object({ session: z.string(), id: z.string() })),
      }),
    ),
  ),
  at: z.number(),
});

/** A conversation as a tab keeps it in `sessionStorage` from one page to the next. */
export const keptConversationSchema = z.object({
  /** The session to take up again; null when there was none any more. */
  session: z.nullable(z.object({ id: z.string(), token: z.string(), isReported: z.boolean() })),
  transcript: z.array(entrySchema),
  memory: z.array(
    z.union([z.object({ entryId: z.string() }), z.object({ messages: z.array(chatMessageSchema) })]),
  ),
  /** What the page's interface keeps with it. */
  view: z.record(z.string(), z.boolean()),
});
export type KeptEntry = z.infer<typeof entrySchema>;
