import { expect, test } from "vitest";
import { withAssistantTexts } from "../../../src/relay/contexts/public-context.ts";
import { texts as pageTexts } from "../../../src/languages/de.ts";

const porthole = "characters/photos/13cf9abe-ed57-4f55-b601-d12eccf50167/porthole.webp";
const own = { ai_assistant: "Anna herself", dialog: "{name}", greeting_hint: "Hi" };

test("an owner cannot replace the words by which a person's face says that it is an AI assistant", () => {
  expect(withAssistantTexts({ texts: own, theme: "dark" }, { porthole })).toEqual({
    texts: { greeting_hint: "Hi" },
    theme: "dark",
  });
});

test("texts of drawn characters, and a page without own texts, stay as they are", () => {
  const drawn = { porthole: "characters/mina-porthole.webp" };
  expect(withAssistantTexts({ texts: own }, drawn)).toEqual({ texts: own });
  expect(withAssistantTexts({}, { porthole })).toEqual({});
});

test("every text that says so is known", () => {
  const saying = Object.entries(pageTexts)
    .filter(([, text]) => text.includes(pageTexts.ai_assistant))
    .map(([key]) => key);
  expect(saying.length).toBeGreaterThan(1);
  const texts = Object.fromEntries(saying.map((key) => [key, "replaced"]));
  expect(withAssistantTexts({ texts }, { porthole }).texts).toEqual({});
});
