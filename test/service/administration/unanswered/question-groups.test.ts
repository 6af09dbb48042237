import { expect, test } from "vitest";
import { groupQuestions } from "../../../../src/service/administration/unanswered/question-groups.ts";

/** The groups of some questions to one avatar. */
const groups = (...texts: string[]): string[][] =>
  groupQuestions(texts.map((text) => ({ contextUuid: "mara", text }))).map((group) =>
    group.map(({ text }) => text),
  );

test("questions with the same words in other forms or order mean the same", () => {
  const same = [
    "Do you deliver to Croatia?",
    "do you DELIVER to croatia",
    "Delivery to Croatia, please",
    "Can you ship to Croatia?",
  ];
  expect(groups(...same)).toEqual([same]);
  expect(groups("Is there a mattress?", "Is there a matress?")).toHaveLength(1);
});

test("questions about different things stay apart, and so do those to different avatars", () => {
  const apart = ["Do you deliver to Croatia?", "Do you deliver to Italy?", "Is the oak from Austria?"];
  expect(groups(...apart)).toHaveLength(3);
  const asked = ["mara", "tomas"].map((contextUuid) => ({ contextUuid, text: "Do you deliver?" }));
  expect(groupQuestions(asked)).toHaveLength(2);
});

test("a group grows by the wordings that it has", () => {
  const chain = [
    "Is the moss green wool free of mulesing?",
    "Is the green wool free of mulesing?",
    "Is wool free of mulesing?",
  ];
  expect(groups(...chain)).toEqual([chain]);
});

test("questions without a telling word, and of other scripts, are compared as they stand", () => {
  expect(groups("What is it?", "what is it", "And why?")).toEqual([
    ["What is it?", "what is it"],
    ["And why?"],
  ]);
  expect(groups("배송은 언제 와요?", "배송은 언제 와요", "가격이 얼마예요?")).toHaveLength(2);
});

test("thousands of questions are grouped without comparing all of them with all", () => {
  const words = (number: number) =>
    [1, 7, 49, 343].map((part) => `w${Math.floor(number / part) % 97}x`).join(" ");
  const texts = Array.from({ length: 3_000 }, (_, number) => words(number));
  expect(groups(...texts, ...texts).flat()).toHaveLength(6_000);
});
