import { expect, test } from "../support/test.ts";
import { useServer } from "../support/served-site.ts";
import { readContext } from "../support/service-api.ts";
import { expectAccessibleInEachWidth, pageProblems, signIn } from "./console-fixture.ts";
import { converse, keepWords } from "./visitor.ts";

const console_ = useServer();
/** The list with the conversations of this file’s avatar alone. */
let address = "";

const attack = `<img src=x onerror="document.title='attacked'"> How much is the Birch chair?`;

test.beforeAll(async () => {
  address = `/conversations?avatar=${(await readContext(console_)).id}`;
  await converse(console_, ["Said before words were kept"]);
  await keepWords(console_, 14);
  await converse(console_, ["Is the wool free of mulesing?"], "down");
  await converse(console_, [attack], "up");
});

test("the list has what visitors asked first, and a conversation opens beside it", async ({ page }) => {
  const problems = pageProblems(page);
  await signIn(page, console_.server, address);
  await expect(page.getByText("What is said is kept for 14 days")).toBeVisible();
  const list = page.getByRole("navigation", { name: "Conversations" });
  await expect(list.getByRole("link")).toHaveCount(3);
  await expect(list).toContainText("1 question");
  await list.getByRole("link").filter({ hasText: "Birch" }).click();
  const detail = page.getByRole("article");
  await expect(detail.getByText(attack, { exact: true })).toBeVisible();
  await expect(detail.getByText("The visitor said that it helped.")).toBeVisible();
  await expect(detail).toContainText("ended by the visitor");
  await expect(detail.getByRole("img", { name: "Who spoke when" })).toBeVisible();
  expect(await page.locator("article img").count()).toBe(0);
  expect(await page.title()).not.toContain("attacked");
  expect(problems).toEqual([]);
});

test("filters narrow the list, stay in the address, and an empty result leads back to all", async ({
  page,
}) => {
  await signIn(page, console_.server, address);
  const list = page.getByRole("navigation", { name: "Conversations" });
  await page.getByRole("button", { name: "Did not help" }).click();
  await expect(list.getByRole("link")).toHaveCount(1);
  await expect(list).toContainText("mulesing");
  await page.reload();
  await expect(page.getByRole("button", { name: "Did not help" })).toHaveAttribute("aria-pressed", "true");
  await expect(list.getByRole("link")).toHaveCount(1);
  const search = page.getByRole("searchbox", { name: "Search what was said" });
  await search.fill("wool mulesing");
  await search.press("Enter");
  await expect(page).toHaveURL(/search=wool/);
  await expect(list.getByRole("link")).toHaveCount(1);
  await search.fill("Birch");
  await search.press("Enter");
  await expect(page.getByRole("heading", { name: "No conversations found" })).toBeVisible();
  await page.getByRole("button", { name: "Did not help" }).click();
  await expect(list).toContainText("Birch");
  await page.getByRole("combobox", { name: "Ended" }).selectOption("error");
  await expect(page.getByRole("heading", { name: "No conversations found" })).toBeVisible();
  await page.getByRole("button", { name: "Show all conversations" }).click();
  await expect(list.getByRole("link").first()).toBeVisible();
  await expect(page).toHaveURL(/#\/conversations\?days=0$/);
});

test("a deleted conversation comes back with undo", async ({ page }) => {
  await signIn(page, console_.server, address);
  const list = page.getByRole("navigation", { name: "Conversations" });
  await list.getByRole("link").filter({ hasText: "mulesing" }).click();
  await page.getByRole("button", { name: "Delete this conversation" }).click();
  await expect(list.getByRole("link")).toHaveCount(2);
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await expect(list.getByRole("link")).toHaveCount(3);
});

test("the conversations that are found can be exported", async ({ page }) => {
  await signIn(page, console_.server, `${address}&help=no`);
  const started = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  const download = await started;
  expect(download.suggestedFilename()).toBe("conversations.csv");
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  expect(text).toContain("mulesing");
  expect(text).not.toContain("Birch");
});

test("a conversation whose words are not kept says so", async ({ page }) => {
  await signIn(page, console_.server, address);
  const list = page.getByRole("navigation", { name: "Conversations" });
  await list.getByRole("link").filter({ hasText: "1 question" }).click();
  await expect(page.getByText("Nothing that was said is kept of this conversation.")).toBeVisible();
});

test("axe finds nothing in the list and in a conversation, in any width", async ({ page }) => {
  await signIn(page, console_.server, address);
  const list = page.getByRole("navigation", { name: "Conversations" });
  await expect(list.getByRole("link")).toHaveCount(3);
  await expectAccessibleInEachWidth(page);
  await list.getByRole("link").filter({ hasText: "mulesing" }).click();
  await expect(page.getByRole("img", { name: "Who spoke when" })).toBeVisible();
  await expectAccessibleInEachWidth(page);
});
