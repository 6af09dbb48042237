import { expect, test } from "vitest";
import { readableText } from "../../../../../src/service/speech/engines/sherpa/sherpa-recognizer.ts";

test.each([
  [" HOW ARE YOU ", "How are you"],
  ["WHAT DO I PAY WHEN I'M HERE", "What do I pay when I'm here"],
  ["'TWAS LATE", "'Twas late"],
  ["ÜBER DIE STRASSE", "Über die strasse"],
])("text in capitals is written with small letters: %s", (recognized, text) => {
  expect(readableText(recognized)).toBe(text);
});

test.each(["How are you?", "I", "의자가 얼마예요", "", "2 4 1", "Is it a PDF"])(
  "other text stays as it is: %s",
  (text) => {
    expect(readableText(text)).toBe(text);
  },
);
