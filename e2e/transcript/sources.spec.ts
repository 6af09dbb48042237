/** Below a quoted answer stands where it is from. */
import { expect, test } from "../support/test.ts";
import { hostPage } from "../support/host-page.ts";
import { useSite } from "../support/served-site.ts";
import { callApi, prepareContext } from "../support/service-api.ts";
import { ask, askAndWait, transcript } from "../support/talk.ts";
import { avatar, clickLauncher, snippet, untilState } from "../support/widget.ts";

const sentence = "A walnut table takes six weeks to arrive.";
const served = useSite({
  pages: (relay, context) => {
    const tag = snippet(relay, context, 'data-mode="text"');
    const text = `<div style="height: 300vh">We build to order.</div><h2>Time</h2><p id="time">${sentence}</p>`;
    return { "/": hostPage(tag), "/delivery": hostPage(text + tag) };
  },
});

test.beforeAll(async () => {
  let context = "";
  await prepareContext(served, ({ id }) => void (context = id));
  const address = `${served.site.origin}/delivery`;
  const body = JSON.stringify({ address, contexts: [context] });
  expect((await callApi(served.server, "/api/console/websites/", { method: "POST", body })).status).toBe(201);
  await expect
    .poll(async () => {
      const list = (await (await callApi(served.server, "/api/console/websites/")).json()) as object[];
      return list.find((website) => "address" in website && website.address === address);
    })
    .toMatchObject({ state: "ready" });
});

test("a document's passage is shown, and a page of the website opens at the sentence while the conversation goes on", async ({
  page,
}) => {
  const log = avatar(page).locator("[part~=transcript]");
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await askAndWait(page, "Do you ship to Austria?");
  const chip = log.locator("summary.vv-source");
  await expect(chip).toHaveCount(1);
  await expect(log.locator(".vv-sources blockquote")).toBeHidden();
  await chip.click();
  await expect(log.locator(".vv-sources mark").first()).toBeVisible();
  await ask(page, "How long does a walnut table take to arrive?");
  const link = log.locator("a.vv-source");
  await expect(link).toHaveAttribute("href", /\/delivery#:~:text=A%20walnut/);
  await link.click();
  await page.waitForURL(/\/delivery/);
  await expect(page.locator("#time")).toBeInViewport();
  await untilState(page, "live");
  expect(await transcript(page)).toContain(`avatar: ${sentence} (final)`);
  await expect(log.locator("a.vv-source")).toHaveCount(1);
});
