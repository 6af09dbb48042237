import { expect, test, type Page } from "../support/test.ts";
import { refuses, says } from "../support/scripted-model.ts";
import { pageProblems, signIn, useConsole } from "./console-fixture.ts";
import { startProvider, type Provider } from "./provider.ts";

const secret = "sk-canary-never-shown";
/** Engines of the shared server are everybody's: a name that nothing else has. */
const houseModel = `House model ${Date.now()}`;

const console_ = useConsole();
let provider: Provider;

test.beforeAll(async () => {
  provider = await startProvider(secret);
});

test.afterAll(() => provider.close());

const card = (page: Page, name: string) => page.getByRole("article", { name, exact: true });

async function fillNew(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Another address of the OpenAI protocol").check();
  await dialog.getByLabel("Address", { exact: true }).fill(provider.address);
  await dialog.getByLabel("Key", { exact: true }).fill(secret);
  await dialog
    .getByRole("textbox", { name: "Model" })
    .or(dialog.getByRole("combobox", { name: "Model" }))
    .fill("large");
  await dialog.getByLabel("Name", { exact: true }).fill(name);
}

test("a language model is added with a key that is never shown again, tested, changed and removed", async ({
  page,
}) => {
  const problems = pageProblems(page);
  await signIn(page, console_.server, "/engines");
  await page.getByRole("link", { name: "Add an engine" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a language model" });
  await dialog.getByLabel("Another address of the OpenAI protocol").check();
  await dialog.getByLabel("Address", { exact: true }).fill(provider.address);
  await dialog.getByLabel("Key", { exact: true }).fill("not this one");
  await dialog.getByRole("button", { name: "Find models" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("The address answers, but refuses the key.");
  await expect(dialog.getByLabel("Address", { exact: true })).toHaveValue(provider.address);
  await fillNew(page, houseModel);
  await dialog.getByRole("button", { name: "Find models" }).click();
  await expect(dialog.getByText("2 found at this address.")).toBeVisible();
  await dialog.getByRole("button", { name: "Add and test" }).click();
  const saved = page.getByRole("dialog", { name: `Change ${houseModel}` });
  await expect(saved.getByRole("status")).toContainText("“Good afternoon.” after");
  await saved.getByRole("button", { name: "Close" }).click();
  await expect(card(page, houseModel)).toContainText("Working");
  await expect(card(page, houseModel)).toContainText("Not used yet.");

  await page.reload();
  await expect(card(page, houseModel)).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  await card(page, houseModel)
    .getByRole("button", { name: `More about ${houseModel}` })
    .click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  await expect(saved.getByLabel("Where its key comes from")).toHaveValue("keep");
  await expect(saved.getByLabel("Key", { exact: true })).toHaveCount(0);
  await saved.getByText("More settings").click();
  await saved.getByLabel("Longest wait, in seconds").fill("120");
  await saved.getByLabel("Temperature").fill("9");
  await saved.getByRole("button", { name: "Save and test" }).click();
  await expect(saved.getByRole("alert")).toContainText("2");
  await saved.getByLabel("Temperature").fill("0,5");
  await saved.getByLabel("Price of a million tokens that it reads").fill("3");
  provider.answer = refuses(500);
  await saved.getByRole("button", { name: "Save and test" }).click();
  await expect(saved.getByRole("status")).toContainText("500");
  provider.answer = says("Good afternoon.");
  await saved.getByRole("button", { name: "Close" }).click();
  await expect(card(page, houseModel)).toContainText("Not answering since");
  await card(page, houseModel)
    .getByRole("button", { name: `More about ${houseModel}` })
    .click();
  // Escape closes a form in which nothing was typed.
  await page.getByRole("menuitem", { name: "Change" }).click();
  await expect(saved.getByLabel("Temperature")).toHaveValue("0.5");
  await page.keyboard.press("Escape");
  await expect(saved).toHaveCount(0);
  await card(page, houseModel).getByRole("button", { name: "Test again" }).click();
  await expect(card(page, houseModel)).toContainText("Working");

  await card(page, houseModel)
    .getByRole("button", { name: `More about ${houseModel}` })
    .click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(card(page, houseModel)).toHaveCount(0);
  expect(problems).toEqual([]);
});
