import fc from "fast-check";
import { expect, test } from "vitest";
import type { LlmStreamEvent } from "../../../../src/protocol/answers/llm-stream.ts";
import { SpokenPieces, spokenEvents } from "../../../../src/service/language/streaming/spoken-stream.ts";

/** The pieces of a text that arrives word by word. */
function pieces(text: string): string[] {
  const cutter = new SpokenPieces();
  const found = (text.match(/\s*\S+/g) ?? []).flatMap((word) => cutter.add(word));
  return [...found, ...cutter.end()];
}

test("each sentence is a piece", () => {
  expect(pieces("The chair costs 480 euros. Do you want it? It is green!")).toEqual([
    "The chair costs 480 euros. ",
    "Do you want it? ",
    "It is green!",
  ]);
});

test("numbers, abbreviations, initials and list numbers do not end a sentence", () => {
  expect(pieces("It is 3.5 m wide, says Dr. Berg of J. Alder, e.g. in No. 5 Lane. Good.")).toEqual([
    "It is 3.5 m wide, says Dr. Berg of J. Alder, e.g. in No. 5 Lane. ",
    "Good.",
  ]);
  expect(pieces("1. Choose a wool. 2. Call us.")).toEqual(["1. Choose a wool. ", "2. Call us."]);
});

test.each([
  ["Wir öffnen am 3. Mai um 9 Uhr. ", "Fragen Sie Fr. Müller."],
  ["The U.S. Army store opens at 9 a.m. Monday. ", "Come by."],
  ["Hable con la Sra. García. ", "Gracias."],
])("dates and abbreviations of the widget's languages do not end one: %s", (...sentences) => {
  expect(pieces(sentences.join(""))).toEqual(sentences);
});

test("sentences of Korean, Japanese and Chinese are pieces", () => {
  expect(pieces("의자는 480유로입니다. 배송은 무료입니다.")).toEqual([
    "의자는 480유로입니다. ",
    "배송은 무료입니다.",
  ]);
  const cutter = new SpokenPieces();
  expect([...cutter.add("椅子は480ユーロです。配送は無料です。"), ...cutter.end()]).toEqual([
    "椅子は480ユーロです。",
    "配送は無料です。",
  ]);
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

test("a sentence that does not end is split", () => {
  const found = pieces("and then ".repeat(200));
  expect(found.length).toBeGreaterThan(3);
  expect(Math.max(...found.map(({ length }) => length))).toBeLessThanOrEqual(420);
});

test("the joined pieces are the text, however it arrives", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 300 }), { maxLength: 30 }), (texts) => {
      const cutter = new SpokenPieces();
      const found = [...texts.flatMap((text) => cutter.add(text)), ...cutter.end()];
      expect(found.join("")).toBe(texts.join(""));
      expect(found).not.toContain("");
    }),
  );
});

test("a text that has begun is sent before a tool call or an error", async () => {
  const message = (content: string): LlmStreamEvent => ({
    status: "success",
    type: "message",
    role: "assistant",
    content,
  });
  const fault: LlmStreamEvent = { status: "error", reason: "Gone." };
  const call: LlmStreamEvent = {
    status: "success",
    type: "tool_call",
    role: "assistant",
    content: "",
    tool_calls: [],
  };
  async function* answer(): AsyncGenerator<LlmStreamEvent> {
    yield message("Let me ");
    yield message("look");
    yield call;
    yield message("It is");
    await Promise.resolve();
    yield fault;
  }
  const events: LlmStreamEvent[] = [];
  for await (const event of spokenEvents(answer())) events.push(event);
  expect(events).toEqual([message("Let me look"), call, message("It is"), fault]);
});

test("an answer that comes as one event is split in turns, without looking through its rest for each piece", async () => {
  const text = "A b c. ".repeat(30_000);
  async function* answer(): AsyncGenerator<LlmStreamEvent> {
    yield await Promise.resolve({
      status: "success" as const,
      type: "message" as const,
      role: "assistant" as const,
      content: text,
    });
  }
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  let said = "";
  for await (const event of spokenEvents(answer()))
    if (event.status === "success" && event.type === "message") said += event.content;
  isOver = true;
  expect(said).toBe(text);
  expect(turns).toBeGreaterThan(10);
});
