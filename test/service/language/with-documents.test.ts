import { expect, test } from "vitest";
import { keepUnitIndexes } from "../../../src/service/knowledge/matching/unit-index.ts";
import { withDocuments } from "../../../src/service/language/create-language-models.ts";
import type { LanguageModel, Turn } from "../../../src/service/language/language-model.ts";
import { eventsOf, said } from "./answer-parts.ts";

/** The system prompt that a model gets with these documents. */
async function promptWith(documents: NonNullable<Turn["documents"]>, content = "?"): Promise<string> {
  const prompts: string[] = [];
  const model: LanguageModel = {
    // oxlint-disable-next-line typescript/require-await -- answers nothing
    async *answer(turn) {
      prompts.push(turn.systemPrompt);
      yield said("Yes.");
    },
  };
  const messages = [{ role: "user" as const, content }];
  const turn: Turn = { messages, tools: [], systemPrompt: "Be kind.", documents };
  await eventsOf(withDocuments(model, keepUnitIndexes()).answer(turn));
  return prompts.join();
}

test("short documents are whole in the prompt, with their titles, after the instructions", async () => {
  const documents = [
    { title: "Prices", text: " One. " },
    { title: "", text: "Two." },
    { title: "", text: "" },
  ];
  const head = "Be kind.\n\nPassages from the documents you were given:\n\n";
  expect(await promptWith(documents)).toBe(`${head}Prices\n\nOne.\n\nTwo.`);
  expect(await promptWith([])).toBe("Be kind.");
});

test("of long documents a prompt has the passages that match, with the headings above them", async () => {
  const section = (name: string, says: string) =>
    `## ${name}\n${says} ${"And so it goes on here. ".repeat(150)}`;
  const text = [
    section("Guarantee", "It lasts ten years."),
    section("Delivery", "It is free in Austria."),
    "## Questions\n### Do you sell desks?\nYes, brown ones.",
  ].join("\n\n");
  const documents = [{ title: "Alder Home", text }];
  const prompt = await promptWith(documents, "Do you have a desk?");
  expect(prompt).toContain("Alder Home > Questions > Do you sell desks?\nYes, brown ones.");
  expect(prompt.length).toBeLessThan(6_200);
  const delivery = "Alder Home > Delivery\nIt is free in Austria.";
  expect(await promptWith(documents, "Is delivery free?")).toContain(delivery);
});
