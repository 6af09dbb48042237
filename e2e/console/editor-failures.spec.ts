import { expect, test } from "../support/test.ts";
import {
  expectAccessible,
  expectStatus,
  pageProblems,
  password,
  signIn,
  useConsole,
} from "./console-fixture.ts";
import {
  call,
  contextPath,
  makeContext,
  openEditor,
  preview,
  saveButton,
  shownAvatar,
  type Context,
} from "./editor-fixture.ts";
import { invited } from "./invite.ts";

const console_ = useConsole();

test("a save after the session has ended asks to sign in, and goes on with what was typed", async ({
  page,
  context: browser,
}) => {
  const { id } = await openEditor(page, console_.server, "mind");
  const kept = page.waitForResponse((answer) => answer.url().endsWith("/draft/"));
  await page.getByLabel("Greeting").fill("Typed before");
  // Nothing else is on its way that would find out first: neither the draft nor the preview.
  await kept;
  await expect(shownAvatar(page)).toContainText("Typed before");
  await browser.clearCookies();
  await saveButton(page).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("All changes saved")).toBeVisible();
  await expect(page.getByLabel("Greeting")).toHaveValue("Typed before");
  expect((await call<Context>(console_.server, "GET", contextPath(id))).greeting).toBe("Typed before");
});

test("a server that takes no more requests says when to try again, and nothing typed is lost", async ({
  page,
}) => {
  await openEditor(page, console_.server, "mind");
  await expect(shownAvatar(page)).toContainText("Hello.");
  const greeting = page.getByLabel("Greeting");
  await page.route("**/api/console/**", (route) =>
    route.request().method() === "PUT"
      ? route.fulfill({ status: 429, headers: { "Retry-After": "30" }, json: {} })
      : route.fallback(),
  );
  await greeting.fill("The last one");
  await expect(page.getByText("The preview shows the last settings that are complete.")).toBeVisible();
  await saveButton(page).click();
  const alert = page.getByRole("alert").filter({ hasText: "Not saved." });
  await expect(alert).toContainText("Too many attempts. Try again in 30 seconds.");
  await expect(greeting).toHaveValue("The last one");
  await expectAccessible(page);
});

test("a save that a server in between calls too large says so, and nothing typed is lost", async ({
  page,
}) => {
  await openEditor(page, console_.server, "mind");
  await page.getByLabel("Greeting").fill("Kept");
  await page.route("**/api/console/b2c/contexts/*/", (route) =>
    route.request().method() === "PUT"
      ? route.fulfill({
          status: 413,
          contentType: "text/html",
          body: "<h1>413 Request Entity Too Large</h1>",
        })
      : route.fallback(),
  );
  await saveButton(page).click();
  const alert = page.getByRole("alert").filter({ hasText: "Not saved." });
  await expect(alert).toContainText("That is too large for the server.");
  await expect(page.getByLabel("Greeting")).toHaveValue("Kept");
});

test("a picture that is too large is refused, and the background stays", async ({ page }) => {
  await openEditor(page, console_.server, "look");
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({
      name: "room.png",
      mimeType: "image/png",
      buffer: Buffer.alloc(2 * 1024 * 1024 + 1),
    });
  await expectStatus(page, /too large|larger than/);
  await expect(page.getByRole("radio", { name: "Room" })).toBeChecked();
});

test("a viewer sees every part and the preview, and can change nothing", async ({ page, browser }) => {
  const context = await makeContext(console_.server);
  await signIn(page, console_.server, "/settings/accounts");
  const viewer = await invited(console_.server, page, browser, "viewer", "Viktor");
  const problems = pageProblems(viewer);
  const writes: string[] = [];
  viewer.on("request", (request) => {
    if (request.method() === "PUT") writes.push(request.url());
  });
  await viewer.goto(`${console_.server.origin}/console/#/avatars/${context.id}/look`);
  await expect(viewer.getByText("Your role may look at this, and not change it.")).toBeVisible();
  await expect(shownAvatar(viewer).locator("[part~=name]")).toContainText("Mara");
  await expect(saveButton(viewer)).toHaveCount(0);
  await expect(viewer.getByLabel("Name", { exact: true })).toBeDisabled();
  await expect(preview(viewer).getByRole("slider", { name: "Size" })).toHaveCount(0);
  await expectAccessible(viewer);
  await viewer.getByRole("link", { name: "Embed", exact: true }).click();
  await expect(viewer.getByRole("switch", { name: "Visitors can use it" })).toBeDisabled();
  await expect(viewer.getByRole("button", { name: "Copy", exact: true })).toBeEnabled();
  await viewer.getByRole("button", { name: "Versions" }).click();
  await expect(viewer.getByRole("dialog", { name: "The last 20 versions" })).toBeVisible();
  await expect(viewer.getByRole("button", { name: /^Restore/ })).toHaveCount(0);
  expect(writes).toEqual([]);
  expect(problems).toEqual([]);
  await viewer.context().close();
});
