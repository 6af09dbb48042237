import { expect, test, type Locator } from "../support/test.ts";
import {
  expectAccessible,
  expectNoSidewaysScrolling,
  loopSounds,
  pageProblems,
  useConsole,
} from "./console-fixture.ts";
import {
  call,
  contextPath,
  makeContext,
  openEditor,
  preview,
  saveButton,
  settings,
  showEditor,
  shownAvatar,
  type Context,
} from "./editor-fixture.ts";

const console_ = useConsole();

/** An avatar as it is saved. */
const savedContext = (id: string) => call<Context>(console_.server, "GET", contextPath(id));

test("a change shows in the preview before it is saved, and on the page only after", async ({ page }) => {
  const problems = pageProblems(page);
  const { id } = await openEditor(page, console_.server);
  await expect(shownAvatar(page).locator("[part~=name]")).toContainText("Mara");
  await page.getByLabel("Name", { exact: true }).fill("Nora");
  await expect(shownAvatar(page).locator("[part~=name]")).toContainText("Nora");
  await expect(page.getByText("1 change not saved")).toBeVisible();
  expect((await savedContext(id)).embed_config.ui?.["avatar_name"]).toBe("Mara");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("All changes saved")).toBeVisible();
  expect((await savedContext(id)).embed_config.ui?.["avatar_name"]).toBe("Nora");
  expect(problems).toEqual([]);
});

test("a name of spaces is no name: the face keeps its own", async ({ page }) => {
  const { id } = await openEditor(page, console_.server);
  await page.getByLabel("Name", { exact: true }).fill("   ");
  await expect(shownAvatar(page).locator("[part~=name]")).toContainText("Mina");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("All changes saved")).toBeVisible();
  expect((await savedContext(id)).embed_config.ui).not.toHaveProperty("avatar_name");
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

test("what of the saved settings has no effect is said beside its field, or above the form where it has none", async ({
  page,
}) => {
  const ui = { avatar_name: "Mara", radius: 32 };
  const embed_config = { ui, theme: "dark", documents: ["gone"] };
  const { id } = await openEditor(page, console_.server, "mind", { embed_config });
  await expect(page.getByText(/2 settings have no effect\..*Did you mean "ui\.theme"\?/)).toBeVisible();
  await expect(page.locator("#part").getByText('"gone" does not exist.')).toBeVisible();
  await page.getByLabel("Greeting").fill("Welcome.");
  await saveButton(page).click();
  await expect(page.getByText("All changes saved")).toBeVisible();
  expect((await savedContext(id)).embed_config).toEqual(embed_config);
});

test("a colour says how readable it is", async ({ page }) => {
  await openEditor(page, console_.server);
  await page.getByLabel("Own colour").fill("#f2b300");
  await expect(page.getByText(/Made darker so that words stay readable/)).toBeVisible();
  await page.getByLabel("Own colour").fill("yellow");
  await expect(page.getByText("This doesn’t have the right form.")).toBeVisible();
  await expect(saveButton(page)).toBeDisabled();
});

test("a voice is heard on a click", async ({ page }) => {
  await loopSounds(page);
  await openEditor(page, console_.server, "voice");
  const sample = page.waitForResponse((response) => response.url().endsWith("/api/console/voice-sample/"));
  await page.getByRole("button", { name: "Play Sally" }).click();
  expect((await sample).headers()["content-type"]).toBe("audio/wav");
  await page.getByRole("button", { name: "Stop Sally" }).click();
  await expect(page.getByRole("button", { name: "Play Sally" })).toBeVisible();
});

test("what was typed is there again after the window was closed", async ({ page }) => {
  await openEditor(page, console_.server, "mind");
  const kept = page.waitForResponse(
    (response) => response.url().endsWith("/draft/") && response.request().method() === "PUT",
  );
  await page.getByLabel("Greeting").fill("Typed, not saved");
  await kept;
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByLabel("Greeting")).toHaveValue("Typed, not saved");
  await expect(page.getByText(/Your unsaved changes from today/)).toBeVisible();
});

test("a number that is being typed stays, whatever the page does meanwhile", async ({ page }) => {
  await openEditor(page, console_.server, "behaviour");
  const days = page.getByLabel("Keep what was said");
  const kept = page.waitForResponse((response) => response.url().includes("/draft"));
  await page.getByLabel("Consent text").fill("Mara is an AI.");
  await days.pressSequentially("1");
  await kept;
  await expect(days).toHaveValue("1");
  await days.pressSequentially("4.");
  await expect(days).toHaveValue("14.");
  await days.press("Tab");
  await expect(days).toHaveValue("14");
});

test("leaving with unsaved changes asks, and saves or stays", async ({ page }) => {
  const { id } = await openEditor(page, console_.server, "mind");
  await page.getByLabel("Greeting").fill("Good morning.");
  await page.getByRole("link", { name: "Voice" }).click();
  await page.getByRole("link", { name: "Back to avatars" }).click();
  const dialog = page.getByRole("dialog", { name: "Save your changes to Mara?" });
  await expect(dialog).toContainText("Greeting");
  // A key pressed without looking loses nothing.
  await expect(dialog.getByRole("button", { name: "Keep editing" })).toBeFocused();
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Mara" })).toBeVisible();
  await page.getByRole("link", { name: "Back to avatars" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Avatars" })).toBeVisible();
  expect((await savedContext(id)).greeting).toBe("Good morning.");
});

test("leaving while the editor saves waits for the save, and goes without a question", async ({ page }) => {
  const { id } = await openEditor(page, console_.server, "mind");
  await page.getByLabel("Greeting").fill("Good evening.");
  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route(`**${contextPath(id)}`, async (route) => {
    if (route.request().method() === "PUT") await asked;
    await route.fallback();
  });
  await saveButton(page).click();
  await expect(page.getByRole("status").filter({ hasText: "Saving" })).toBeVisible();
  await page.getByRole("link", { name: "Back to avatars" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Mara" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  answer();
  await expect(page.getByRole("heading", { level: 1, name: "Avatars" })).toBeVisible();
  expect((await savedContext(id)).greeting).toBe("Good evening.");
});

test("two editors get a clear conflict, and mine goes on top of theirs", async ({ page }) => {
  const { id } = await openEditor(page, console_.server, "mind");
  await call(console_.server, "PUT", contextPath(id), { ...settings, instructions: "Theirs" });
  await page.getByLabel("Greeting").fill("Mine");
  await saveButton(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "Changed in another window." })).toContainText(
    "Instructions",
  );
  await page.getByRole("button", { name: "Keep mine" }).click();
  await expect(page.getByLabel("Instructions")).toHaveValue("Theirs");
  await expect(page.getByLabel("Greeting")).toHaveValue("Mine");
  await saveButton(page).click();
  await expect(page.getByText("All changes saved")).toBeVisible();
});

test("a failed save keeps the form", async ({ page }) => {
  await openEditor(page, console_.server, "mind");
  await page.getByLabel("Greeting").fill("Kept");
  await page.route("**/api/console/b2c/contexts/*/", (route) =>
    route.request().method() === "PUT" ? route.abort() : route.fallback(),
  );
  await saveButton(page).click();
  await expect(page.getByRole("alert").filter({ hasText: "Not saved." })).toBeVisible();
  await expect(page.getByLabel("Greeting")).toHaveValue("Kept");
  await page.unroute("**/api/console/b2c/contexts/*/");
  await saveButton(page).click();
  await expect(page.getByText("All changes saved")).toBeVisible();
});

test("a former version is restored", async ({ page }) => {
  await openEditor(page, console_.server, "mind");
  await page.getByLabel("Greeting").fill("Second");
  await saveButton(page).click();
  await expect(page.getByText("All changes saved")).toBeVisible();
  await page.getByRole("button", { name: "Versions" }).click();
  await page.getByRole("button", { name: "Restore Version 1" }).click();
  await expect(page.getByLabel("Greeting")).toHaveValue("Hello.");
});

test("a consent text that says that nothing is kept is marked where something is", async ({ page }) => {
  await openEditor(page, console_.server, "behaviour");
  const consent = page.getByLabel("Consent text");
  await consent.fill("Mara is an AI. What you say is deleted when you leave.");
  await expect(page.getByText("“Deleted when you leave” isn’t true.")).toHaveCount(0);
  await page.getByLabel("Keep what was said").fill("14");
  await page.getByLabel("Keep what was said").press("Tab");
  await expect(page.getByText("You keep what was said for 14 days.")).toBeVisible();
  await page.getByRole("button", { name: "Correct it" }).click();
  await expect(consent).toBeFocused();
  await page.keyboard.type("kept for 14 days");
  await expect(consent).toHaveValue("Mara is an AI. What you say is kept for 14 days.");
  await expect(page.getByText("You keep what was said for 14 days.")).toHaveCount(0);
});

test("the tester says why a page is not allowed, and allows it", async ({ page }) => {
  await openEditor(page, console_.server, "limits", {
    embed_config: { ...settings.embed_config, allowed_origins: ["https://shop.example"] },
  });
  await page.getByLabel("Address to check").fill("http://shop.example/chairs");
  await page.getByRole("button", { name: "Check" }).click();
  await expect(page.getByText(/One address begins with http, the other with https/)).toBeVisible();
  await page.getByRole("button", { name: "Allow http://shop.example" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "http://shop.example" })).toBeVisible();
});

test("scripts and markup in an avatar's texts stay text", async ({ page }) => {
  const problems = pageProblems(page);
  const attack = `<img src=x onerror="document.title='attacked'">`;
  await openEditor(page, console_.server, "mind", { greeting: attack, instructions: attack });
  await expect(page.getByLabel("Greeting")).toHaveValue(attack);
  await expect(page).not.toHaveTitle(/attacked/);
  expect(problems).toEqual([]);
});

for (const tab of ["look", "voice", "mind", "behaviour", "limits", "embed"])
  test(`axe finds nothing in ${tab}, and nothing is wider than a phone`, async ({ page }) => {
    await openEditor(page, console_.server, tab);
    await expect(page.locator("visavis-console-preview[data-shown]")).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScrolling(page);
    await expectAccessible(page);
  });

test("suggestions that the knowledge does not answer are told, and those that it answers are offered", async ({
  page,
}) => {
  const problems = pageProblems(page);
  const text =
    "# Alder Home\n\n## Delivery\n\nWe deliver within nine days.\n\n## Returns\n\nChairs come back within 30 days.";
  const ui = { avatar_name: "Mara", suggestions: ["Help me choose a piano"] };
  const context = await makeContext(console_.server, { embed_config: { ui } });
  const body = { title: "Shop", text, contexts: [context.id] };
  await call(console_.server, "POST", "/api/console/knowledge/", body);
  await showEditor(page, console_.server, context, "mind");
  await expect(page.getByText("The knowledge does not answer “Help me choose a piano”.")).toBeVisible();
  const offered = page.getByRole("group", { name: "The knowledge answers these" });
  await expect(offered.getByRole("button")).toHaveText(["Delivery", "Returns"]);
  await expectAccessible(page);
  await offered.getByRole("button", { name: "Add “Returns”" }).click();
  await expect(page.getByRole("button", { name: "Remove Returns" })).toBeVisible();
  await expect(offered.getByRole("button")).toHaveText(["Delivery"]);
  await page.keyboard.press("Control+s");
  await expect(page.getByText("All changes saved")).toBeVisible();
  const { embed_config: saved } = await savedContext(context.id);
  expect(saved.ui?.["suggestions"]).toEqual(["Help me choose a piano", "Returns"]);
  await page.getByRole("link", { name: "Write an answer" }).click();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("Help me choose a piano");
  expect(problems).toEqual([]);
});
