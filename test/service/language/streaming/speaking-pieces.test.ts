import { expect, test } from "vitest";
import { speakingPieces } from "../../../../src/service/language/streaming/spoken-stream.ts";

test.each([
  [
    "after a clause",
    "You can send everything back within 60 days, and we collect it from your home for free.",
    45,
  ],
  [
    "at a comma that is not part of a list",
    "The Hazel desk costs 560 euros, is 110 centimetres wide and has a hidden drawer.",
    32,
  ],
  [
    "before a conjunction",
    "The showroom is open Monday to Friday from 10 to 18 and on Saturday from 10 to 14.",
    52,
  ],
])("a long first sentence is cut %s", (_place, sentence, at) => {
  expect(speakingPieces([sentence])).toEqual([sentence.slice(0, at), sentence.slice(at)]);
});

test.each([
  ["a short one", "The Alder reading chair costs 480 euros."],
  ["a list", "We deliver to Austria, Germany, Italy, Slovenia, and Switzerland too."],
  ["one whose parts would sound cut off", "It costs 480 euros, and that is all you pay for it now."],
])("%s stays whole", (_kind, sentence) => {
  expect(speakingPieces([sentence])).toEqual([sentence]);
});

test("only the first sentence is split, and the joined pieces are the sentences", () => {
  const sentences = [
    "You can send everything back within 60 days, and we collect it from your home for free.",
    "Furniture that was made to your own measurements cannot be sent back, because nobody else needs it.",
  ];
  const pieces = speakingPieces(sentences);
  expect(pieces).toHaveLength(3);
  expect(pieces.join("")).toBe(sentences.join(" "));
});
