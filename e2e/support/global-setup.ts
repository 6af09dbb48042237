import { chromium, type FullConfig } from "@playwright/test";
import { serveGallery } from "./gallery-page.ts";
import { sharedEnvironment, shareServer } from "./shared-server.ts";
import { startServer } from "./stack.ts";

/**
 * Starts the server that all tests share, builds the gallery's page, and starts the browser once, so that the first tests' time limits do
 * not pay for that. Returns what ends them.
 */
export default async function setUp({ projects }: FullConfig): Promise<() => Promise<void>> {
  const [server, closeGallery] = await Promise.all([startServer("start", sharedEnvironment), serveGallery()]);
  shareServer(server);
  const browser = await chromium.launch(projects[0]?.use.launchOptions);
  const page = await browser.newPage();
  await page.setContent("<p>ready</p>");
  await browser.close();
  return async () => {
    await Promise.all([server.stop(), closeGallery()]);
  };
}
