/** A person, where the owner gives a way to one: asked for, from the menu, or after two answers that found nothing. */
import { expect, test, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { useSite } from "../support/served-site.ts";
import { askAndWait } from "../support/talk.ts";
import {
  avatar,
  clickLauncher,
  sessionId,
  snippet,
  untilState,
  type AvatarElement,
} from "../support/widget.ts";

declare global {
  interface Window {
    seenHandovers: unknown[];
  }
}

const served = useSite({
  change: ({ embed_config }) => {
    embed_config["ui"] = {
      handover_url: "mailto:help@shop.example",
      handover_phone: "+44 20 7946 0000",
      handover_event: true,
    };
  },
  pages: (relay, context) => ({ "/": hostPage(snippet(relay, context, 'data-mode="text"')) }),
});

const ways = (page: Page) => avatar(page).getByRole("group", { name: "Talk to a person" });

async function open(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.seenHandovers = [];
    document.addEventListener("visavis-handover", (event) => {
      window.seenHandovers.push(event.detail);
      event.preventDefault();
    });
  });
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
}

test("a person is offered when the visitor asks for one, by phone, address or the page", async ({ page }) => {
  await open(page);
  await askAndWait(page, "How much is the Alder reading chair?");
  await expect(ways(page)).toHaveCount(0);
  await askAndWait(page, "Can I talk to a person?");
  await expect(ways(page).getByRole("link", { name: "Call +44 20 7946 0000" })).toHaveAttribute(
    "href",
    "tel:+442079460000",
  );
  await expect(ways(page).getByRole("link", { name: "Write an email" })).toHaveAttribute(
    "href",
    "mailto:help@shop.example",
  );
  await ways(page).getByRole("link", { name: "Write an email" }).click();
  await ways(page).getByRole("button", { name: "Connect me" }).click();
  await expect(ways(page).getByRole("status")).toHaveText("Your request was passed on.");
  const session = await sessionId(page);
  expect(await page.evaluate(() => window.seenHandovers)).toEqual([
    { reason: "asked", via: "url", sessionId: session },
    { reason: "asked", via: "page", sessionId: session },
  ]);
});

test("a person is offered after two answers that found nothing", async ({ page }) => {
  await open(page);
  await askAndWait(page, "What is the capital of Mongolia?");
  await expect(ways(page)).toHaveCount(0);
  await askAndWait(page, "Who painted the Mona Lisa?");
  await expect(ways(page)).toBeVisible();
  const found = await avatar(page).evaluate((element: AvatarElement) =>
    // What may be meant instead is offered in an entry of its own.
    element.transcript
      .filter(({ role, content }) => role === "avatar" && !content)
      .map((entry) => entry.found),
  );
  expect(found.slice(-2)).toEqual([false, false]);
  await askAndWait(page, "How much is the Alder reading chair?");
  await expect(ways(page)).toHaveCount(0);
});

test("a person can be chosen from the menu, and offered by the page", async ({ page }) => {
  await open(page);
  await avatar(page).getByRole("button", { name: "More" }).click();
  await avatar(page).getByRole("button", { name: "Talk to a person" }).click();
  await ways(page).getByRole("button", { name: "Connect me" }).click();
  await askAndWait(page, "How much is the Alder reading chair?");
  await expect(ways(page)).toHaveCount(0);
  await avatar(page).evaluate((element: AvatarElement) => element.show({ handover: true }));
  await ways(page).getByRole("button", { name: "Connect me" }).click();
  await expect
    .poll(() => page.evaluate(() => window.seenHandovers))
    .toMatchObject([
      { reason: "menu", via: "page" },
      { reason: "offered", via: "page" },
    ]);
});
