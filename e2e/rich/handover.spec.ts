/** A person, where the owner gives a way to one. */
import { expect, test, type Page } from "../support/test.ts";
import { useSite } from "../support/served-site.ts";
import { askAndWait } from "../support/talk.ts";
import { avatar, clickLauncher, sessionId, untilState, type AvatarElement } from "../support/widget.ts";

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
  attributes: 'data-mode="text"',
});

const ways = (page: Page) => avatar(page).getByRole("group", { name: "Talk to a person" });

test("a person is offered when the visitor asks for one, by phone, address or the page; chosen from the menu; and offered by the page", async ({
  page,
}) => {
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

  await page.evaluate(() => void (window.seenHandovers = []));
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
