import { expect, test } from "vitest";
import { partsOfMessage } from "../../../../src/service/knowledge/answering/message-parts.ts";

test.each([
  ["When are you open, and can I park there?", ["When are you open", "can I park there?"]],
  ["Wo kann ich parken und ist das Haus barrierefrei?", ["Wo kann ich parken", "ist das Haus barrierefrei?"]],
  ["¿Cuándo abren y hay que pagar?", ["¿Cuándo abren", "hay que pagar?"]],
  ["Où êtes-vous et avez-vous un parking ?", ["Où êtes-vous", "avez-vous un parking ?"]],
  ["커트는 얼마이고 주차할 곳이 있나요?", ["커트는 얼마이고", "주차할 곳이 있나요?"]],
])("%s has two questions", (text, parts) => {
  expect(partsOfMessage(text)).toEqual(parts);
});

test.each([
  "Do you have salt and pepper?",
  "Habt ihr Äpfel und Birnen?",
  "주차하고 싶어요",
  "How much is it?",
])("%s has one", (text) => {
  expect(partsOfMessage(text)).toEqual([]);
});
