/** The modules that a page loads when they are needed. */
import type { Page } from "@playwright/test";

/** Resolves once the module with this name has run. Call it before the page asks for the module. */
export async function untilModule(page: Page, name: string): Promise<void> {
  const response = await page.waitForResponse((one) => new URL(one.url()).pathname.includes(`/${name}-`));
  // The module has run when an import of it resolves: its response alone says nothing of what it imports.
  await page.evaluate((url) => import(url), response.url());
}

/** Resolves once what keeps the conversation over page loads has run. Call it before the session starts. */
export async function untilKeeper(page: Page): Promise<void> {
  await untilModule(page, "conversation-keeper");
}
