import { expect, test, type Page } from "../support/test.ts";
import {
  callService,
  expectAccessibleInEachWidth,
  expectStatus,
  pageProblems,
  signIn,
  useConsole,
} from "./console-fixture.ts";

const console_ = useConsole({});

/** The avatars of a name; `of`: what else their cards say, because the demo avatars have the templates' names. */
const card = (page: Page, name: string, of: string) =>
  page.getByRole("article", { name, exact: true }).filter({ hasText: of });

async function choose(page: Page, name: string, of: string, action: string): Promise<void> {
  await card(page, name, of)
    .getByRole("button", { name: `More about ${name}` })
    .click();
  await page.getByRole("menuitem", { name: action }).click();
}

/** Makes an avatar of a template, and leaves the editor that opens. */
async function make(page: Page, template: RegExp): Promise<void> {
  await page.getByRole("button", { name: template }).click();
  await page.getByRole("link", { name: "Back to avatars" }).click();
}

interface ContextInList {
  id: string;
  name: string;
}

test("a template becomes an avatar, which is paused, switched on, copied and deleted with undo", async ({
  page,
}) => {
  await signIn(page, console_.server, "/avatars");
  await make(page, /Reception/);
  await expect(card(page, "Tomas", "Reception")).toContainText("Draft");
  await choose(page, "Tomas", "Reception", "Pause");
  await expect(card(page, "Tomas", "Reception")).toContainText("Paused");
  await choose(page, "Tomas", "Reception", "Switch on");
  await expect(card(page, "Tomas", "Reception")).toContainText("Draft");
  await choose(page, "Tomas", "Reception", "Duplicate");
  await expect(card(page, "Tomas", "Reception")).toHaveCount(2);
  await card(page, "Tomas", "Reception")
    .filter({ hasText: "Paused" })
    .getByRole("button", { name: "More about Tomas" })
    .click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(card(page, "Tomas", "Reception")).toHaveCount(1);
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await expect(card(page, "Tomas", "Reception")).toHaveCount(2);
});

test("a second avatar of a template has names of its own", async ({ page }) => {
  await signIn(page, console_.server, "/avatars");
  await make(page, /Support/);
  await expect(card(page, "Ingrid", "Support")).toBeVisible();
  await make(page, /Support/);
  await expect(card(page, "Ingrid 2", "Support 2")).toBeVisible();
});

test("the menu is used with the keyboard alone", async ({ page }) => {
  await signIn(page, console_.server, "/avatars");
  const button = page
    .getByRole("article")
    .first()
    .getByRole("button", { name: /More about/ });
  await button.focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Pause" })).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("menuitem", { name: "Delete" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(button).toBeFocused();
});

test("markup in a name stays text", async ({ page }) => {
  const problems = pageProblems(page);
  const name = `<img src=x onerror="document.title='attacked'"><script>document.title='attacked'</script>`;
  const answer = await callService(console_.server, "POST", "/api/console/b2c/contexts/", {
    name,
    tts_type: "visavis-slt",
    model_style: "mina",
    embed_config: { ui: { avatar_name: name.slice(0, 40) } },
  });
  expect(answer.status).toBe(201);
  const { id } = (await answer.json()) as ContextInList;
  await signIn(page, console_.server, "/avatars");
  await expect(page.getByText(name, { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/Avatars/);
  expect(problems).toEqual([]);
  await callService(console_.server, "DELETE", `/api/console/b2c/contexts/${id}/`);
});

test("an action on an avatar that somebody else deleted says so", async ({ page }) => {
  await signIn(page, console_.server, "/avatars");
  await make(page, /Tutor/);
  await expect(card(page, "Amara", "Tutor")).toBeVisible();
  const list = (await (
    await callService(console_.server, "GET", "/api/console/b2c/contexts/")
  ).json()) as ContextInList[];
  const tutor = list.find(({ name }) => name === "Tutor");
  await callService(console_.server, "DELETE", `/api/console/b2c/contexts/${tutor?.id ?? ""}/`);
  await choose(page, "Amara", "Tutor", "Pause");
  await expectStatus(page, "It doesn’t exist any more");
  await expect(card(page, "Amara", "Tutor")).toHaveCount(0);
});

test("axe finds nothing in the list of avatars, in any width", async ({ page }) => {
  await signIn(page, console_.server, "/avatars");
  await expect(page.getByRole("article").first()).toBeVisible();
  await expectAccessibleInEachWidth(page);
});
