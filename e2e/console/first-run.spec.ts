import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, type Locator, type Page } from "../support/test.ts";
import { hostPage, startHostSite } from "../support/host-page.ts";
import { startServer } from "../support/stack.ts";
import { askAndWait, transcript } from "../support/talk.ts";
import { launcher, untilState } from "../support/widget.ts";
import { expectStatus, recordStatuses } from "./console-fixture.ts";

/** What an owner may need, from the start of the server to an answer of the own avatar. */
const mostClicks = 25;

const step = (page: Page, name: string): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { level: 2, name }) });

test("an own avatar with own knowledge stands on an own page within 25 clicks", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const data = mkdtempSync(join(tmpdir(), "visavis-first-run-"));
  const beganMs = Date.now();
  let clicks = 0;
  const click = async (target: Locator): Promise<void> => {
    clicks += 1;
    await target.click();
  };
  const save = async (): Promise<void> => {
    await click(page.getByRole("button", { name: "Save", exact: true }));
    await expect(page.getByRole("status").filter({ hasText: "All changes saved" })).toHaveCount(1);
  };
  const server = await startServer("start", { VISAVIS_DATA: data });
  const pages = { "/": hostPage("") };
  const site = await startHostSite(pages, { relayOrigin: server.origin });
  try {
    await recordStatuses(page);
    const printed = (): string => /Password +(\S+)/.exec(server.output())?.[1] ?? "";
    // The server answers before it has printed everything.
    await expect.poll(printed).not.toBe("");
    // What was printed once is not printed by the next start.
    expect(readdirSync(data).filter((name) => name.endsWith(".unshown"))).toEqual([]);
    await page.goto(`${server.origin}/console/`);
    await page.getByLabel("Password", { exact: true }).fill(printed());
    await click(page.getByRole("button", { name: "Sign in" }));
    await click(page.getByRole("link", { name: "Choose an avatar" }));
    await click(page.getByRole("button", { name: /Shop assistant/ }));
    await page.getByLabel("Name", { exact: true }).fill("Robin");
    await save();
    const navigation = page.getByRole("navigation", { name: "Console" }).first();
    await click(navigation.getByRole("link", { name: "Overview" }));
    await expect(step(page, "Shape your avatar")).toContainText("Robin");
    await click(page.getByRole("link", { name: "Teach it something" }));
    await click(page.getByRole("tab", { name: "Write" }));
    await page.getByLabel("Title", { exact: true }).fill("Deliveries");
    await page.getByLabel("Text", { exact: true }).fill("We deliver canary pianos to Croatia in nine days.");
    await click(page.getByRole("button", { name: "Add to knowledge" }));
    await expectStatus(page, "is added");
    await click(navigation.getByRole("link", { name: "Overview" }));
    await click(page.getByRole("link", { name: "Get the line" }));
    await click(page.getByRole("button", { name: "Copy", exact: true }));
    const line = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(line).toContain("<script");
    pages["/"] = hostPage(await line());
    const visitor = await context.newPage();
    await visitor.goto(site.origin);
    await page.bringToFront();
    await click(page.getByRole("button", { name: "Allow it" }));
    await save();
    await visitor.bringToFront();
    await visitor.reload();
    await click(launcher(visitor));
    await untilState(visitor, "live");
    await askAndWait(visitor, "Do you deliver canary pianos to Croatia?");
    await expect.poll(async () => (await transcript(visitor)).join("\n")).toContain("nine days");
    await page.bringToFront();
    await expect(page.getByRole("heading", { name: "Robin is on your page" })).toBeVisible();
    const seconds = (Date.now() - beganMs) / 1000;
    console.log(`First run: ${seconds.toFixed(1)} s, ${clicks} clicks.`);
    expect(clicks).toBeLessThanOrEqual(mostClicks);
  } finally {
    await site.close();
    await server.stop();
    rmSync(data, { recursive: true, force: true });
  }
});
