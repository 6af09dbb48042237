import { expect, test } from "../support/test.ts";
import { expectAccessible, pageProblems, useConsole } from "./console-fixture.ts";
import { makeContext, openEditor, preview, showEditor, shownAvatar } from "./editor-fixture.ts";

const console_ = useConsole();

test("each part of the editor shows the avatar in the state that it is about", async ({ page }) => {
  const problems = pageProblems(page);
  await openEditor(page, console_.server, "look", { greeting: "Hello, what are you looking for today?" });
  const avatar = shownAvatar(page);
  const part = (name: string) => page.getByRole("link", { name, exact: true }).click();
  await expect(avatar.locator("[part~=nameplate]")).toContainText("Speaking");
  await expect(avatar).toContainText("Hello, what are you looking for today?");
  await part("Mind");
  await expect(avatar.locator("[part~=nameplate]")).toContainText("Ready");
  await part("Behaviour");
  await expect(avatar.locator("[part~=panel]").getByText("Talk with Mara")).toBeVisible();
  await part("Limits");
  await expect(avatar.getByText(/talking with as many people as possible/)).toBeVisible();
  await part("Embed");
  await expect(avatar.locator("[part~=launcher-button]")).toBeVisible();
  await expect(avatar.locator("[part~=panel]")).toBeHidden();
  expect(problems).toEqual([]);
});

test("suggestions that were typed stand below the greeting in Mind", async ({ page }) => {
  await openEditor(page, console_.server, "mind");
  await page.getByLabel("Suggestions").fill("Delivery times");
  await page.getByLabel("Suggestions").press("Enter");
  await expect(shownAvatar(page).getByText("Delivery times")).toBeVisible();
});

test("the preview is only looked at until it is entered, and then used like a visitor", async ({ page }) => {
  await openEditor(page, console_.server, "look");
  const avatar = shownAvatar(page);
  await expect(avatar.locator("[part~=nameplate]")).toContainText("Speaking");
  const gap = async (): Promise<number> => {
    const hint = (await page.getByText("Drag Mara to move, a corner to resize").boundingBox())!;
    const stage = (await page.locator(".pv-stage").boundingBox())!;
    return hint.y - stage.y - stage.height;
  };
  await expect.poll(gap, "below the preview").toBeGreaterThanOrEqual(0);
  await expect(avatar).toHaveJSProperty("inert", true);
  await expect(preview(page).getByRole("slider", { name: "Size" })).toBeVisible();
  await avatar.evaluate((shown) => shown.toggleAttribute("data-looked-at"));
  await page.getByRole("button", { name: "Enter preview" }).click();
  await expect(avatar).toHaveJSProperty("inert", false);
  // Another element takes its place, in which nothing was closed.
  await expect(avatar).not.toHaveAttribute("data-looked-at");
  await expect(preview(page).getByRole("slider", { name: "Size" })).toBeHidden();
  await preview(page).getByRole("button", { name: "Close" }).click();
  await expect(avatar.locator("[part~=launcher-button]")).toBeVisible();
  await page.getByRole("button", { name: "Leave preview" }).click();
  await expect(avatar.locator("[part~=nameplate]")).toContainText("Speaking");
});

test("the preview has the size of a phone, and dark colours", async ({ page }) => {
  await openEditor(page, console_.server, "behaviour");
  const frame = preview(page).locator("html");
  const width = () => frame.evaluate(() => innerWidth);
  await expect.poll(width).toBe(680);
  await page.getByRole("button", { name: "Phone", exact: true }).click();
  await expect.poll(width).toBe(390);
  await expect(page.getByRole("button", { name: "Phone", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  const colours = page.getByRole("group", { name: "Colours of the preview" });
  await colours.getByRole("button", { name: "Dark" }).click();
  await expect(shownAvatar(page)).toHaveAttribute("theme", "dark");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await colours.getByRole("button", { name: "Light" }).click();
  await expect(shownAvatar(page)).toHaveAttribute("theme", "light");
  await page.getByRole("button", { name: "Desktop", exact: true }).click();
  await expect.poll(width).toBe(680);
});

test("a tab of its own shows the avatar with what is not saved", async ({ page }) => {
  await openEditor(page, console_.server, "look");
  const before = await page.getByRole("link", { name: "Open in a new tab" }).getAttribute("href");
  await page.getByLabel("Name", { exact: true }).fill("Nora");
  const link = page.getByRole("link", { name: "Open in a new tab" });
  await expect(link).not.toHaveAttribute("href", before ?? "");
  const opened = page.context().waitForEvent("page");
  await link.click();
  await expect((await opened).locator("visavis-avatar [part~=name]")).toContainText("Nora");
});

test("Try it talks as what was typed and not saved says, and begins again after a change", async ({
  page,
}) => {
  await openEditor(page, console_.server, "mind");
  await page.getByLabel("Greeting").fill("Welcome to the attic.");
  await expect(page.getByText("1 change not saved")).toBeVisible();
  // The conversation begins with what the server has taken.
  await expect(shownAvatar(page)).toContainText("Welcome to the attic.");
  await page.getByRole("button", { name: "Try it" }).click();
  const chat = page.frameLocator("iframe.try-frame");
  const begin = chat.getByRole("button", { name: /Write|Start|Type/ }).first();
  await begin.click();
  await expect(chat.getByText("Welcome to the attic.").first()).toBeVisible();
  await chat.getByRole("textbox").fill("Good morning!");
  await chat.getByRole("textbox").press("Enter");
  await expect(page.getByText(/First words after/)).toBeVisible();
  await page.getByLabel("Greeting").fill("Welcome to the cellar.");
  await expect(page.getByText("This conversation began before your latest changes.")).toBeVisible();
  await expect(chat.getByText("Welcome to the attic.").first()).toBeVisible();
  await page.getByRole("button", { name: "Start again" }).click();
  await begin.click();
  await expect(chat.getByText("Welcome to the cellar.").first()).toBeVisible();
});

test("Try it asks for consent where visitors are asked, and stands clear of what is below", async ({
  page,
}) => {
  const ui = { avatar_name: "Mara", owner_name: "Alder Home", consent_text: "Mara is an AI." };
  await openEditor(page, console_.server, "behaviour", { embed_config: { ui } });
  await page.getByRole("button", { name: "Try it" }).click();
  const chat = page.frameLocator("iframe.try-frame");
  await expect(chat.getByText("Mara is an AI.")).toBeVisible();
  await expectAccessible(page);
  await chat
    .getByRole("button", { name: /Write|Start|Type/ })
    .first()
    .click();
  await expect(chat.getByRole("textbox")).toBeVisible();
});

test("on a phone a band of the preview stays while the form is scrolled", async ({ page }) => {
  const context = await makeContext(console_.server);
  await page.setViewportSize({ width: 390, height: 844 });
  await showEditor(page, console_.server, context, "look");
  await expect(page.getByRole("group", { name: "Device" })).toBeVisible();
  await page.getByText("Rounded corners").scrollIntoViewIfNeeded();
  await expect(page.getByRole("group", { name: "Device" })).toBeHidden();
  await expect(page.locator("iframe.pv-frame")).toBeInViewport();
  await page.getByRole("heading", { level: 1 }).scrollIntoViewIfNeeded();
  await expect(page.getByRole("group", { name: "Device" })).toBeVisible();
});
