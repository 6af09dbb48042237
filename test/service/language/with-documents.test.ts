import { expect, test } from "vitest";
import { keepUnitIndexes } from "../../../src/service/knowledge/matching/unit-index.ts";
import type { LanguageModel, Turn } from "../../../src/service/language/language-model.ts";
import { withDocuments } from "../../../src/service/language/create-language-models.ts";

/** The system prompt that a model gets with these documents. */
async function promptWith(documents: NonNullable<Turn["documents"]>, content = "?"): Promise<string> {
  const prompts: string[] = [];
  const model: LanguageModel = {
    // oxlint-disable-next-line typescript/require-await -- answers nothing
    async *answer(turn) {
      prompts.push(turn.systemPrompt);
      yield { status: "success", type: "message", role: "assistant", content: "Yes." };
    },
  };
  const turn: Turn = {
    messages: [{ role: "user", content }],
    tools: [],
    systemPrompt: "Be kind.",
    documents,
  };
  for await (const _event of withDocuments(model, keepUnitIndexes()).answer(turn)) continue;
  return prompts.join();
}

test("short documents are whole in the prompt, with their titles, after the instructions", async () => {
  expect(
    await promptWith([
      { title: "Prices", text: " One. " },
      { title: "", text: "Two." },
      { title: "", text: "" },
    ]),
  ).toBe("Be kind.\n\nPassages from the documents you were given:\n\nPrices\n\nOne.\n\nTwo.");
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
  const prompt = await promptWith([{ title: "Alder Home", text }], "Do you have a desk?");
  expect(prompt).toContain("Alder Home > Questions > Do you sell desks?\nYes, brown ones.");
  expect(prompt.length).toBeLessThan(6_200);
  expect(await promptWith([{ title: "Alder Home", text }], "Is delivery free?")).toContain(
    "Alder Home > Delivery\nIt is free in Austria.",
  );
});
