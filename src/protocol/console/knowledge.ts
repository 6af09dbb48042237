import * as z from "zod";

/** Where a document comes from. `website`: it is read again. `taught`: answers to questions that had none. */
export const documentSources = ["text", "file", "website", "taught"] as const;

/** Whether a document can be searched. */
const documentStates = ["ready", "failed"] as const;

/** The largest uploaded file, in bytes. */
export const knowledgeFileMaxBytes = 20 * 1024 * 1024;
/** The longest text of a document, in characters. */
const textMaxCharacters = 1_000_000;
const title = z.string().trim().min(1).max(200);
const text = z.string().min(1).max(textMaxCharacters);
const contexts = z.array(z.string().max(255)).max(200);

/** A document in the console. */
export const knowledgeSchema = z.object({
  id: z.string(),
  title: z.string(),
  source: z.enum(documentSources),
  state: z.enum(documentStates),
  /** Why it cannot be used; null where nothing is wrong. */
  problem: z.string().nullable(),
  passages: z.number().int(),
  characters: z.number().int(),
  /** Only of `taught`: how many answers. */
  answers: z.number().int().nullable(),
  /** The avatars that answer from it. */
  used_by: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Every organization of the installation has it, so that the console cannot change it. */
  is_shared: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Knowledge = z.infer<typeof knowledgeSchema>;

/** Answer of GET /api/console/knowledge/. */
export const knowledgeListSchema = z.array(knowledgeSchema);

/** Answer of GET /api/console/knowledge/{document}/, with its whole text. */
export const knowledgeDetailSchema = knowledgeSchema.extend({ text: z.string() });
export type KnowledgeDetail = z.infer<typeof knowledgeDetailSchema>;

/** Body of POST /api/console/knowledge/. `contexts`: UUIDs of the avatars that answer from it; default: none. */
export const knowledgeCreateSchema = z.object({ title, text, contexts: contexts.optional() });

/** Body of PUT /api/console/knowledge/{document}/. Text and contexts that are missing stay as they are. */
export const knowledgeChangeSchema = z.object({
  title,
  text: text.optional(),
  contexts: contexts.optional(),
  /** When the document that was edited was changed last. If somebody has changed it since, the answer is 409. Default: no check. */
  updated_at: z.string().max(50).optional(),
});

/** Answer 409 of it: somebody else saved meanwhile. */
export const knowledgeConflictSchema = z.object({
  type: z.literal("client_error"),
  errors: z.array(z.object({ code: z.literal("conflict"), detail: z.string(), attr: z.null() })),
  current: knowledgeDetailSchema,
});

/** Fields beside the `file` of POST /api/console/knowledge-files/ (multipart). `name`: of the file. */
export const knowledgeFileSchema = z.object({
  name: z.string().min(1).max(255),
  title: title.optional(),
  contexts: contexts.optional(),
});

/** Body of POST /api/console/knowledge-test/: a question to an avatar, or to some documents. */
export const knowledgeTestSchema = z.object({
  question: z.string().trim().min(1).max(2_000),
  context: z.string().max(255).optional(),
  documents: z.array(z.string().max(255)).max(50).optional(),
});

/** Its answer. */
export const knowledgeAnswerSchema = z.object({
  /** What an avatar without a language model would say; null: it finds nothing. */
  answer: z.string().nullable(),
  passages: z.array(
    z.object({
      /** Null: it is in the avatar's instructions. */
      document: z.object({ id: z.string(), title: z.string() }).nullable(),
      heading: z.string(),
      text: z.string(),
      fit: z.enum(["well", "little"]),
      /** Whether the answer quotes it. */
      used: z.boolean(),
    }),
  ),
});
export type KnowledgeAnswer = z.infer<typeof knowledgeAnswerSchema>;

/** Body of POST /api/console/knowledge-suggestions/: what an avatar suggests, and the documents that it answers from. */
export const suggestionsSchema = z.object({
  context: z.string().max(255),
  documents: z.array(z.string().max(255)).max(51),
  texts: z.array(z.string().trim().min(1).max(200)).max(6),
});

/** Its answer. */
export const checkedSuggestionsSchema = z.object({
  /** The texts that the documents do not answer. */
  unanswered: z.array(z.string()),
  /** Up to six headings and questions of the documents that would be answered, in their order. */
  found: z.array(z.string()),
});
export type CheckedSuggestions = z.infer<typeof checkedSuggestionsSchema>;
