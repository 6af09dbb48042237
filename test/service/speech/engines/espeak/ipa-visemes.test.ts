import { expect, test } from "vitest";
import {
  espeakTimings,
  visemesOfIpa,
} from "../../../../../src/service/speech/engines/espeak/espeak-program.ts";

test.each([
  ["p", ["PP"]],
  ["tʃ", ["CH"]],
  ["t", ["DD"]],
  ["dʑ", ["CH"]],
  ["ˈoʊ", ["oh", "ou"]],
  ["ˈɔːɹ", ["oh", "RR"]],
  ["ɔ̃", ["oh"]],
  ["s-", ["SS"]],
  ["ɯ", ["ou"]],
  ["aa", ["aa"]],
  ["", []],
  ["ǃ", []],
])("%s has the shapes %j", (ipa, visemes) => {
  expect(visemesOfIpa(ipa)).toEqual(visemes);
});

test("a sound lasts until the next one, pauses are silent, and language switches have no sound", () => {
  const event = (type: string, text_position: number, audio_position: number, id?: string) => ({
    type,
    text_position,
    audio_position,
    ...(id !== undefined && { id }),
  });
  const events = [
    event("word", 1, 10),
    event("phoneme", 1, 10, "(en)"),
    event("phoneme", 1, 10, "m"),
    event("phoneme", 1, 60, "aɪ"),
    event("word", 6, 160),
    event("phoneme", 6, 160, "u"),
    event("phoneme", 8, 300, ""),
    event("end", 8, 310),
  ];
  const words = [
    { text: "my", start: 0 },
    { text: "😀", start: 3 },
    { text: "ou", start: 5 },
  ];
  expect(espeakTimings(events, words, 400)).toEqual({
    words: [
      { text: "my", start: 10, end: 160 },
      { text: "😀", start: 160, end: 160 },
      { text: "ou", start: 160, end: 300 },
    ],
    visemes: [
      { viseme: "sil", start: 0, end: 10 },
      { viseme: "PP", start: 10, end: 60 },
      { viseme: "aa", start: 60, end: 110 },
      { viseme: "ih", start: 110, end: 160 },
      { viseme: "ou", start: 160, end: 300 },
      { viseme: "sil", start: 300, end: 400 },
    ],
  });
  expect(espeakTimings([], [], 50)).toEqual({ words: [], visemes: [{ viseme: "sil", start: 0, end: 50 }] });
});
