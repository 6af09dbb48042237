import fc from "fast-check";
import { expect, test } from "vitest";
import { sentencesIn } from "../../src/protocol/sentences.ts";

const one = (text: string) => [text];

test.each([
  // German
  ["Wir öffnen am 3. Mai um 9 Uhr.", one],
  ["Das Büro ist im 2. Stock links.", one],
  ["Freitag, 3. Oktober ist geschlossen.", one],
  ["Vom 1. bis 15. August sind wir zu.", one],
  ["Der Preis ist 20 € inkl. Versand und ca. 5 Mrd. Teile.", one],
  ["Das sind z. B. Stühle, d.h. Möbel von Fr. Müller.", one],
  ["Mo. bis Fr. von 9 bis 18 Uhr.", one],
  // Spanish, Portuguese, French, Italian
  ["Hable con la Sra. García o el Dr. López.", one],
  ["Estamos en la Avda. Colón, p. ej. cerca de EE. UU.", one],
  ["Fale com a Sra. Souza, aprox. Rua Azul.", one],
  ["Demandez à Mme Dupont ou à M. Martin, env. 5 Bd. Voltaire.", one],
  ["Chieda al Sig. Rossi o alla Dott.ssa Bianchi, p. es. Domani.", one],
  // English
  ["The U.S. Army store opens at 9 a.m. on weekdays.", one],
  ["It opens at 9 a.m. Monday to Friday.", one],
  ["It closes at 5 p.m. EST every day.", one],
  ["Ask for No. 5 and J. R. Alder.", one],
  // Korean and Arabic
  ["2026. 5. 3. 일요일에 엽니다.", one],
  ["اسأل عن د. أحمد اليوم.", one],
])("%s is one sentence", (text, whole) => {
  expect(sentencesIn(text)).toEqual(whole(text));
});

test.each<[string[]]>([
  [["We open at 9 a.m. ", "We close at 5 p.m. ", "Come by."]],
  [["We ship to the U.S. ", "The price is the same."]],
  [["No. ", "We are closed."]],
  [["It costs 480. ", "We deliver free."]],
  [["I am 30. ", "You are older."]],
  [["We have chairs, lamps, etc. ", "All are oak."]],
  [["Wir haben Stühle, Lampen usw. ", "Alle sind aus Eiche."]],
  [["Das kostet 20. ", "Wir liefern."]],
  [["Das war's. ", "Kommen Sie am 3. Mai. ", "Danke."]],
  [["椅子は480ユーロです。", "配送は無料です。"]],
  [["의자는 480유로입니다. ", "배송은 무료입니다."]],
  [["Open? ", "Yes! ", "Come."]],
])("%j are sentences", (sentences) => {
  expect(sentencesIn(sentences.join(""))).toEqual(sentences);
});

test("the joined sentences are the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      expect(sentencesIn(text).join("")).toBe(text);
    }),
  );
});
