import { expect, test, type Page } from "../../support/test.ts";
import { livingElements } from "../../support/living-elements.ts";
import { holdings, holdingsOfModules, mountAndRemove } from "../../support/page-holdings.ts";
import { allowSoftwareWebgl } from "../../support/software-webgl.ts";
import { useProxiedSite } from "../../support/served-site.ts";
import { liveSessions } from "../../support/service-api.ts";
import { launcher } from "../../support/widget.ts";

const served = useProxiedSite({ env: {} });

declare global {
  interface Window {
    /** WebGL contexts of the page that still have their memory. */
    contextsInUse(): number;
  }
}

test("a hundred elements mounted and removed, idle, waiting for the relay and while connecting, leave nothing", async ({
  page,
}) => {
  const before = await holdingsOfModules(page, served.site.origin, served.context);

  await mountAndRemove(
    page,
    served.context,
    Array.from({ length: 60 }, () => null),
  );
  // The relay does not answer: the elements are removed while they wait for it.
  served.proxy.rule = ({ method }) => (method === "POST" ? { kind: "silence" } : undefined);
  await mountAndRemove(
    page,
    served.context,
    Array.from({ length: 25 }, (_, index) => index * 4),
  );
  served.proxy.rule = null;
  // Removed at any moment between the start and the live session.
  await mountAndRemove(
    page,
    served.context,
    Array.from({ length: 15 }, (_, index) => index * 40),
  );

  await expect.poll(() => holdings(page)).toEqual(before);
  await expect.poll(() => liveSessions(served.server)).toBe(0);
});

/** Notes the page's WebGL contexts, without keeping them alive. */
async function recordContexts(page: Page): Promise<void> {
  await page.addInitScript(allowSoftwareWebgl);
  await page.addInitScript(() => {
    const contexts: WeakRef<WebGL2RenderingContext>[] = [];
    const native = HTMLCanvasElement.prototype.getContext as (...given: unknown[]) => unknown;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...given: unknown[]) {
      const context = native.apply(this, given);
      if (context instanceof WebGL2RenderingContext) contexts.push(new WeakRef(context));
      return context;
    } as never;
    window.contextsInUse = () => contexts.filter((each) => each.deref()?.isContextLost() === false).length;
  });
}

test("an element removed within half a second of its start leaves neither itself, nor a WebGL context, nor a session", async ({
  page,
}) => {
  await recordContexts(page);
  await page.goto(served.site.origin);
  await launcher(page).waitFor();
  // The element is removed before the widget is there. No handle of the test's own may keep it alive.
  await page.evaluate(() => {
    const element = document.querySelector("visavis-avatar")!;
    void element.start().catch(() => undefined);
    element.remove();
  });
  await page.waitForFunction(() => customElements.get("visavis-avatar") !== undefined);
  expect(await page.evaluate(() => new Promise((resolve) => setTimeout(() => resolve("still runs"))))).toBe(
    "still runs",
  );
  // The modules are loaded by the first one; the browser has the context by then.
  await mountAndRemove(page, served.context, [0, 20, 60, 60, 60, 120, 250, 400, 480]);
  const devtools = await page.context().newCDPSession(page);
  await expect.poll(() => livingElements(page, devtools)).toBe(0);
  await expect
    .poll(async () => {
      await devtools.send("HeapProfiler.collectGarbage");
      return page.evaluate(() => window.contextsInUse());
    })
    .toBe(0);
  await expect.poll(() => liveSessions(served.server)).toBe(0);
});
