import { contextPath } from "../../test/console/editor/avatar-settings.ts";
import { expect, test, type Locator } from "../support/test.ts";
import { pageProblems, useConsole } from "./console-fixture.ts";
import { call, openEditor, preview, saveButton, shownAvatar, type Context } from "./editor-fixture.ts";

const console_ = useConsole();

/** An avatar as it is saved. */
const savedContext = (id: string) => call<Context>(console_.server, "GET", contextPath(id));

test("a change shows in the preview before it is saved, and on the page only after; a former version is restored", async ({
  page,
}) => {
  const problems = pageProblems(page);
  const { id } = await openEditor(page, console_.server);
  await expect(shownAvatar(page).locator("[part~=name]")).toContainText("Mara");
  await page.getByLabel("Name", { exact: true }).fill("Nora");
  await expect(shownAvatar(page).locator("[part~=name]")).toContainText("Nora");
  await expect(page.getByText("1 change not saved")).toBeVisible();
  expect((await savedContext(id)).embed_config.ui?.["avatar_name"]).toBe("Mara");
  // What is not saved is shown in a tab of its own too.
  const opened = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Open in a new tab" }).click();
  const tab = await opened;
  await expect(tab.locator("visavis-avatar [part~=name]")).toContainText("Nora");
  await tab.close();
  await page.keyboard.press("Control+s");
  await expect(page.getByText("All changes saved")).toBeVisible();
  expect((await savedContext(id)).embed_config.ui?.["avatar_name"]).toBe("Nora");
  await page.getByRole("button", { name: "Versions" }).click();
  await page.getByRole("button", { name: "Restore Version 1" }).click();
  await expect(shownAvatar(page).locator("[part~=name]")).toContainText("Mara");
  expect(problems).toEqual([]);
});

test("the avatar is moved and sized in the preview, by pointer and by keys", async ({ page }) => {
  const { id } = await openEditor(page, console_.server);
  const move = preview(page).getByRole("button", { name: /Move Mara/ });
  const size = preview(page).getByRole("slider", { name: "Size" });
  const drag = async (handle: Locator, x: number, y: number): Promise<void> => {
    // Waits until it stands still: the panel moves while it opens.
    await handle.hover();
    const box = (await handle.boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2 + x, box.y + box.height / 2 + y, { steps: 4 });
    await page.mouse.up();
    await untilTold();
  };
  /** Waits until the form has heard of everything that the preview has done. */
  const untilTold = (): Promise<void> =>
    expect
      .poll(async () => {
        const left = Number(await shownAvatar(page).getAttribute("padding-left"));
        const isLeftTold = (await page.getByLabel("Sideways").inputValue()) === `${Math.round(left * 100)} %`;
        const height = await size.getAttribute("aria-valuenow");
        return isLeftTold && (await page.getByLabel("Size", { exact: true }).inputValue()) === `${height} %`;
      })
      .toBe(true);
  await drag(move, 30, 10);
  await expect(page.getByLabel("Sideways")).not.toHaveValue("");
  const before = Number.parseInt(await page.getByLabel("Sideways").inputValue(), 10);
  await move.focus();
  await page.keyboard.press("Shift+ArrowRight");
  await expect(page.getByLabel("Sideways")).toHaveValue(`${before + 10} %`);
  await size.focus();
  await page.keyboard.press("ArrowUp");
  await untilTold();
  const narrow = Number(await size.getAttribute("aria-valuenow"));
  await drag(preview(page).locator("#corner"), 0, 40);
  expect(Number(await size.getAttribute("aria-valuenow"))).toBeLessThan(narrow);
  await saveButton(page).click();
  await expect(page.getByText("All changes saved")).toBeVisible();
  const { stage } = (await savedContext(id)).embed_config;
  expect(stage?.["padding_left"]).toBeCloseTo((before + 10) / 100, 1);
});

test("unsaved changes are asked about before they are left, and are there again after the window was closed", async ({
  page,
}) => {
  const { id } = await openEditor(page, console_.server, "mind");
  const kept = page.waitForResponse(
    (response) => response.url().endsWith("/draft/") && response.request().method() === "PUT",
  );
  await page.getByLabel("Greeting").fill("Good morning.");
  await kept;
  const asked = page.waitForEvent("dialog");
  const reloaded = page.reload();
  // The browser itself asks, too.
  await (await asked).accept();
  await reloaded;
  await expect(page.getByLabel("Greeting")).toHaveValue("Good morning.");
  await expect(page.getByText(/Your unsaved changes from today/)).toBeVisible();

  await page.getByRole("link", { name: "Back to avatars" }).click();
  const dialog = page.getByRole("dialog", { name: "Save your changes to Mara?" });
  await expect(dialog).toContainText("Greeting");
  // A key pressed without looking loses nothing.
  await expect(dialog.getByRole("button", { name: "Keep editing" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Mara" })).toBeVisible();
  await page.getByRole("link", { name: "Back to avatars" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Avatars" })).toBeVisible();
  expect((await savedContext(id)).greeting).toBe("Good morning.");
});
