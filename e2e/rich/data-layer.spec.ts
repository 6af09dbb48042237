/** The page's data layer, for the owner's analytics. */
import { expect, test, type Page } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { useSite } from "../support/served-site.ts";
import { changeContext } from "../support/service-api.ts";
import { askAndWait } from "../support/talk.ts";
import { avatar, clickLauncher, endSession, snippet, untilState } from "../support/widget.ts";

const served = useSite({
  pages: (relay, context) => ({ "/": hostPage(snippet(relay, context, 'data-mode="text"')) }),
});

const setLayer = (layer: boolean | string): Promise<void> =>
  changeContext(served, (context) => {
    context.embed_config["analytics"] = { data_layer: layer };
  });

const layer = (page: Page, name: string): Promise<unknown> =>
  page.evaluate((key): unknown => Reflect.get(window, key), name);

test("the events of a conversation reach the page's data layer, without any text", async ({ page }) => {
  await setLayer(true);
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  const told = (event: string) =>
    expect.poll(async () => JSON.stringify(await layer(page, "dataLayer"))).toContain(event);
  await told("visavis_start");
  await askAndWait(page, "How much is the Alder reading chair?");
  await told("visavis_answer");
  await avatar(page).getByRole("button", { name: "This helped" }).last().click();
  await told("visavis_rating");
  await endSession(page);
  await told("visavis_end");
  const events = (await layer(page, "dataLayer")) as { event: string }[];
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining([
      "visavis_open",
      "visavis_start",
      "visavis_question",
      "visavis_answer",
      "visavis_rating",
      "visavis_end",
    ]),
  );
  expect(events.filter(({ event }) => event === "visavis_question")).toHaveLength(1);
  expect(JSON.stringify(events)).not.toMatch(/alder|chair|480/i);
});

test("the owner names the data layer", async ({ page }) => {
  await setLayer("shopEvents");
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await expect.poll(() => layer(page, "shopEvents")).toContainEqual({ event: "visavis_start" });
  expect(await layer(page, "dataLayer")).toBeUndefined();
});
