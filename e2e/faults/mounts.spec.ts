import { expect, test } from "../support/test.ts";
import { holdings, mountAndRemove, recordHoldings, steadyHoldings } from "../support/page-holdings.ts";
import { useProxiedSite } from "../support/served-site.ts";
import { avatar, launcher, startSession, untilState } from "../support/widget.ts";

const served = useProxiedSite();

test("elements mounted and removed, idle, waiting for the relay and while connecting, leave nothing", async ({
  page,
}) => {
  await recordHoldings(page);
  await page.goto(served.site.origin);
  // The first element loads the modules.
  await launcher(page).waitFor();
  await startSession(page);
  await untilState(page, "live");
  await avatar(page).evaluate((element) => element.remove());
  await mountAndRemove(page, served.context, [0]);
  const before = await steadyHoldings(page);

  await mountAndRemove(page, served.context, new Array<null>(10).fill(null));
  // The relay does not answer: the elements are removed while they wait for it.
  served.proxy.rule = ({ method }) => (method === "POST" ? { kind: "silence" } : undefined);
  await mountAndRemove(page, served.context, [0, 10, 20, 40]);
  served.proxy.rule = null;
  // Removed at any moment between the start and the live session.
  await mountAndRemove(page, served.context, [0, 60, 150, 300]);
  await expect.poll(() => holdings(page)).toEqual(before);
});
