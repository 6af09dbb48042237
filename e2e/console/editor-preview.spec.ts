import { expect, test } from "../support/test.ts";
import { pageProblems, useConsole } from "./console-fixture.ts";
import { openEditor, preview, shownAvatar } from "./editor-fixture.ts";

const console_ = useConsole();

test("the preview shows the state that a part is about, in each size and colour, and is used when it is entered", async ({
  page,
}) => {
  const problems = pageProblems(page);
  await openEditor(page, console_.server, "look", { greeting: "Hello, what are you looking for today?" });
  const avatar = shownAvatar(page);
  const nameplate = avatar.locator("[part~=nameplate]");
  await expect(nameplate).toContainText("Speaking");
  await expect(avatar).toContainText("Hello, what are you looking for today?");

  await test.step("it is only looked at until it is entered, and then used like a visitor", async () => {
    const hint = (await page.getByText("Drag Mara to move, a corner to resize").boundingBox())!;
    const stage = (await page.locator(".pv-stage").boundingBox())!;
    expect(hint.y, "below the preview").toBeGreaterThanOrEqual(stage.y + stage.height);
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
    await expect(nameplate).toContainText("Speaking");
  });

  await test.step("each part shows the state that it is about", async () => {
    const part = (name: string) => page.getByRole("link", { name, exact: true }).click();
    await part("Mind");
    await expect(nameplate).toContainText("Ready");
    await part("Behaviour");
    await expect(avatar.locator("[part~=panel]").getByText("Talk with Mara")).toBeVisible();
    await part("Limits");
    await expect(avatar.getByText(/talking with as many people as possible/)).toBeVisible();
    await part("Embed");
    await expect(avatar.locator("[part~=launcher-button]")).toBeVisible();
    await expect(avatar.locator("[part~=panel]")).toBeHidden();
  });

  await test.step("it has the size of a phone, and dark colours", async () => {
    const width = () =>
      preview(page)
        .locator("html")
        .evaluate(() => innerWidth);
    await expect.poll(width).toBe(680);
    await page.getByRole("button", { name: "Phone", exact: true }).click();
    await expect.poll(width).toBe(390);
    const colours = page.getByRole("group", { name: "Colours of the preview" });
    await colours.getByRole("button", { name: "Dark" }).click();
    await expect(avatar).toHaveAttribute("theme", "dark");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await colours.getByRole("button", { name: "Light" }).click();
    await expect(avatar).toHaveAttribute("theme", "light");
  });
  expect(problems).toEqual([]);
});

test("Try it talks as what was typed and not saved says, after consent, and begins again after a change", async ({
  page,
}) => {
  const ui = { avatar_name: "Mara", owner_name: "Alder Home", consent_text: "Mara is an AI." };
  await openEditor(page, console_.server, "mind", { embed_config: { ui } });
  await page.getByLabel("Greeting").fill("Welcome to the attic.");
  await page.getByLabel("Suggestions").fill("Delivery times");
  await page.getByLabel("Suggestions").press("Enter");
  // The conversation begins with what the server has taken.
  await expect(shownAvatar(page)).toContainText("Welcome to the attic.");
  await expect(shownAvatar(page).getByText("Delivery times")).toBeVisible();
  await page.getByRole("button", { name: "Try it" }).click();
  const chat = page.frameLocator("iframe.try-frame");
  await expect(chat.getByText("Mara is an AI.")).toBeVisible();
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
