import { expect, test } from "../support/test.ts";
import { avatarCard, signIn, useConsole } from "./console-fixture.ts";
import { makeContext } from "./editor-fixture.ts";

const console_ = useConsole();

test("each page names the window and gives its heading the focus; on a phone everything else is behind More", async ({
  page,
}) => {
  const { id } = await makeContext(console_.server);
  await signIn(page, console_.server, "/avatars");
  await avatarCard(page, id).getByRole("link", { name: "Open Mara" }).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("Mara");
  await expect(heading).toBeFocused();
  await expect(page).toHaveTitle("Mara · Visavis");
  await page.goBack();
  await expect(heading).toHaveText("Avatars");
  await expect(heading).toBeFocused();
  await expect(page).toHaveTitle("Avatars · Visavis");

  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "More" }).click();
  await expect(heading).toHaveText("More");
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByRole("button", { name: "Dark colours" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("button", { name: "Light colours" }).click();
  await page.getByRole("main").getByRole("link", { name: "Engines" }).click();
  await expect(heading).toHaveText("Engines");
  await page.goBack();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(heading).toHaveText("Sign in to your console");
});
