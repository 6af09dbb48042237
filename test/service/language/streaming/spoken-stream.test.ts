import fc from "fast-check";
import { expect, test } from "vitest";
import type { LlmStreamEvent } from "../../../../src/protocol/answers/llm-stream.ts";
import {
  SpokenPieces,
  speakingPieces,
  spokenEvents,
} from "../../../../src/service/language/streaming/spoken-stream.ts";
import { eventsOf, said, textOf } from "../answer-parts.ts";

/** The pieces of a text that arrives so. */
function piecesOf(texts: readonly string[]): string[] {
  const cutter = new SpokenPieces();
  return [...texts.flatMap((text) => cutter.add(text)), ...cutter.end()];
}

/** The pieces of a text that arrives word by word. */
const pieces = (text: string): string[] => piecesOf(text.match(/\s*\S+/g) ?? []);

test.each([
  ["The chair costs 480 euros. ", "Do you want it? ", "It is green!"],
  ["It is 3.5 m wide, says Dr. Berg of J. Alder, e.g. in No. 5 Lane. ", "Good."],
  ["1. Choose a wool. ", "2. Call us."],
  ["Wir öffnen am 3. Mai um 9 Uhr. ", "Fragen Sie Fr. Müller."],
  ["The U.S. Army store opens at 9 a.m. Monday. ", "Come by."],
  ["Hable con la Sra. García. ", "Gracias."],
  ["의자는 480유로입니다. ", "배송은 무료입니다."],
])("each sentence is a piece; numbers, dates, abbreviations and initials end none: %s%s", (...sentences) => {
  expect(pieces(sentences.join(""))).toEqual(sentences);
});

test("sentences of Japanese and Chinese are pieces", () => {
  const sentences = ["椅子は480ユーロです。", "配送は無料です。"];
  expect(piecesOf([sentences.join("")])).toEqual(sentences);
});

test("a long first sentence is split at a clause before it is complete; later ones are not split", () => {
  const cutter = new SpokenPieces();
  const first = "The reading chair is what most people take for a small room, because it is really only ";
  expect(cutter.add(first)).toEqual(["The reading chair is what most people take for a small room, "]);
  const second = "68 centimetres wide. It comes in three wools, which are green, grey and rust, and in oak. ";
  expect(cutter.add(`${second}Yes`)).toEqual([
    "because it is really only 68 centimetres wide. ",
    "It comes in three wools, which are green, grey and rust, and in oak. ",
  ]);
});

const sendBack = "You can send everything back within 60 days, and we collect it from your home for free.";
test.each([
  ["is cut after a clause", sendBack, 45],
  [
    "is cut at a comma that is not part of a list",
    "The Hazel desk costs 560 euros, is 110 centimetres wide and has a hidden drawer.",
    32,
  ],
  [
    "is cut before a conjunction",
    "The showroom is open Monday to Friday from 10 to 18 and on Saturday from 10 to 14.",
    52,
  ],
  ["that is short stays whole", "The Alder reading chair costs 480 euros.", null],
  [
    "that is a list stays whole",
    "We deliver to Austria, Germany, Italy, Slovenia, and Switzerland too.",
    null,
  ],
  [
    "whose parts would sound cut off stays whole",
    "It costs 480 euros, and that is all you pay for it now.",
    null,
  ],
])("a first sentence %s", (_what, sentence, at) => {
  const cut = at === null ? [sentence] : [sentence.slice(0, at), sentence.slice(at)];
  expect(speakingPieces([sentence])).toEqual(cut);
});

test("only the first sentence is split, and the joined pieces are the sentences", () => {
  const second =
    "Furniture that was made to your own measurements cannot be sent back, because nobody else needs it.";
  const found = speakingPieces([sendBack, second]);
  expect(found).toHaveLength(3);
  expect(found.join("")).toBe(`${sendBack} ${second}`);
});

test("a sentence that does not end is split", () => {
  const found = pieces("and then ".repeat(200));
  expect(found.length).toBeGreaterThan(3);
  expect(Math.max(...found.map(({ length }) => length))).toBeLessThanOrEqual(420);
});

test("the joined pieces are the text, however it arrives", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 300 }), { maxLength: 30 }), (texts) => {
      const found = piecesOf(texts);
      expect(found.join("")).toBe(texts.join(""));
      expect(found).not.toContain("");
    }),
  );
});

async function* answering(...events: LlmStreamEvent[]): AsyncGenerator<LlmStreamEvent> {
  for (const event of events) yield await Promise.resolve(event);
}

test("a text that has begun is sent before a tool call or an error", async () => {
  const fault: LlmStreamEvent = { status: "error", reason: "Gone." };
  const call: LlmStreamEvent = {
    ...{ status: "success", type: "tool_call", role: "assistant", content: "", tool_calls: [] },
  };
  const answer = answering(said("Let me "), said("look"), call, said("It is"), fault);
  const events = [said("Let me look"), call, said("It is"), fault];
  expect(await eventsOf(spokenEvents(answer))).toEqual(events);
});

test("an answer that comes as one event is split in turns, without looking through its rest for each piece", async () => {
  const text = "A b c. ".repeat(30_000);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(textOf(await eventsOf(spokenEvents(answering(said(text)))))).toBe(text);
  isOver = true;
  expect(turns).toBeGreaterThan(10);
});
