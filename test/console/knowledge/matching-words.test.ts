import { expect, test } from "vitest";
import { markedPieces } from "../../../src/console/knowledge/matching-words.ts";

const marked = (passage: string, question: string): string[] =>
  markedPieces(passage, question)
    .filter(({ isMatch }) => isMatch)
    .map(({ text }) => text);

test("words of the question are marked in a passage, also in another form", () => {
  expect(marked("Delivery to Italy takes 12 days.", "How long does it take to deliver to italy?")).toEqual([
    "Delivery",
    "Italy",
  ]);
  expect(marked("It costs 12 euros.", "What do 12 cost?")).toEqual(["12"]);
  expect(marked("Wir öffnen um neun.", "Wann offnen Sie?")).toEqual(["öffnen"]);
});

test("the pieces together are the passage, whatever is in it", () => {
  for (const passage of ["", "<b>Delivery</b> & more", "배송은 이틀 걸립니다."]) {
    const pieces = markedPieces(passage, "delivery 배송은");
    expect(pieces.map(({ text }) => text).join("")).toBe(passage);
  }
});
