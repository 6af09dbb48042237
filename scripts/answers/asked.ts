import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { ChatMessage } from "../../src/protocol/answers/llm-request.ts";
import { composeAnswer } from "../../src/service/knowledge/answering/compose-answer.ts";
import { encodeMessages } from "../../src/service/knowledge/answering/answer-question.ts";
import type { EncodeSentences, Vector } from "../../src/service/knowledge/meaning/vectors.ts";
import { readQuestion, type Question } from "../../src/service/knowledge/matching/question.ts";
import { rankUnits, type RankedUnit, type Weights } from "../../src/service/knowledge/matching/ranking.ts";
import { indexUnits, type UnitIndex } from "../../src/service/knowledge/matching/unit-index.ts";

const expectSchema = z.object({
  any: z.array(z.string()).optional(),
  all: z.array(z.string()).optional(),
  none: z.array(z.string()).optional(),
  unanswered: z.boolean().optional(),
  friendly: z.boolean().optional(),
});
export type Expect = z.infer<typeof expectSchema>;

const siteSchema = z.object({
  name: z.string(),
  language: z.string(),
  documents: z.array(z.object({ title: z.string(), text: z.string() })),
  conversations: z.array(
    z.object({ kind: z.string(), turns: z.array(z.object({ ask: z.string(), expect: expectSchema })) }),
  ),
});
export type Site = z.infer<typeof siteSchema>;

/** A question of a site, and the units that answer it. */
export interface Asked {
  site: Site;
  kind: string;
  turn: number;
  messages: ChatMessage[];
  expect: Expect;
  index: UnitIndex;
  vectors: ReadonlyMap<string, Vector>;
  question: Question;
  /** All units, in any order. */
  ranked: readonly RankedUnit[];
  answering: ReadonlySet<number>;
}

const flat = (text: string): string =>
  text.normalize("NFKC").replace(/[’‘]/g, "'").replace(/\s+/g, " ").trim().toLowerCase();
const contains = (text: string, part: string): boolean => flat(text).includes(flat(part));

/** Whether an answer has what is expected of it. */
export function meets({ any, all = [], none = [], unanswered, friendly }: Expect, text: string): boolean {
  if (unanswered || friendly) return false;
  if (none.some((part) => contains(text, part)) || (any && !any.some((part) => contains(text, part))))
    return false;
  return all.every((part) => contains(text, part));
}

/** The sites of a folder. */
export function readSites(folder: string): Site[] {
  return readdirSync(folder)
    .filter((name) => /^\d+-.*\.json$/.test(name))
    .sort()
    .map((name) => siteSchema.parse(JSON.parse(readFileSync(join(folder, name), "utf8"))));
}

/** All questions of sites, with what they mean if an encoder is given. The answers between them are those that the given weights give. */
export async function askAll(
  sites: readonly Site[],
  weights: Weights,
  encode?: EncodeSentences,
): Promise<Asked[]> {
  const items: Asked[] = [];
  for (const site of sites) {
    const index = await indexUnits(site.documents, encode);
    for (const { kind, turns } of site.conversations) {
      const messages: ChatMessage[] = [];
      for (const [turn, { ask, expect }] of turns.entries()) {
        messages.push({ role: "user", content: ask });
        const vectors = await encodeMessages(messages, index);
        const question = readQuestion(messages, index, { dayToday: 4, language: index.language, vectors });
        if (!question) continue;
        const ranked = rankUnits(question, index, weights);
        const parts = [...(expect.any ?? []), ...(expect.all ?? [])];
        const answering = new Set(
          index.units.filter(({ text }) => parts.some((part) => contains(text, part))).map(({ id }) => id),
        );
        items.push({
          site,
          kind,
          turn,
          messages: [...messages],
          expect,
          index,
          vectors,
          question,
          ranked,
          answering,
        });
        const content = composeAnswer(question, ranked, index).texts.join(" ");
        messages.push({ role: "assistant", content });
      }
    }
  }
  return items;
}
