import { expect, test } from "../support/test.ts";
import { recordEvents, seenEvents } from "../support/page-records.ts";
import { useSite } from "../support/served-site.ts";
import { ask, openAvatar, panelText, untilSpoken } from "../support/talk.ts";
import { says, startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";

const served = useSite();
let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served);
});

test.afterAll(() => model.close());

test("an answer is spoken as a person would read it, and its captions say the same", async ({ page }) => {
  await recordEvents(page);
  await openAvatar(page, served.site.origin);
  model.answer = says(
    "It is **in stock**. See [our page](https://shop.example/x) ",
    "or https://shop.example/y_z.\n\n| Size | Price |\n|---|---|\n| Small | 10 euros |\n",
  );
  await untilSpoken(page);
  await ask(page, "Is it in stock?");
  await untilSpoken(page);
  const captions = (await seenEvents(page)).filter(({ type }) => type === "visavis-caption");
  const said = [...new Set(captions.map(({ detail }) => (detail as { text: string }).text))].join(" ");
  expect(said).toContain("It is in stock. See our page or: the link is in the text.");
  expect(said).toContain("Small: Price 10 euros");
  expect(said).not.toMatch(/[*|]|https|\]\(/);
  expect(await panelText(page)).not.toMatch(/\*\*|shop\.example\/x/);
});
