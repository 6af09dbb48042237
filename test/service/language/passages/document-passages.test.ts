import { describe, expect, test } from "vitest";
import type { ChatMessage } from "../../../../src/protocol/llm-request.ts";
import type { LanguageModel, Turn } from "../../../../src/service/language/language-model.ts";
import { documentPassages, indexDocument } from "../../../../src/service/language/passages/document-index.ts";
import {
  documentsInPart,
  keepDocumentIndexes,
  withDocuments,
} from "../../../../src/service/language/passages/document-passages.ts";

const user = (content: string): ChatMessage[] => [{ role: "user", content }];
const x = (length: number): string => "x".repeat(length);

describe("the passages of a document", () => {
  test.each<[string, string[], string[]]>([
    ["join short paragraphs", [" one ", "two\nlines", "", "three"], ["one\n\ntwo\nlines\n\nthree"]],
    [
      "are at most 900 characters when they are joined",
      [x(449), x(449), x(1)],
      [`${x(449)}\n\n${x(449)}`, x(1)],
    ],
    ["are not joined where they would be longer", [x(449), x(450)], [x(449), x(450)]],
    ["keep a paragraph of 900 characters whole", [x(900)], [x(900)]],
    ["cut a sentence that is longer", [x(1_900)], [x(900), x(900), x(100)]],
    ["end with sentences where they can", [`X${x(499)}. X${x(499)}.`], [`X${x(499)}.`, `X${x(499)}.`]],
    [
      "fill up with sentences that fit",
      [`X${x(97)}. `.repeat(18)],
      [`X${x(97)}. `.repeat(9).trim(), `X${x(97)}. `.repeat(9).trim()],
    ],
  ])("%s", (_, paragraphs, passages) => {
    expect(documentPassages(paragraphs.join("\n\n"))).toEqual(passages);
    expect(documentPassages(paragraphs.join("\r\n \t\r\n"))).toEqual(passages);
  });

  test("are none of an empty text", () => {
    expect(documentPassages(" \n\n \n ")).toEqual([]);
  });
});

describe("the index of a document", () => {
  const paragraph = (text: string): string => `${text} ${"and so on ".repeat(80)}`;
  const text = ["The guarantee lasts ten years.", "Delivery is free in Austria.", "The desk is brown."]
    .map(paragraph)
    .join("\n\n");
  const found = async (...messages: ChatMessage[][]) =>
    (await indexDocument(text)).find(messages.flat()).map((passage) => passage.text.slice(0, 12));

  test("finds what is asked, by its meaning, its beginning and with a mistake", async () => {
    expect(await found(user("delivery"))).toEqual(["Delivery is "]);
    expect(await found(user("warranty"))).toEqual(["The guarante"]);
    expect(await found(user("Austr"))).toEqual(["Delivery is "]);
    expect(await found(user("Austrie"))).toEqual(["Delivery is "]);
    expect(await found(user("bro"))).toEqual([]);
    expect(await found(user("brwn"))).toEqual([]);
    expect(await found(user("sofa"))).toEqual([]);
    expect(await found()).toEqual([]);
  });

  test("puts what is asked before what was spoken about", async () => {
    const history: ChatMessage[] = [
      ...user("What about the guarantee?"),
      { role: "assistant", content: "Ten years." },
    ];
    expect(await found(history, user("Is delivery free?"))).toEqual(["Delivery is ", "The guarante"]);
    expect(await found(history, user("And it?"))).toEqual(["The guarante"]);
  });

  test("is kept for the same text", async () => {
    const indexOf = keepDocumentIndexes();
    expect(indexOf(text)).toBe(indexOf(text));
    expect(indexOf("other")).not.toBe(indexOf(text));
    expect((await indexOf(text)).find(user("desk"))).toHaveLength(1);
  });
});

describe("documents in a prompt", () => {
  const scored = (passages: Record<string, [string, number][]>) => (text: string) =>
    Promise.resolve({ find: () => (passages[text] ?? []).map(([of, score]) => ({ text: of, score })) });
  const part = (documents: string[] | undefined, maxCharacters: number, passages = {}) =>
    documentsInPart(
      { messages: user("?"), ...(documents && { documents }) },
      scored(passages),
      maxCharacters,
    );

  test("are whole where they fit together", async () => {
    expect(await part([" one ", "", "two"], 8)).toEqual([
      { document: 0, text: "one" },
      { document: 2, text: "two" },
    ]);
    expect(await part(undefined, 8)).toEqual([]);
  });

  test("are otherwise the best passages of all, as many as fit", async () => {
    const passages = {
      one: [
        ["aaaa", 1],
        ["bbb", 5],
      ] as [string, number][],
      twotwo: [["cc", 3]] as [string, number][],
    };
    expect(await part(["one", "twotwo"], 8, passages)).toEqual([
      { document: 0, text: "bbb" },
      { document: 1, text: "cc" },
    ]);
    expect(await part(["one", "twotwo", "more than enough"], 9, passages)).toEqual([
      { document: 0, text: "bbb" },
      { document: 1, text: "cc" },
      { document: 0, text: "aaaa" },
    ]);
    expect(await part(["one", "twotwo"], 4, passages)).toEqual([{ document: 0, text: "bbb" }]);
  });

  test("follow the instructions, where there are any", async () => {
    const prompts: string[] = [];
    const model: LanguageModel = {
      // eslint-disable-next-line @typescript-eslint/require-await -- answers nothing
      async *answer(turn) {
        prompts.push(turn.systemPrompt);
        yield { status: "success", type: "message", role: "assistant", content: turn.messages[0]!.content };
      },
    };
    const ask = async (documents: string[]) => {
      const contents: string[] = [];
      const turn: Turn = { messages: user("?"), tools: [], systemPrompt: "Be kind.", documents };
      for await (const event of withDocuments(model, keepDocumentIndexes()).answer(turn))
        if (event.status === "success") contents.push(event.content);
      return contents;
    };
    expect(await ask(["One.", "Two."])).toEqual(["?"]);
    await ask([]);
    expect(prompts).toEqual([
      "Be kind.\n\nPassages from the documents you were given:\n\nOne.\n\nTwo.",
      "Be kind.",
    ]);
  });
});
