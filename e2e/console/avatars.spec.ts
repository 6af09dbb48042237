import { expect, test, type Locator } from "../support/test.ts";
import { avatarCard, openedAvatar, signIn, useConsole } from "./console-fixture.ts";

const console_ = useConsole();

async function choose(card: Locator, action: string): Promise<void> {
  await card.getByRole("button", { name: /More about/ }).click();
  await card.page().getByRole("menuitem", { name: action }).click();
}

test("a template becomes an avatar, which is copied and deleted with undo, its menu also by keyboard", async ({
  page,
}) => {
  await signIn(page, console_.server, "/avatars");
  await page.getByRole("button", { name: /Reception/ }).click();
  const made = avatarCard(page, await openedAvatar(page));
  await page.getByRole("link", { name: "Back to avatars" }).click();
  await expect(made).toContainText("Draft");
  const button = made.getByRole("button", { name: /More about/ });
  await button.focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Pause" })).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("menuitem", { name: "Delete" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(button).toBeFocused();
  // Somebody who goes on with Tab closes it too.
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("menu")).toHaveCount(0);

  const name = await made.getByRole("heading").innerText();
  await choose(made, "Pause");
  await expect(made).toContainText("Paused");
  await choose(made, "Duplicate");
  // The demo avatars have the templates' names.
  const both = page.getByRole("article", { name, exact: true }).filter({ hasText: "Reception" });
  await expect(both).toHaveCount(2);
  await choose(made, "Delete");
  await expect(both).toHaveCount(1);
  await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
  await expect(both).toHaveCount(2);
});
