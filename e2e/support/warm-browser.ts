import { chromium, type FullConfig } from "@playwright/test";

/** Starts the browser once before the first test, whose time limits would otherwise also pay for reading it from the disk. */
export default async function warmBrowser({ projects }: FullConfig): Promise<void> {
  const browser = await chromium.launch(projects[0]?.use.launchOptions);
  const page = await browser.newPage();
  await page.setContent("<p>ready</p>");
  await browser.close();
}
