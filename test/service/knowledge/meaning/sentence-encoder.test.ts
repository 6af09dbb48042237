import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { SentenceEncoder } from "../../../../src/service/knowledge/meaning/sentence-encoder.ts";
import { asBytes, cosine } from "../../../../src/service/knowledge/meaning/vectors.ts";

const file = fileURLToPath(
  new URL("../../../../src/service/knowledge/meaning/english-encoder.bin", import.meta.url),
);
const encoder = new SentenceEncoder(readFileSync(file));
const alike = (one: string, other: string): number =>
  cosine(asBytes(encoder.encode(one)), asBytes(encoder.encode(other)));

describe("the cosine of two sentences is that of the model with its original weights", () => {
  test.each([
    ["Can I bring my dog?", "Pets are welcome in all rooms.", 0.516],
    ["How much does delivery cost?", "Shipping is 5 euros.", 0.447],
    [
      "When do you open?",
      "The museum has a café in the old boiler house, and nobody needs a ticket to sit there.",
      0.11,
    ],
    // Characters that its vocabulary does not have.
    ["Übergrößen — “café” №5?", "Do you have large sizes?", 0.108],
  ])("%j and %j", (one, other, cosineOfModel) => {
    expect(Math.abs(alike(one, other) - cosineOfModel)).toBeLessThan(0.02);
  });
});

test("letters in upper case change nothing, and a sentence is what it is", () => {
  expect(alike("DO YOU DELIVER?", "do you deliver?")).toBeCloseTo(1, 1);
});

test("of a long text, the beginning is read", () => {
  const vector = encoder.encode("We deliver to every town of the county. ".repeat(500));
  expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
});
