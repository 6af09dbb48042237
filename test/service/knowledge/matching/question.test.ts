import { expect, test } from "vitest";
import { asRead, readQuestion } from "../../../../src/service/knowledge/matching/question.ts";
import { indexUnits } from "../../../../src/service/knowledge/matching/unit-index.ts";

test("of a long message its beginning and its end are read, short ones as they are", () => {
  const short = { role: "user", content: "What does the chair cost?" } as const;
  const long = {
    role: "user",
    content: `Hello. ${"word ".repeat(6_000)} What does the chair cost?`,
  } as const;
  const [first, second] = asRead([short, long]);
  expect(first).toBe(short);
  expect(second!.content.length).toBeLessThanOrEqual(1_501);
  expect(second!.content).toMatch(/^Hello\.[^]*What does the chair cost\?$/);
});

test("what goes on with the question before wants the same kind of fact, a question of its own does not", async () => {
  const index = await indexUnits([{ title: "Courses", text: "The small course costs 90 euros." }]);
  const wanted = (content: string) => {
    const messages = [
      { role: "user", content: "How much is the small course?" },
      { role: "assistant", content: "The small course costs 90 euros." },
      { role: "user", content },
    ] as const;
    return [...(readQuestion(messages, index, { dayToday: 4, language: "en" })?.wants ?? [])];
  };
  expect(wanted("And the advanced one?")).toContain("money");
  expect(wanted("What about the advanced one?")).toContain("money");
  expect(wanted("What is done in it?")).not.toContain("money");
});
