import * as z from "zod";
import type { LanguageEngine } from "../../language-engine.ts";
import { createRetrievalResponder } from "./retrieval-responder.ts";

/** Quotes the context's instructions and documents: offline, always available. */
export const retrievalEngine: LanguageEngine<object> = {
  kind: "retrieval",
  isBuiltIn: true,
  settingsSchema: z.object({}),
  check: () => [],
  create: (_entry, { indexOf }) => createRetrievalResponder(indexOf),
};
