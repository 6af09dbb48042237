/** The README's picture: the demo shop with its assistant speaking. `npx tsx scripts/take-picture.ts` */
import { openBenchStage } from "../bench/browser.ts";

const stage = await openBenchStage();
try {
  const page = await stage.browser.newPage({ viewport: { width: 1120, height: 700 }, deviceScaleFactor: 1 });
  await page.goto(`${stage.server.origin}/`);
  const corner = page.locator("visavis-avatar:not([variant])");
  await corner.locator("[part~=launcher-button]").click();
  await page.waitForTimeout(6_000);
  await corner.evaluate((element) =>
    (element as unknown as { send(text: string): Promise<void> }).send(
      "How much is the Alder reading chair?",
    ),
  );
  await page.waitForTimeout(2_200);
  await page.screenshot({ path: "docs/picture.jpg", type: "jpeg", quality: 82 });
} finally {
  await stage.close();
}
