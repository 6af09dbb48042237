import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { languageTags } from "../../src/languages/choose-language.ts";
import { attachmentTexts } from "../../src/widget/texts/attachment-texts.ts";
import { chromeTexts } from "../../src/widget/texts/chrome-texts.ts";
import { launcherTexts } from "../../src/widget/texts/launcher-texts.ts";
import { pageTexts } from "../../src/widget/texts/page-texts.ts";
import { personTexts } from "../../src/widget/texts/person-texts.ts";
import { richTexts } from "../../src/widget/texts/rich-texts.ts";
import { settingsTexts } from "../../src/widget/texts/settings-texts.ts";
import { transcriptTexts } from "../../src/widget/texts/transcript-texts.ts";
import { voiceTexts } from "../../src/widget/texts/voice-texts.ts";
import { englishTexts } from "../../src/widget/texts/texts.ts";

const english: Record<string, string> = {
  ...englishTexts,
  ...attachmentTexts,
  ...launcherTexts,
  ...chromeTexts,
  ...pageTexts,
  ...personTexts,
  ...richTexts,
  ...settingsTexts,
  ...transcriptTexts,
  ...voiceTexts,
};
const tags = readdirSync("src/languages")
  .map((name) => name.replace(/\.ts$/, ""))
  .filter((name) => name !== "choose-language");

const braces = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

it("there is a file for each language, and for no other", () => {
  expect(["en", ...tags].toSorted()).toEqual([...languageTags].toSorted());
});

describe.each(tags)("the texts of %s", async (tag) => {
  const { texts } = (await import(`../../src/languages/${tag}.ts`)) as { texts: Record<string, string> };

  it("are those of English", () => {
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(english).toSorted());
  });

  it("have the same braces as the English ones", () => {
    for (const [key, text] of Object.entries(texts))
      expect([key, braces(text)]).toEqual([key, braces(english[key] ?? "")]);
  });

  it("are not empty, have no white space at their ends, and no control characters", () => {
    for (const [key, text] of Object.entries(texts)) {
      expect([key, text.trim()]).toEqual([key, text]);
      expect([key, /^[^\p{Cc}]+$/u.test(text)]).toEqual([key, true]);
    }
  });
});
