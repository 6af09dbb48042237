import { stopTime } from "../support/page-time.ts";
import { expect, test } from "../support/test.ts";
import {
  avatarCard,
  expectAccessible,
  expectNoSidewaysScrolling,
  openConsole,
  openedAvatar,
  pageProblems,
  password,
  signIn,
  useConsole,
} from "./console-fixture.ts";

const console_ = useConsole();

test("the first owner signs in with the password alone, and out again", async ({ page }) => {
  const problems = pageProblems(page);
  await openConsole(page, console_.server);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to your console");
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation", { name: "Console" }).first()).toBeVisible();
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in to your console");
  expect(problems).toEqual([]);
});

test("a wrong password keeps what was typed and says how often one may try", async ({ page }) => {
  await openConsole(page, console_.server);
  const field = page.getByLabel("Password", { exact: true });
  await field.fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText(
    /This password isn’t right. You can try [\d,]+ more times? this minute./,
  );
  await expect(field).toHaveValue("not the password");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expectAccessible(page);
});

test("the password can be shown", async ({ page }) => {
  await openConsole(page, console_.server);
  const field = page.getByLabel("Password", { exact: true });
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(field).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(field).toHaveAttribute("type", "password");
});

test("an address inside the console is shown after signing in", async ({ page }) => {
  await signIn(page, console_.server, "/no-such-page");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("There is no such page");
});

test("a session that ended asks to sign in over the page and continues the action", async ({
  page,
  context,
}) => {
  await signIn(page, console_.server, "/avatars");
  const heading = page.getByRole("heading", { level: 1, name: "Avatars" });
  await expect(heading).toBeVisible();
  await context.clearCookies();
  await page.getByRole("button", { name: /Start empty/ }).click();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await expect(dialog).toContainText("What you typed is still here.");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(dialog).toBeHidden();
  const id = await openedAvatar(page);
  await page.getByRole("link", { name: "Back to avatars" }).click();
  await expect(avatarCard(page, id)).toBeVisible();
});

test("a page without network says so, tries again, and shows the data when it is back", async ({
  page,
  context,
}) => {
  await page.clock.install();
  await signIn(page, console_.server, "/no-such-page");
  await context.route("**/api/console/contexts/", (route) => route.abort());
  // It tries a few times only, the first time after a second.
  await stopTime(page);
  await page.evaluate(() => (location.hash = "#/avatars"));
  await expect(page.getByRole("alert")).toContainText("The server doesn’t answer. Trying again, 1 of 5.");
  await context.unroute("**/api/console/contexts/");
  await page.clock.resume();
  await expect(page.getByRole("article").first()).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("requests that another site forges are refused", async ({ page }) => {
  await signIn(page, console_.server, "/avatars");
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const { origin } = console_.server;
  const forged = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${origin}/api/console/logout/`, { method: "POST", headers: { cookie, ...headers } });
  const foreign = await forged({ origin: "https://evil.example", "content-type": "application/json" });
  expect(foreign.status).toBe(403);
  const form = await forged({ origin, "content-type": "application/x-www-form-urlencoded" });
  expect(form.status).toBe(403);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Avatars");
});

test("everything comes from the server itself, under a strict policy", async ({ page }) => {
  const problems = pageProblems(page);
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(console_.server.origin) && !/^(?:data|blob):/.test(request.url()))
      foreign.push(request.url());
  });
  const answer = await page.goto(`${console_.server.origin}/console`);
  const policy = answer?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain("frame-ancestors 'none'");
  await page.goto("about:blank");
  await signIn(page, console_.server, "/avatars");
  await expect(page.getByRole("article").first()).toBeVisible();
  expect(foreign).toEqual([]);
  expect(problems).toEqual([]);
});

test("the page is in the browser's language, Korean here, and keeps the right-to-left order", async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: "ko-KR" });
  const page = await context.newPage();
  await openConsole(page, console_.server, "/avatars");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("콘솔에 로그인");
  await expect(page.locator("html")).toHaveAttribute("lang", "ko");
  await page.getByLabel("비밀번호", { exact: true }).fill(password);
  await page.getByRole("button", { name: "로그인", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("아바타");
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  for (const width of [1280, 800, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScrolling(page);
  }
  await context.close();
});

for (const width of [1280, 390])
  test(`axe finds nothing on the page for signing in, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await openConsole(page, console_.server);
    await expect(page.getByLabel("Password", { exact: true })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScrolling(page);
  });
