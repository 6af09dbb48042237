import { expect, test, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { useSite } from "../support/served-site.ts";
import { askAndWait } from "../support/talk.ts";
import { avatar, clickLauncher, snippet, untilState } from "../support/widget.ts";
import { changeUi, prepareContext } from "../support/service-api.ts";
import { says, startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";

declare global {
  interface Window {
    /** Texts that answers have shown. */
    seenTexts: string[];
    followedLinks: unknown[];
  }
}

const served = useSite({
  pages: (relay, context) => ({ "/": hostPage(snippet(relay, context, 'data-mode="text"')) }),
});

let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served);
  await prepareContext(served, ({ embed_config }) => {
    embed_config["ui"] = { ...(embed_config["ui"] as object), links_allowed: ["shop.example", "mailto:"] };
  });
});

test.afterAll(() => model.close());

const answer = `We deliver **within 3 days**, see [our page](https://shop.example/delivery) and not [theirs](https://elsewhere.example/).

1. Open the *box*
2. Run \`setup\`

| Size | Price |
|------|-------|
| Small | 10 € |

![A chair](https://shop.example/chair.png)
[Run](javascript:alert(1)) <img src=x onerror=alert(1)> https://shop.example/a?b=1&c=2 or help@shop.example.`;

const log = (page: Page) => avatar(page).getByRole("region", { name: "Transcript" });

async function open(page: Page): Promise<void> {
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
}

test("Markdown becomes paragraphs, lists, tables and the allowed links, on a page that allows no markup", async ({
  page,
}) => {
  const refused: string[] = [];
  page.on("console", (message) => {
    if (/security policy|trusted/i.test(message.text())) refused.push(message.text());
  });
  model.answer = says(answer);
  await open(page);
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
  await expect(log(page).locator("img")).toHaveCount(0);
  await expect(log(page)).toContainText("A chair");
  expect(refused).toEqual([]);
});

test("an answer that is being written never shows the marks of its formatting", async ({ page }) => {
  await open(page);
  await avatar(page).evaluate((element) => {
    const seen: string[] = [];
    window.seenTexts = seen;
    const root = element.shadowRoot!;
    new MutationObserver(() => {
      for (const text of root.querySelectorAll(".vv-md")) seen.push(text.textContent);
    }).observe(root, { subtree: true, childList: true, characterData: true });
  });
  const plain = answer.slice(0, answer.indexOf("!["));
  model.answer = says(...Array.from(plain));
  await askAndWait(page, "And in small pieces?");
  await expect(log(page).locator("td")).toHaveText(["Small", "10 €"]);
  const seen = await page.evaluate(() => window.seenTexts);
  expect(seen.length).toBeGreaterThan(5);
  expect(seen.filter((text) => /[*`|]|\]\(|https:/.test(text))).toEqual([]);
});

test("pictures are shown from where the owner allows them", async ({ page }) => {
  await changeUi(served, { images_allowed: ["https://shop.example/"] });
  model.answer = says(
    "![A chair](https://shop.example/chair.png) ![Another](https://elsewhere.example/x.png)",
  );
  await open(page);
  await askAndWait(page, "Show me");
  await expect(log(page).locator("img")).toHaveCount(1);
  await expect(log(page).locator("img")).toHaveAttribute("src", "https://shop.example/chair.png");
  await expect(log(page)).toContainText("Another");
  await changeUi(served, { images_allowed: [] });
});

test("the page is told of a link that a visitor follows, and may open it itself", async ({
  page,
  context,
}) => {
  model.answer = says("See [our page](https://shop.example/delivery).");
  await open(page);
  await askAndWait(page, "Where?");
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
