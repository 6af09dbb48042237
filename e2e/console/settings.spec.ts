import { expect, test } from "../support/test.ts";
import {
  callService,
  expectAccessible,
  expectAccessibleInEachWidth,
  expectStatus,
  password,
  signIn,
  useConsole,
} from "./console-fixture.ts";
import { readContext } from "../support/service-api.ts";
import { canaryKey } from "../support/stack.ts";
import { invited } from "./invite.ts";

/** A new password signs everybody out, and quotas are everybody’s. */
const console_ = useConsole({});

const demoContext = () => readContext({ server: console_.server, context: "ctx_demo" });

test("an API key is made, shown once, works, and is refused when it is revoked", async ({ page }) => {
  await signIn(page, console_.server, "/settings/keys");
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog", { name: "New key" });
  await dialog.getByLabel("Name").fill("Press kit");
  await dialog.getByRole("button", { name: "Make the key" }).click();
  await expect(page.getByText("Copy it now, it is shown only once.")).toBeVisible();
  const key = await page.getByRole("textbox", { name: "The new key" }).inputValue();
  const call = (): Promise<Response> =>
    fetch(`${console_.server.origin}/api/console/b2c/contexts/`, {
      headers: { "ServicePlatform-APIKey": key },
    });
  expect((await call()).status).toBe(200);
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole("row").filter({ hasText: "Press kit" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "The new key" })).toHaveCount(0);
  await page.getByRole("button", { name: "Revoke Press kit" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Press kit" })).toContainText("Revoked");
  expect((await call()).status).toBe(401);
});

test("a viewer who was invited reads and cannot change; an owner makes them an editor and removes them", async ({
  page,
  browser,
}) => {
  await signIn(page, console_.server, "/settings/accounts");
  const viewer = await invited(console_.server, page, browser, "viewer", "Vera");
  await viewer.goto(`${console_.server.origin}/console/#/avatars`);
  await expect(viewer.getByRole("article").first()).toBeVisible();
  await expect(viewer.getByRole("button", { name: /More about/ })).toHaveCount(0);
  await expect(viewer.getByRole("heading", { name: "New avatar" })).toHaveCount(0);
  const { id } = await demoContext();
  const refused = await viewer.evaluate(async (path) => {
    const init = {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: '{"is_active":false}',
    };
    return (await fetch(path, init)).status;
  }, `/api/console/contexts/${id}/active/`);
  expect(refused).toBe(403);
  await viewer.goto(`${console_.server.origin}/console/#/settings`);
  await expect(viewer.getByRole("link", { name: "API keys" })).toHaveCount(0);

  await page.reload();
  await page.getByRole("combobox", { name: "Role of Vera" }).selectOption("editor");
  await expectStatus(page, "The role of Vera was changed.");
  await viewer.goto(`${console_.server.origin}/console/#/avatars`);
  await viewer.reload();
  await expect(viewer.getByRole("button", { name: /More about/ }).first()).toBeVisible();

  const changed = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await page.getByRole("combobox", { name: "Role of Vera" }).selectOption("viewer");
  expect((await changed).status()).toBe(200);
  await viewer
    .getByRole("button", { name: /More about/ })
    .first()
    .click();
  await viewer.getByRole("menuitem", { name: "Pause" }).click();
  await expectStatus(viewer, "You may not do this here.");

  await page.getByRole("button", { name: "Remove Vera" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Vera" })).toHaveCount(0);
  await viewer.reload();
  await expect(viewer.getByRole("heading", { level: 1 })).toHaveText("Sign in to your console");
  await page.goto(`${console_.server.origin}/console/#/settings/audit`);
  await expect(page.getByText("Remove an account; its logins end").first()).toBeVisible();
  await viewer.context().close();
});

test("an invitation works once", async ({ page, browser }) => {
  await signIn(page, console_.server, "/settings/accounts");
  const editor = await invited(console_.server, page, browser, "editor", "Edda");
  const link = await page.getByRole("textbox", { name: "The invitation’s link" }).inputValue();
  await editor.goto(link);
  await expect(editor.getByRole("heading", { level: 1 })).toHaveText("This invitation does not work");
  await expectAccessible(editor);
  await editor.context().close();
});

test("a browser is signed out from another one", async ({ page, browser }) => {
  const other = await (await browser.newContext({ userAgent: "A lost laptop" })).newPage();
  await signIn(other, console_.server, "/avatars");
  await signIn(page, console_.server, "/settings/logins");
  await expect(page.getByText("This browser", { exact: true })).toBeVisible();
  const lost = page.getByRole("listitem").filter({ hasText: "A lost laptop" });
  await lost.getByRole("button", { name: /^Sign out/ }).click();
  await expect(lost).toHaveCount(0);
  await other.reload();
  await expect(other.getByRole("heading", { level: 1 })).toHaveText("Sign in to your console");
  await other.context().close();
});

test("a wrong current password is reported beside its field, and nothing changes", async ({ page }) => {
  await signIn(page, console_.server, "/settings/password");
  await page.getByLabel("Present password").fill("not this one");
  await page.getByLabel("New password").fill("another long password");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByRole("alert")).toHaveText("This password isn’t right.");
  await expect(page.getByLabel("New password")).toHaveValue("another long password");
  await page.getByLabel("Present password").fill(password);
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Change password" }).click();
  await expectStatus(page, "The password was changed.");
});

test("transcripts are kept as long as the owner says, unless somebody else has changed the avatar meanwhile", async ({
  page,
}) => {
  await signIn(page, console_.server, "/settings/privacy");
  const choice = page.getByRole("combobox", { name: /Keep transcripts of/ }).first();
  await choice.selectOption("14");
  await expectStatus(page, "Saved.");
  const read = async (): Promise<unknown> => (await demoContext()).embed_config["retention_days"];
  await expect.poll(read).toBe(14);
  const context = await demoContext();
  await page.reload();
  await expect(choice).toHaveValue("14");
  await callService(console_.server, "PUT", `/api/console/b2c/contexts/${context.id}/`, context);
  await choice.selectOption("30");
  await expectStatus(page, "Somebody else changed it meanwhile");
  expect(await read()).toBe(14);
});

test("quotas are set, wrong ones are told beside their fields, and what was typed is not lost unasked", async ({
  page,
}) => {
  await signIn(page, console_.server, "/settings/quotas");
  const month = page.getByLabel("Talking time a month");
  const lines = page.getByLabel("At the same time");
  await month.fill("a lot");
  await lines.fill("6");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toHaveText("A whole number, 0 or more.");
  await expect(lines).toHaveValue("6");
  await page.getByRole("link", { name: "Health" }).click();
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  await expect(month).toHaveValue("a lot");
  await month.fill("9000");
  await page.getByRole("button", { name: "Save" }).click();
  await expectStatus(page, "The quotas were saved.");
  await page.reload();
  await expect(month).toHaveValue("9000");
  await expect(lines).toHaveValue("6");
  await expect(page.getByText(/used in/)).toBeVisible();
  await lines.fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await expectStatus(page, "The quotas were saved.");
  await page.reload();
  await expect(lines).toHaveValue("");
});

test("quotas that the server refuses stay in the form, with the reason", async ({ page }) => {
  await signIn(page, console_.server, "/settings/quotas");
  const month = page.getByLabel("Talking time a month");
  await month.fill("9999999999");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).not.toHaveText("");
  await expect(month).toHaveValue("9999999999");
  await expect(month).toHaveAttribute("aria-invalid", "true");
});

test("a viewer reads quotas and health and cannot change the quotas", async ({ page, browser }) => {
  await signIn(page, console_.server, "/settings/accounts");
  const viewer = await invited(console_.server, page, browser, "viewer", "Quota");
  await viewer.goto(`${console_.server.origin}/console/#/settings/quotas`);
  await expect(viewer.getByLabel("Talking time a month")).toHaveAttribute("readonly");
  await expect(viewer.getByRole("button", { name: "Save" })).toHaveCount(0);
  const refused = await viewer.evaluate(async () => {
    const body = JSON.stringify({ max_active_sessions: 1, max_session_min: null, max_month_min: null });
    const headers = { "content-type": "application/json" };
    return (await fetch("/api/console/quotas/", { method: "PUT", headers, body })).status;
  });
  expect(refused).toBe(403);
  await viewer.goto(`${console_.server.origin}/console/#/settings/health`);
  await expect(viewer.getByText("Working")).toBeVisible();
  await viewer.context().close();
});

test("health says how the parts are, and where the metrics are", async ({ page }) => {
  await signIn(page, console_.server, "/settings/health");
  const part = (name: string) =>
    page.locator("dl > div").filter({ has: page.getByText(name, { exact: true }) });
  await expect(part("Server")).toContainText("Working");
  await expect(part("Database")).toContainText(/answers in [\d.,]+ ms/);
  await expect(part("Picture and sound")).toContainText(/\d+ of \d+ running/);
  await expect(part("Free space")).toContainText(/ of /);
  const metrics = await page.getByLabel("Address of the metrics").inputValue();
  const answer = await fetch(metrics, { headers: { authorization: `Bearer ${canaryKey}` } });
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("# HELP")]);
});

test("axe finds nothing in the settings, in any width", async ({ page }) => {
  await signIn(page, console_.server, "/settings");
  for (const section of [
    "Privacy",
    "API keys",
    "Accounts",
    "Quotas",
    "Signed in",
    "Password",
    "Health",
    "Language",
    "Audit log",
  ]) {
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: section }).click();
    await expect(page.getByRole("heading", { level: 2, name: section })).toBeVisible();
    await expectAccessibleInEachWidth(page);
  }
});
