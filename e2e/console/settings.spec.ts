import { expect, test } from "../support/test.ts";
import { readContext } from "../support/service-api.ts";
import { expectStatus, signIn, useConsole } from "./console-fixture.ts";
import { invited } from "./invite.ts";

const console_ = useConsole();
/** Accounts of the shared server are everybody's. */
const vera = `vera-${Date.now()}`;

test("a viewer who was invited, once, reads and cannot change; an owner makes them an editor and removes them", async ({
  page,
  browser,
}) => {
  await signIn(page, console_.server, "/settings/accounts");
  const viewer = await invited(console_.server, page, browser, "viewer", vera);
  const link = await page.getByRole("textbox", { name: "The invitation’s link" }).inputValue();
  await viewer.goto(`${console_.server.origin}/console/#/avatars`);
  await expect(viewer.getByRole("article").first()).toBeVisible();
  await expect(viewer.getByRole("button", { name: /More about/ })).toHaveCount(0);
  await expect(viewer.getByRole("heading", { name: "New avatar" })).toHaveCount(0);
  const { id } = await readContext({ server: console_.server, context: "ctx_demo" });
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
  await page.getByRole("combobox", { name: `Role of ${vera}` }).selectOption("editor");
  await expectStatus(page, `The role of ${vera} was changed.`);
  await viewer.goto(`${console_.server.origin}/console/#/avatars`);
  await viewer.reload();
  await expect(viewer.getByRole("button", { name: /More about/ }).first()).toBeVisible();

  const changed = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await page.getByRole("combobox", { name: `Role of ${vera}` }).selectOption("viewer");
  expect((await changed).status()).toBe(200);
  await viewer
    .getByRole("button", { name: /More about/ })
    .first()
    .click();
  await viewer.getByRole("menuitem", { name: "Pause" }).click();
  await expectStatus(viewer, "You may not do this here.");

  await page.getByRole("button", { name: `Remove ${vera}` }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByRole("row").filter({ hasText: vera })).toHaveCount(0);
  await viewer.reload();
  await expect(viewer.getByRole("heading", { level: 1 })).toHaveText("Sign in to your console");
  await viewer.goto(link);
  await expect(viewer.getByRole("heading", { level: 1 })).toHaveText("This invitation does not work");
  await viewer.context().close();
});
