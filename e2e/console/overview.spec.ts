import { expect, test, type Locator, type Page } from "../support/test.ts";
import { refuses, says, startScriptedModel } from "../support/scripted-model.ts";
import { readContext, type ContextPlace } from "../support/service-api.ts";
import type { Server } from "../support/stack.ts";
import {
  callService,
  expectAccessible,
  expectAccessibleInEachWidth,
  expectNoSidewaysScrolling,
  pageProblems,
  signIn,
  useConsole,
  widths,
} from "./console-fixture.ts";
import { invited } from "./invite.ts";
import { converse, keepWords } from "./visitor.ts";

/** A time zone in which it is about noon: days of the server and of the browser do not begin during the tests. */
const hoursToNoon = 12 - new Date().getUTCHours();
const zone = `Etc/GMT${hoursToNoon > 0 ? "-" : "+"}${Math.abs(hoursToNoon)}`;
test.use({ timezoneId: zone });

const demoOf = (server: Server): ContextPlace => ({ server, context: "ctx_demo" });

const step = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { level: 2, name }) });

const figure = (page: Page, name: string) =>
  page.locator("dl > div").filter({ has: page.getByText(name, { exact: true }) });

test.describe("the first run", () => {
  const console_ = useConsole({ TZ: zone });

  test("axe finds nothing in the three steps, in any width", async ({ page }) => {
    await signIn(page, console_.server);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Three steps to the first conversation");
    await expect(step(page, "Shape your avatar").getByRole("img")).toHaveCount(0);
    await expectAccessibleInEachWidth(page);
  });

  test("a language model can be added at once; a viewer sees the steps and cannot take them", async ({
    page,
    browser,
  }) => {
    const { server } = console_;
    await signIn(page, server);
    await page.getByRole("link", { name: "Add a language model" }).click();
    await expect(page.getByRole("dialog", { name: "Add a language model" })).toBeVisible();
    await page.goto(`${server.origin}/console/#/settings/accounts`);
    await page.reload();
    const viewer = await invited(server, page, browser, "viewer", "Watcher");
    await viewer.goto(`${server.origin}/console/#/`);
    await expect(step(viewer, "Teach it")).toBeVisible();
    await expect(
      viewer.getByRole("listitem").getByRole("link", { name: /Choose an avatar|Get the line/ }),
    ).toHaveCount(0);
    await expect(viewer.getByRole("link", { name: "Add a language model" })).toHaveCount(0);
    await viewer.context().close();
  });

  test("each step is done as soon as it is, without a reload", async ({ page }) => {
    const problems = pageProblems(page);
    const { server } = console_;
    await page.clock.install();
    await signIn(page, server);
    /** The text of a place whenever the page has asked again, which it does every few seconds of its clock. */
    const soon = (place: Locator) =>
      expect.poll(async () => {
        await page.clock.fastForward(5_000);
        return place.innerText();
      });
    await expect(step(page, "Put it on your page")).toContainText("Not on a page yet");
    const context = await readContext(demoOf(server));
    const saved = await callService(server, "PUT", `/api/console/b2c/contexts/${context.id}/`, {
      ...context,
      embed_config: { ...context.embed_config, allowed_origins: ["https://shop.example"] },
    });
    expect(saved.status).toBe(200);
    await soon(step(page, "Shape your avatar")).toContain("Done");
    await expect(step(page, "Put it on your page")).toContainText("Waiting for your page");
    await callService(server, "POST", "/api/console/knowledge/", {
      title: "Delivery",
      text: "We deliver within three days.",
    });
    await soon(step(page, "Teach it")).toContain("Done");
    await callService(server, "POST", `/api/console/contexts/${context.id}/pages/`, {
      origin: "https://shop.example",
      allowed: true,
    });
    await soon(step(page, "Put it on your page")).toContain("First seen on shop.example");
    await converse(demoOf(server), ["How much is the Birch chair?"]);
    await soon(page.getByRole("heading", { level: 1 })).toContain("1 conversation today");
    await expect(page.getByRole("heading", { name: "Shape your avatar" })).toHaveCount(0);
    expect(problems).toEqual([]);
  });
});

test.describe("figures", () => {
  const console_ = useConsole({ TZ: zone });
  const missing = "Do you ship zebra crates to Ljubljana?";

  test.beforeAll(async () => {
    const { server } = console_;
    const { id } = await readContext(demoOf(server));
    await callService(server, "POST", `/api/console/contexts/${id}/pages/`, {
      origin: "https://shop.example",
      allowed: true,
    });
    await keepWords(demoOf(server), 14);
    await converse(demoOf(server), ["How much is the Birch chair?", missing]);
    await converse(demoOf(server), ["How much is the Birch chair?"]);
  });

  test("today's figures, the chart's figures as a table, and what came last", async ({ page }) => {
    await signIn(page, console_.server);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("2 conversations today");
    await expect(page.getByText("2 of 3 questions had an answer.")).toBeVisible();
    await expect(figure(page, "Conversations")).toContainText("2 more than last");
    await expect(figure(page, "Answered")).toContainText("67");
    await expect(figure(page, "Could not answer").first()).toContainText("1");
    await expect(
      page.getByRole("img", { name: /Conversations a day in the last 30 days: 2 today/ }),
    ).toBeVisible();
    await page.getByText("The figures as a table").click();
    const today = page.getByRole("row").nth(1);
    await expect(today.getByRole("cell").nth(0)).toHaveText("2");
    await expect(today.getByRole("cell").nth(1)).toHaveText("1");
    await expect(page.getByRole("row")).toHaveCount(31);
    await expect(page.getByRole("link", { name: "How much is the Birch chair?" }).first()).toBeVisible();
    await expectAccessible(page);
  });

  test("a question without an answer leads to its answer", async ({ page }) => {
    await signIn(page, console_.server);
    await page.getByRole("link", { name: `Teach ${missing}` }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Unanswered questions");
    await expect(page.getByLabel("Answer", { exact: true })).toBeFocused();
  });

  test("the navigation shows how many questions have no answer, and one less when one is hidden", async ({
    page,
  }) => {
    await signIn(page, console_.server, "/unanswered");
    const navigation = page.getByRole("navigation", { name: "Console" }).first();
    await expect(navigation.getByRole("link", { name: "Unanswered 1 open" })).toBeVisible();
    await page.getByRole("button", { name: /Not for us/ }).click();
    await expect(navigation.getByRole("link", { name: "Unanswered", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(navigation.getByRole("link", { name: "Unanswered 1 open" })).toBeVisible();
  });

  test("the figures are of one avatar when it is chosen, and the address keeps the choice", async ({
    page,
  }) => {
    await signIn(page, console_.server);
    await page.getByRole("combobox", { name: "Avatar" }).selectOption({ label: "Tomas" });
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("No conversations yet");
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("No conversations yet");
  });

  test("an engine that fails is a problem on top, with the way to its test", async ({ page }) => {
    const { server } = console_;
    const model = await startScriptedModel({ server, context: "ctx_demo" });
    try {
      model.answer = refuses(500);
      await converse(demoOf(server), ["Are you there?", "And now?"], undefined, model.name);
      await signIn(page, server);
      const alert = page.getByRole("alert").filter({ hasText: model.name });
      await expect(alert).toContainText(`cannot answer: calls of its language model ${model.name} fail.`);
      await expect(alert).toContainText("Since: Today");
      await expectAccessible(page);
      await alert.getByRole("link", { name: "See engines" }).click();
      const card = page.getByRole("article", { name: model.name });
      await expect(card).toContainText("Not answering since: Today");
      model.answer = says("I am here.");
      await card.getByRole("button", { name: `Test ${model.name}` }).click();
      await expect(card).toContainText("I am here.");
      await expect(card).toContainText("Working");
    } finally {
      model.close();
    }
  });

  test("a limit on requests is told, and the figures come when it is tried again", async ({
    page,
    context,
  }) => {
    await signIn(page, console_.server, "/no-such-page");
    let isLimited = true;
    let answer = (): void => undefined;
    const pressed = new Promise<void>((resolve) => (answer = resolve));
    await context.route("**/api/console/overview/", async (route) => {
      if (isLimited) return route.fulfill({ status: 429, headers: { "retry-after": "7" }, body: "{}" });
      // The page also tries by itself, after a while.
      await pressed;
      return route.fallback();
    });
    await page.evaluate(() => (location.hash = "#/"));
    await expect(page.getByRole("alert")).toContainText("Too many attempts. Try again in 7 seconds.");
    isLimited = false;
    await page.getByRole("button", { name: "Try again" }).click();
    answer();
    await expect(figure(page, "Conversations")).toBeVisible();
    await expect(page.getByText("Too many attempts.")).toHaveCount(0);
  });

  test("a viewer sees the figures and nothing to change", async ({ page, browser }) => {
    await signIn(page, console_.server, "/settings/accounts");
    const viewer = await invited(console_.server, page, browser, "viewer", "Vera");
    await viewer.goto(`${console_.server.origin}/console/#/`);
    await expect(figure(viewer, "Conversations")).toBeVisible();
    await expect(viewer.getByRole("link", { name: /^Teach/ })).toHaveCount(0);
    await expect(viewer.getByRole("link", { name: "Change", exact: true })).toHaveCount(0);
    await viewer.context().close();
  });

  test("axe finds nothing in the figures, in any width", async ({ page }) => {
    await signIn(page, console_.server);
    await expect(figure(page, "Conversations")).toBeVisible();
    await expect(page.getByRole("heading", { name: "Just now" })).toBeVisible();
    await expectAccessibleInEachWidth(page);
  });

  test("in Korean, and from right to left, nothing is wider than the window", async ({ browser }) => {
    const context = await browser.newContext({ locale: "ko-KR" });
    const page = await context.newPage();
    await page.goto(`${console_.server.origin}/console/`);
    await page.getByLabel("비밀번호", { exact: true }).fill("a long enough password");
    await page.getByRole("button", { name: "로그인", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText("오늘 대화");
    await page.evaluate(() => (document.documentElement.dir = "rtl"));
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScrolling(page);
    }
    await context.close();
  });
});
