import { expect, test } from "../support/test.ts";
import {
  avatarCard,
  openConsole,
  openedAvatar,
  pageProblems,
  password,
  signIn,
  useConsole,
} from "./console-fixture.ts";

const console_ = useConsole();

test("an owner signs in and out again, on a page that comes from the server itself under a strict policy", async ({
  page,
}) => {
  const problems = pageProblems(page);
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(console_.server.origin) && !/^(?:data|blob):/.test(request.url()))
      foreign.push(request.url());
  });
  const answer = await page.request.get(`${console_.server.origin}/console`);
  const policy = answer.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain("frame-ancestors 'none'");
  await openConsole(page, console_.server, "/avatars");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to your console");
  const field = page.getByLabel("Password", { exact: true });
  await expect(field).toBeFocused();
  await page.keyboard.type("not the password");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText("This password isn’t right.");
  // What was typed is selected: the next letter replaces it.
  await page.keyboard.type(password);
  await expect(field).toHaveValue(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("article").first()).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to your console");
  expect(foreign).toEqual([]);
  expect(problems).toEqual([]);
});

test("a session that ended asks to sign in over the page and continues the action", async ({
  page,
  context,
}) => {
  await signIn(page, console_.server, "/avatars");
  await expect(page.getByRole("heading", { level: 1, name: "Avatars" })).toBeVisible();
  await context.clearCookies();
  await page.getByRole("button", { name: /Start empty/ }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await expect(dialog).toContainText("What you typed is still here.");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(dialog).toBeHidden();
  const id = await openedAvatar(page);
  await page.getByRole("link", { name: "Back to avatars" }).click();
  await expect(avatarCard(page, id)).toBeVisible();
});
