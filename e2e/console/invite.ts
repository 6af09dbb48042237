import { expect, type Browser, type Page } from "@playwright/test";
import type { Server } from "../support/stack.ts";
import { recordStatuses } from "./console-fixture.ts";

/** Somebody whom an owner has invited, in a browser of their own. */
export async function invited(
  { origin }: Server,
  owner: Page,
  browser: Browser,
  role: "editor" | "viewer",
  name: string,
): Promise<Page> {
  await owner.goto(`${origin}/console/#/settings/accounts`);
  // A link that was made before would still be shown.
  await owner.reload();
  await owner.getByRole("button", { name: "Invite somebody" }).click();
  const dialog = owner.getByRole("dialog", { name: "Invite somebody" });
  await dialog.getByLabel("For whom").fill(name);
  await dialog.getByLabel("Role").selectOption(role);
  await dialog.getByRole("button", { name: "Make the link" }).click();
  const link = await owner.getByRole("textbox", { name: "The invitation’s link" }).inputValue();
  const page = await (await browser.newContext()).newPage();
  await recordStatuses(page);
  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are invited");
  await page.getByLabel("Choose a user name").fill(name);
  await page.getByLabel("Choose a password").fill(`${name} has a long password`);
  await page.getByRole("button", { name: "Create my account" }).click();
  await expect(page.getByRole("navigation", { name: "Console" }).first()).toBeVisible();
  return page;
}
