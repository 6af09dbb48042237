import { chromium, type FullConfig } from "@playwright/test";
import { sharedEnvironment, shareServer } from "./shared-server.ts";
import { startServer } from "./stack.ts";

/**
 * Starts the server that all tests share, and the browser once, so that the first tests' time limits do not pay for that. Returns what ends
 * the server.
 */
export default async function setUp({ projects }: FullConfig): Promise<() => Promise<void>> {
  const server = await startServer("start", sharedEnvironment);
  shareServer(server);
  const browser = await chromium.launch(projects[0]?.use.launchOptions);
  const page = await browser.newPage();
  await page.setContent("<p>ready</p>");
  await browser.close();
  return () => server.stop();
}
