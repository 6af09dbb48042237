import { readFileSync } from "node:fs";
import { expect, test, type Page } from "../support/test.ts";
import { useSite } from "../support/served-site.ts";
import { askAndWait, transcript } from "../support/talk.ts";
import { avatar, clickLauncher, untilState, type AvatarElement } from "../support/widget.ts";
import { prepareContext } from "../support/service-api.ts";
import { says, startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";

declare global {
  interface Window {
    /** Texts that answers have shown while they were written. */
    seenTexts: string[];
    followedLinks: unknown[];
  }
}

const served = useSite({ attributes: 'data-mode="text"' });

let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served);
  await prepareContext(served, ({ embed_config }) => {
    embed_config["ui"] = {
      ...(embed_config["ui"] as object),
      links_allowed: ["shop.example", "mailto:"],
      images_allowed: ["https://shop.example/"],
    };
  });
});

test.afterAll(() => model.close());

const answer = `We deliver **within 3 days**, see [our page](https://shop.example/delivery) and not [theirs](https://elsewhere.example/).

1. Open the *box*
2. Run \`setup\`

| Size | Price |
|------|-------|
| Small | 10 € |

![A chair](https://shop.example/chair.png) ![Another chair](https://elsewhere.example/x.png)
[Run](javascript:alert(1)) <img src=x onerror=alert(1)> https://shop.example/a?b=1&c=2 or help@shop.example.`;

const log = (page: Page) => avatar(page).getByRole("region", { name: "Transcript" });

async function open(page: Page): Promise<void> {
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
}

test("Markdown becomes paragraphs, lists, tables, and the allowed pictures and links, which the page may open itself, without ever showing its marks, on a page that allows no markup", async ({
  page,
  context,
}) => {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (/security policy|trusted/i.test(message.text())) refused.push(message.text());
  });
  model.answer = says(...Array.from(answer));
  await open(page);
  await avatar(page).evaluate((element) => {
    const seen: string[] = [];
    window.seenTexts = seen;
    const root = element.shadowRoot!;
    new MutationObserver(() => {
      for (const text of root.querySelectorAll(".vv-md")) seen.push(text.textContent);
    }).observe(root, { subtree: true, childList: true, characterData: true });
  });
  await askAndWait(page, "How long does it take?");
  await expect(log(page).locator("strong")).toHaveText("within 3 days");
  await expect(log(page).locator("ol li")).toHaveText(["Open the box", "Run setup"]);
  await expect(log(page).locator("code")).toHaveText("setup");
  await expect(log(page).locator("th")).toHaveText(["Size", "Price"]);
  await expect(log(page).locator("td")).toHaveText(["Small", "10 €"]);
  const links = await log(page)
    .locator("a")
    .evaluateAll((all) =>
      (all as HTMLAnchorElement[]).map(({ href, target, rel, textContent }) => [
        textContent,
        href,
        target,
        rel,
      ]),
    );
  expect(links).toEqual([
    ["our page", "https://shop.example/delivery", "_blank", "noopener noreferrer"],
    ["https://shop.example/a?b=1&c=2", "https://shop.example/a?b=1&c=2", "_blank", "noopener noreferrer"],
    ["help@shop.example", "mailto:help@shop.example", "_blank", "noopener noreferrer"],
  ]);
  await expect(log(page)).toContainText("not theirs.");
  await expect(log(page)).toContainText("<img src=x onerror=alert(1)>");
  await expect(log(page).locator("img")).toHaveCount(1);
  await expect(log(page).locator("img")).toHaveAttribute("src", "https://shop.example/chair.png");
  await expect(log(page)).toContainText("Another chair");
  // The page's policy knows only the relay.
  expect(refused.filter((line) => !line.includes("shop.example/chair.png"))).toEqual([]);
  const seen = await page.evaluate(() => window.seenTexts);
  expect(seen.length).toBeGreaterThan(5);
  expect(seen.filter((text) => /[*`|]|\]\(/.test(text))).toEqual([]);

  await page.evaluate(() => {
    window.followedLinks = [];
    document.addEventListener("visavis-link", (event) => {
      window.followedLinks.push(event.detail);
      event.preventDefault();
    });
  });
  await log(page).getByRole("link", { name: "our page" }).click();
  expect(await page.evaluate(() => window.followedLinks)).toEqual([
    { href: "https://shop.example/delivery" },
  ]);
  expect(context.pages()).toHaveLength(1);
});

test("an answer can be copied as soon as its marks can be taken off, the whole conversation be downloaded, and what is out of view costs nothing", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  model.answer = says("It is **soft**:\n\n- wool\n- [oak](https://shop.example/oak)");
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
  expect((await transcript(page)).at(-1)).toMatch(/^avatar: It is \*\*soft\*\*:.* \(final\)$/s);
  await expect(copies).toHaveCount(1);
  release();
  await copies.nth(1).click();
  await expect(avatar(page).getByRole("button", { name: "Copied" })).toBeVisible();
  const kept = "It is soft:\n- wool\n- oak (https://shop.example/oak)";
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(kept);

  await avatar(page).evaluate((element: AvatarElement) => {
    for (let number = 1; number <= 60; number++) element.say(`Message **${number}** of a long conversation.`);
  });
  await expect(log(page)).toContainText("Message 60");
  await expect(log(page).locator(".vv-a").first()).toHaveCSS("content-visibility", "auto");

  await avatar(page).getByRole("button", { name: "More" }).click();
  const downloading = page.waitForEvent("download");
  await avatar(page).getByRole("button", { name: "Download" }).click();
  const text = readFileSync(await (await downloading).path(), "utf8");
  expect(text).toContain(`You: What is it made of?\n\nMara: ${kept}`);
});
