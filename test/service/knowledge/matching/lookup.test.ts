import { expect, test } from "vitest";
import { readQuestion } from "../../../../src/service/knowledge/matching/question.ts";
import { rankUnits } from "../../../../src/service/knowledge/matching/ranking.ts";
import { calibrations } from "../../../../src/service/knowledge/matching/trained-calibration.ts";
import { indexUnits } from "../../../../src/service/knowledge/matching/unit-index.ts";

const rooms = Array.from({ length: 400 }, (_, at) => `Room ${at + 1} on floor ${at % 7} sleeps two guests.`);
const text = [...rooms, "The sauna costs 12 euros an evening.", "Pay 5."].join("\n\n");
const index = await indexUnits([{ title: "Hotel", text }]);
const first = (content: string): string | undefined => {
  const question = readQuestion([{ role: "user", content }], index, { dayToday: 4, language: "en" });
  return question ? rankUnits(question, index, calibrations.words.weights)[0]?.unit.text : undefined;
};

test("one of hundreds of units is found by its words, also where all others share some or they are misspelled", () => {
  expect(first("How much is the sauna?")).toBe("The sauna costs 12 euros an evening.");
  expect(first("What does the souna cost in the evenning?")).toBe("The sauna costs 12 euros an evening.");
  expect(first("Tell me about room 399")).toBe("Room 399 on floor 6 sleeps two guests.");
});

test("units are found again in an answer that quotes them, short ones too", () => {
  const quoted = (answer: string) => [...index.lookup.quotedIn(answer)].map((id) => index.units[id]?.text);
  expect(quoted("I found this: The sauna costs 12 euros an evening. Pay 5.")).toEqual(
    expect.arrayContaining(["The sauna costs 12 euros an evening.", "Pay 5."]),
  );
  expect(quoted("The sauna costs 13 euros.")).toEqual([]);
  expect(quoted("")).toEqual([]);
});

test("units that state facts of several kinds are counted once", () => {
  const { stating } = index.lookup;
  expect(stating(new Set(["money"]))).toBe(1);
  const either = index.units.filter(({ facts }) => facts.has("money") || facts.has("measure")).length;
  expect(stating(new Set(["money", "measure"]))).toBe(either);
  expect(stating(new Set())).toBe(0);
});
