import { expect, test, type Page } from "../support/test.ts";
import { recordConnections, recordEvents, seenErrors, seenStates } from "../support/page-records.ts";
import { useProxiedSite } from "../support/served-site.ts";
import { callApi, storedEvents, terminationReason } from "../support/service-api.ts";
import { openAvatar, panelText } from "../support/talk.ts";
import { avatar, sessionId, tryAgainButton, untilState, type AvatarElement } from "../support/widget.ts";

const served = useProxiedSite();

/**
 * Makes the browser report a failed connection, and every later exchange fail, and with the heartbeats the way by single requests
 * that would be the last resort.
 */
async function loseForGood(page: Page): Promise<void> {
  await page.route(/\/event$/, (route) =>
    route.request().postData()?.includes("SESSION_DURING")
      ? route.fulfill({ status: 503 })
      : route.fallback(),
  );
  served.proxy.rule = ({ path }) =>
    /\/(?:exchange|ice-servers)$/.test(path) ? { kind: "refuse", status: 503 } : undefined;
  await page.evaluate(() => {
    const connection = window.madeConnections.at(-1)!;
    Object.defineProperty(connection, "connectionState", { get: () => "failed", configurable: true });
    connection.onconnectionstatechange?.(new Event("connectionstatechange"));
  });
}

/** Lets a minute pass, whatever the page waits for meanwhile, until it has given up or something else has ended the session. */
async function untilGivenUp(page: Page): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(5_000);
    expect((await seenStates(page)).at(-1)).toMatch(/^(?:error|ended)$/);
  }).toPass({ intervals: [100] });
}

test("after a minute without success there is one error, and Retry works", async ({ page }) => {
  await recordConnections(page);
  await recordEvents(page);
  await page.clock.install();
  const id = await openAvatar(page, served.site.origin);
  await expect.poll(() => storedEvents(served.server, id)).toContain("SESSION_START");
  await page.clock.runFor(1_000);
  await loseForGood(page);
  await untilState(page, "reconnecting");
  await untilGivenUp(page);
  expect(await seenErrors(page)).toEqual(["connection_failed"]);
  await expect.poll(() => panelText(page)).toContain("connection_failed");
  const ends = async () =>
    (await storedEvents(served.server, id)).filter((kind) => /_END$|_ERROR$/.test(kind));
  await expect.poll(ends).toEqual(["SESSION_ERROR"]);
  served.proxy.rule = null;
  await page.unrouteAll();
  await tryAgainButton(page).click();
  await untilState(page, "live");
  expect(await sessionId(page)).not.toBe(id);
});

/** What can end a session. */
const endings: Record<string, (page: Page, id: string) => Promise<unknown>> = {
  close: (page) => avatar(page).evaluate((element: AvatarElement) => void element.end()),
  // The operator ends it. The page learns that with the answer to its next report.
  terminate: async (page, id) => {
    await callApi(served.server, `/api/v1/session/${id}/event/create/`, {
      method: "POST",
      body: JSON.stringify({ event: "SESSION_END", detail: "by the operator" }),
    });
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  },
  failed: async (page) => {
    await loseForGood(page);
    await untilGivenUp(page);
  },
  unmount: (page) => page.evaluate(() => document.querySelector("visavis-avatar")?.remove()),
};

/** Each after each other one: what comes third finds an end, like the second. */
const orders = Object.keys(endings).flatMap((first) =>
  Object.keys(endings)
    .filter((second) => second !== first)
    .map((second) => [first, second]),
);

for (const order of orders)
  test(`after ${order.join(", then ")} the page has reported at most one end and the session has ended once`, async ({
    page,
  }) => {
    await recordConnections(page);
    await recordEvents(page);
    await page.clock.install();
    const id = await openAvatar(page, served.site.origin);
    await page.clock.runFor(500);
    await expect.poll(() => storedEvents(served.server, id)).toContain("SESSION_START");
    const untilEnded = () =>
      expect.poll(() => terminationReason(served.server, id), { message: order.join(" ") }).not.toBeNull();
    for (const [index, name] of order.entries()) {
      if ((await page.locator("visavis-avatar").count()) === 0) continue;
      // The page's report and the operator's come by different ways: the operator's must not overtake.
      if (name === "terminate" && index > 0) await untilEnded();
      await endings[name]!(page, id);
    }
    await untilEnded();
    await page.close();
    const events = (await (await callApi(served.server, `/api/v1/session/${id}/event/`)).json()) as {
      event: string;
      detail: string | null;
    }[];
    const byThePage = events.filter(
      ({ event, detail }) => /_END$|_ERROR$/.test(event) && detail !== "by the operator",
    );
    expect(byThePage.length, order.join(" ")).toBeLessThanOrEqual(1);
    if (order[0] !== "terminate") expect(byThePage, order.join(" ")).toHaveLength(1);
    expect(events.filter(({ event }) => event === "SESSION_START")).toHaveLength(1);
  });
