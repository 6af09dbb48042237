import { expect, test } from "../support/test.ts";
import { holdings, holdingsOfModules, mountAndRemove } from "../support/page-holdings.ts";
import { useProxiedSite } from "../support/served-site.ts";

const served = useProxiedSite();

test("elements mounted and removed, idle, waiting for the relay and while connecting, leave nothing", async ({
  page,
}) => {
  const before = await holdingsOfModules(page, served.site.origin, served.context);

  await mountAndRemove(page, served.context, new Array<null>(10).fill(null));
  // The relay does not answer: the elements are removed while they wait for it.
  served.proxy.rule = ({ method }) => (method === "POST" ? { kind: "silence" } : undefined);
  await mountAndRemove(page, served.context, [0, 10, 20, 40]);
  served.proxy.rule = null;
  // Removed at any moment between the start and the live session.
  await mountAndRemove(page, served.context, [0, 60, 150, 300]);
  await expect.poll(() => holdings(page)).toEqual(before);
});
