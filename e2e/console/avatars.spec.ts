import { expect, test, type Locator, type Page } from "../support/test.ts";
import {
  avatarCard,
  callService,
  expectAccessibleInEachWidth,
  expectStatus,
  openedAvatar,
  pageProblems,
  signIn,
  useConsole,
} from "./console-fixture.ts";

const console_ = useConsole();

async function choose(card: Locator, action: string): Promise<void> {
  await card.getByRole("button", { name: /More about/ }).click();
  await card.page().getByRole("menuitem", { name: action }).click();
}

/** Makes an avatar of a template, and leaves the editor that opens. Returns its id. */
async function make(page: Page, template: RegExp): Promise<string> {
  await page.getByRole("button", { name: template }).click();
  const id = await openedAvatar(page);
  await page.getByRole("link", { name: "Back to avatars" }).click();
  return id;
}

test("a template becomes an avatar, which is paused, switched on, copied and deleted with undo", async ({
  page,
}) => {
  await signIn(page, console_.server, "/avatars");
  const made = avatarCard(page, await make(page, /Reception/));
  await expect(made).toContainText("Draft");
  await choose(made, "Pause");
  await expect(made).toContainText("Paused");
  await choose(made, "Switch on");
  await expect(made).toContainText("Draft");
  const name = await made.getByRole("heading").innerText();
  await choose(made, "Duplicate");
  // The demo avatars have the templates' names.
  const both = page.getByRole("article", { name, exact: true }).filter({ hasText: "Reception" });
  await expect(both).toHaveCount(2);
  await choose(both.filter({ hasText: "Paused" }), "Delete");
  await expect(both).toHaveCount(1);
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await expect(both).toHaveCount(2);
});

test("a second avatar of a template has names of its own", async ({ page }) => {
  await signIn(page, console_.server, "/avatars");
  const names = async (): Promise<string[]> => {
    const card = avatarCard(page, await make(page, /Support/));
    return [await card.getByRole("heading").innerText(), await card.getByText(/^Support/).innerText()];
  };
  const first = await names();
  const second = await names();
  expect(second).toEqual([expect.stringMatching(/^Ingrid \d+$/), expect.stringMatching(/^Support \d+$/)]);
  expect(second).not.toEqual(first);
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
  const { id } = (await answer.json()) as { id: string };
  await signIn(page, console_.server, "/avatars");
  await expect(avatarCard(page, id).getByText(name, { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/Avatars/);
  expect(problems).toEqual([]);
  await callService(console_.server, "DELETE", `/api/console/b2c/contexts/${id}/`);
});

test("an action on an avatar that somebody else deleted says so", async ({ page }) => {
  await signIn(page, console_.server, "/avatars");
  const id = await make(page, /Tutor/);
  const tutor = avatarCard(page, id);
  await expect(tutor).toBeVisible();
  await callService(console_.server, "DELETE", `/api/console/b2c/contexts/${id}/`);
  await choose(tutor, "Pause");
  await expectStatus(page, "It doesn’t exist any more");
  await expect(tutor).toHaveCount(0);
});

test("axe finds nothing in the list of avatars, in any width", async ({ page }) => {
  // All tests have avatars here: to look at all of them takes long, and shows no more than the demo's and one other.
  await page.route("**/api/console/contexts/", async (route) => {
    const response = await route.fetch();
    const avatars = (await response.json()) as { is_demo: boolean }[];
    const shown = avatars.filter((avatar, at) => avatar.is_demo || at === avatars.length - 1);
    await route.fulfill({ response, json: shown });
  });
  await signIn(page, console_.server, "/avatars");
  await expect(page.getByRole("article").first()).toBeVisible();
  await expectAccessibleInEachWidth(page);
});
