import * as z from "zod/mini";

/** What an answer was taken from: a page of a website, or a document. An extension of ours in the `finish` event. */
const answerSourceSchema = z.object({
  /** Of the page or the document. */
  title: z.string().check(z.maxLength(1_000)),
  /** Of a page. */
  url: z.optional(z.string().check(z.maxLength(5_000))),
  /** Plain text: what is quoted, with what stands around it. */
  passage: z.string().check(z.maxLength(5_000)),
  /** The parts of the passage that were used, in its order. */
  quotes: z.array(z.string()).check(z.maxLength(50)),
});
export type AnswerSource = z.infer<typeof answerSourceSchema>;

/** An answer names no more. */
export const sourcesMax = 3;

export const answerSourcesSchema = z.array(answerSourceSchema).check(z.maxLength(sourcesMax));
