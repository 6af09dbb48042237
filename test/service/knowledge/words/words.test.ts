import { describe, expect, test } from "vitest";
import { conceptsOf } from "../../../../src/service/knowledge/words/concepts.ts";
import { namesAddress, says } from "../../../../src/service/knowledge/words/facts.ts";
import { meantStem, meantWord } from "../../../../src/service/knowledge/words/spelling.ts";
import { textLanguage } from "../../../../src/service/knowledge/words/text-language.ts";
import { tokensOf } from "../../../../src/service/knowledge/words/tokens.ts";
import { daysIn, relativeDay } from "../../../../src/service/knowledge/words/weekdays.ts";

describe("forms of a word have one stem", () => {
  test.each([
    ["en", "deliver delivers delivered delivering"],
    ["en", "colour colours color"],
    ["de", "Häuser Haus"],
    ["es", "habitación habitaciones"],
    ["fr", "réservation réservations"],
    ["ko", "예약은 예약을 예약이"],
    ["ko", "일요일 일요일은요 일요일에는요"],
    ["ko", "차 차를 차는"],
    ["ko", "아이 아이는 아이를"],
  ] as const)("%s: %s", (language, words) => {
    expect(new Set(tokensOf(words, language).map(({ stem }) => stem)).size).toBe(1);
  });

  test.each(["하나요", "해 주세요", "누가", "얼마나"])(
    "Korean words that any question has are small: %s",
    (words) => {
      expect(tokensOf(words, "ko").every(({ isSmall }) => isSmall)).toBe(true);
    },
  );

  test("words of scripts without spaces are pairs of characters", () => {
    expect(tokensOf("配送料", "ja").map(({ stem }) => stem)).toEqual(["配送", "送料"]);
  });
});

describe("the language of a text", () => {
  test.each([
    ["Ab wann ist der Campingplatz im Frühjahr geöffnet?", "en", "de"],
    ["¿Cuánto cuesta la entrada para estudiantes?", "en", "es"],
    ["Are you open in the middle of August?", "fr", "en"],
    ["Quanto costa una camera?", "en", "it"],
    ["Não está aberto amanhã?", "en", "pt"],
    ["얼마예요?", "en", "ko"],
    ["いくらですか", "en", "ja"],
    ["多少钱", "en", "zh"],
    ["كم السعر", "en", "ar"],
    ["כמה זה עולה", "en", "he"],
    ["wifi", "de", "de"],
    ["", "es", "es"],
  ] as const)("%s", (text, usual, language) => {
    expect(textLanguage(text, usual)).toBe(language);
  });
});

describe("days of the week", () => {
  const sorted = (...call: Parameters<typeof daysIn>) => [...daysIn(...call)].sort().join("");
  test.each([
    ["Are you open on Saturday?", "6"],
    ["Mon-Fri 9-18", "12345"],
    ["Montag bis Mittwoch", "123"],
    ["de lunes a viernes", "12345"],
    ["du mardi au jeudi", "234"],
    ["월요일은 쉽니다", "1"],
    ["at the weekend", "06"],
    ["täglich", "0123456"],
    ["so do I", ""],
  ])("in %j", (text, days) => {
    expect(sorted(text)).toBe(days);
  });

  test("by short names in lines of hours alone", () => {
    expect(sorted("Mo, Di, Do 15–18 Uhr", { short: true })).toBe("124");
    expect(sorted("화~금 10:00-20:00", { short: true })).toBe("2345");
  });

  test.each([
    ["Are you open tomorrow?", 5],
    ["Habt ihr morgen auf?", 5],
    ["¿Abren pasado mañana?", 6],
    ["aujourd'hui", 4],
    ["내일", 5],
    ["Guten Morgen", null],
    ["por la mañana", null],
    ["on Monday", null],
  ])("said from today: %j", (text, day) => {
    expect(relativeDay(text, 4)).toBe(day);
  });
});

describe("typing errors", () => {
  const known = ["chain", "certificate", "delivery", "desk", "price"];
  test.each([
    ["chian", "chain"],
    ["certifcate", "certificate"],
    ["delivry", "delivery"],
    ["dsk", null],
    ["peace", null],
    ["1234", null],
  ])("the stem %s means %s", (stem, meant) => {
    expect(meantStem(stem, known)).toBe(meant);
  });
  test.each([
    ["reding", "reading"],
    ["adress", "address"],
    ["raedings", null],
    ["trail", null],
    ["kaution", "kauzion"],
    ["read", null],
  ])("the whole word %s means %s", (word, meant) => {
    expect(meantWord(word, ["reading", "address", "train", "kauzion"])).toBe(meant);
  });
});

test.each([
  ["costs £12", "money"],
  ["15,50 €", "money"],
  ["28,000원", "money"],
  ["from 9.00", "time"],
  ["ab 17 Uhr", "time"],
  ["takes three days", "duration"],
  ["Lendplatz 12", "place"],
  ["hello@a.example", "contact"],
  ["0316 555 0142", "contact"],
  ["60 cm wide", "measure"],
] as const)("%s says a fact: %s", (text, kind) => {
  expect(says(kind, text)).toBe(true);
});

test("words of one idea have one concept, in each language", () => {
  const priced = (text: string, language: "en" | "de" | "es" | "fr" | "ko") =>
    conceptsOf(text, language).has("price");
  expect(priced("How expensive is it?", "en")).toBe(true);
  expect(priced("Was kostet das?", "de")).toBe(true);
  expect(priced("얼마예요?", "ko")).toBe(true);
  expect(priced("Where are you?", "en")).toBe(false);
});

test.each([
  ["Our showroom is at Lendplatz 12.", true],
  ["Hauptstraße 5, 8010 Graz", true],
  ["12 Old Mill Road", true],
  ["12, rue de la Paix", true],
  ["Calle de Alcalá 7", true],
  ["강남로 12", true],
  ["The desk can be folded up against the wall, where it is only 14 centimetres deep.", false],
  ["It needs 110 centimetres of floor.", false],
])("of %j it is %s that an address is named", (text, isNamed) => {
  expect(namesAddress(text)).toBe(isNamed);
});

test("a longer phrase means what it says, not what a part of it says: “얼마나 걸려요?” asks for no price", () => {
  expect([...conceptsOf("얼마나 걸려요?", "ko").keys()]).toEqual(["duration"]);
  expect(conceptsOf("얼마예요?", "ko").has("price")).toBe(true);
  expect([...conceptsOf("Il se garde combien de temps ?", "fr").keys()]).toEqual(["duration"]);
  expect(conceptsOf("Combien coûte-t-il ?", "fr").has("price")).toBe(true);
});
