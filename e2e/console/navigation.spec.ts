import { expect, test } from "../support/test.ts";
import {
  avatarCard,
  expectAccessible,
  expectNoSidewaysScrolling,
  signIn,
  useConsole,
} from "./console-fixture.ts";
import { makeContext } from "./editor-fixture.ts";

const console_ = useConsole();

test("on a phone everything else is behind More: pages, colours, signing out", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await signIn(page, console_.server);
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "More" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("More");
  await expectAccessible(page);
  await expectNoSidewaysScrolling(page);
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("button", { name: "Dark colours" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("button", { name: "Light colours" }).click();
  await page.getByRole("main").getByRole("link", { name: "Engines" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Engines");
  await page.goBack();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to your console");
});

test("an opened avatar names the window and has the focus on its name, and the next page does the same", async ({
  page,
}) => {
  const { id } = await makeContext(console_.server);
  await signIn(page, console_.server, "/avatars");
  await avatarCard(page, id).getByRole("link", { name: "Open Mara" }).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toBeFocused();
  await expect(page).toHaveTitle(`${await heading.innerText()} · Visavis`);
  await page.goBack();
  await expect(heading).toHaveText("Avatars");
  await expect(heading).toBeFocused();
  await expect(page).toHaveTitle("Avatars · Visavis");
});

test("the address of an avatar that was deleted says so under a heading, and leads on", async ({ page }) => {
  await signIn(page, console_.server, "/avatars/00000000-0000-4000-8000-000000000000/look");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("There is no such page");
  await expect(page).toHaveTitle("There is no such page · Visavis");
  await expect(page.getByText("It doesn’t exist any more.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("main").getByRole("link", { name: "Avatars" }).click();
  await expect(heading).toHaveText("Avatars");
});
