import { readFileSync } from "node:fs";
import { expect, test, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { useSite } from "../support/served-site.ts";
import { askAndWait, transcript } from "../support/talk.ts";
import { avatar, clickLauncher, snippet, untilState, type AvatarElement } from "../support/widget.ts";
import { says, startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";

const served = useSite({
  pages: (relay, context) => ({ "/": hostPage(snippet(relay, context, 'data-mode="text"')) }),
});

let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served);
});

test.afterAll(() => model.close());

async function open(page: Page): Promise<void> {
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
}

const log = (page: Page) => avatar(page).getByRole("region", { name: "Transcript" });

test("each answer can be copied, and the whole conversation downloaded, as text without marks", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  model.answer = says("It is **soft**:\n\n- wool\n- [oak](https://shop.example/oak)");
  await open(page);
  await askAndWait(page, "What is it made of?");
  await avatar(page).getByRole("button", { name: "Copy this answer" }).nth(1).click();
  await expect(avatar(page).getByRole("button", { name: "Copied" })).toBeVisible();
  const kept = "It is soft:\n- wool\n- oak (https://shop.example/oak)";
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(kept);
  await avatar(page).getByRole("button", { name: "More" }).click();
  const downloading = page.waitForEvent("download");
  await avatar(page).getByRole("button", { name: "Download" }).click();
  const text = readFileSync(await (await downloading).path(), "utf8");
  expect(text).toContain(`You: What is it made of?\n\nMara: ${kept}`);
});

test("an answer with marks can be copied as soon as they can be taken off", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  model.answer = says("It is **soft**.");
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/assets/formatted-text-*.js", async (route) => {
    await held;
    await route.continue();
  });
  await open(page);
  const copies = avatar(page).getByRole("button", { name: "Copy this answer" });
  await expect(copies).toHaveCount(1);
  await askAndWait(page, "What is it made of?");
  await expect(log(page)).toContainText("It is");
  expect((await transcript(page)).at(-1)).toBe("avatar: It is **soft**. (final)");
  await expect(copies).toHaveCount(1);
  release();
  await copies.nth(1).click();
  await expect(avatar(page).getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("It is soft.");
});

test("a cleared conversation is gone from the panel, and the model no longer knows it", async ({ page }) => {
  model.answer = says("The code word is walnut.");
  await open(page);
  await askAndWait(page, "What is the code word?");
  await avatar(page).getByRole("button", { name: "More" }).click();
  await avatar(page).getByRole("button", { name: "Clear and forget" }).click();
  await expect.poll(() => transcript(page)).toEqual([]);
  await expect(avatar(page).getByText("walnut")).toHaveCount(0);
  model.requests.length = 0;
  await askAndWait(page, "Which word was it?");
  expect(JSON.stringify(model.requests)).not.toContain("walnut is");
  expect(JSON.stringify(model.requests[0]?.messages)).not.toContain("What is the code word?");
});

test("a conversation of a thousand messages stays smooth", async ({ page }) => {
  await open(page);
  await avatar(page).evaluate((element: AvatarElement) => {
    for (let number = 1; number <= 998; number++)
      element.say(
        `Message **${number}** of a long conversation, with [a link](https://shop.example/${number}).`,
      );
  });
  await expect(log(page)).toContainText("Message 998");
  model.answer = says("One more, ", "in **several** ", "pieces ", "of text.");
  const blockedMs = await avatar(page).evaluate(async (element: AvatarElement) => {
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    );
    observer.observe({ entryTypes: ["longtask"] });
    await element.send("And now?");
    await element.updateComplete;
    const box = element.shadowRoot!.querySelector(".vv-log")!;
    for (let step = 0; step < 60; step++) {
      box.scrollTop = (box.scrollHeight * step) / 60;
      await new Promise(requestAnimationFrame);
    }
    tasks.push(...observer.takeRecords().map(({ duration }) => duration));
    return tasks;
  });
  test.info().annotations.push({ type: "long tasks, ms", description: JSON.stringify(blockedMs) });
  // Rows that are out of view are not drawn: without that, each change takes several hundred ms.
  expect(
    await log(page).evaluate((box) => getComputedStyle(box.querySelector(".vv-a")!).contentVisibility),
  ).toBe("auto");
  await expect(log(page)).toContainText("One more, in several pieces of text.");
});
