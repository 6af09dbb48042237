/** Pictures of every state of the widget against the real server, for looking at: `npx tsx scripts/take-shots.ts [name]`. */
import { mkdirSync } from "node:fs";
import type { Page } from "@playwright/test";
import { openBenchStage, type BenchStage } from "../bench/browser.ts";
import { hostPage, startHostSite } from "../e2e/support/host-page.ts";
import {
  snippet,
  avatar,
  changeContext,
  clickLauncher,
  untilFirstFrame,
  untilState,
} from "../e2e/support/widget.ts";

const folder = "shots";
const wanted = process.argv[2];

interface Look {
  name: string;
  width: number;
  height: number;
  dark?: boolean;
  path?: string;
}

const looks: Look[] = [
  { name: "desktop-light", width: 900, height: 760 },
  { name: "desktop-dark", width: 900, height: 760, dark: true },
  { name: "phone-390", width: 390, height: 844 },
  { name: "phone-320", width: 320, height: 568 },
  { name: "rtl", width: 900, height: 760, path: "/rtl" },
];

const send = (page: Page, text: string) =>
  avatar(page).evaluate(
    (element, message) => (element as unknown as { send(text: string): Promise<void> }).send(message),
    text,
  );

async function walk(stage: BenchStage, look: Look): Promise<void> {
  const page = await stage.browser.newPage({ viewport: { width: look.width, height: look.height } });
  await page.emulateMedia({ colorScheme: look.dark ? "dark" : "light" });
  const shot = (name: string) => page.screenshot({ path: `${folder}/${look.name}-${name}.png` });
  await page.goto(site.origin + (look.path ?? "/"));
  const button = page.locator("visavis-avatar [part~=launcher-button]");
  await button.waitFor();
  await page.waitForTimeout(500);
  await shot("01-launcher");
  await button.hover();
  await page.waitForTimeout(600);
  await shot("02-launcher-hover");
  await clickLauncher(page);
  await page.waitForTimeout(90);
  await shot("03-opening-a");
  await page.waitForTimeout(100);
  await shot("04-opening-b");
  await untilState(page, "live");
  await untilFirstFrame(page);
  await page.waitForTimeout(1_000);
  await shot("05-greeting");
  await page.waitForTimeout(5_000);
  await shot("06-ready");
  await send(page, "Which wool is easiest to clean?");
  await page.waitForTimeout(1_500);
  await shot("07-speaking");
  await page
    .locator("visavis-avatar")
    .first()
    .getByRole("button", { name: /type|write|transcript/i })
    .first()
    .click()
    .catch(() => undefined);
  await page.waitForTimeout(700);
  await shot("08-text");
  await send(page, "How long does the delivery to Germany take?");
  await page.waitForTimeout(1_800);
  await avatar(page).evaluate((element) => (element as unknown as { interrupt(): void }).interrupt());
  await page.waitForTimeout(400);
  await shot("09-interrupted");
  await avatar(page).evaluate((element) => (element as unknown as { end(): Promise<void> }).end());
  await untilState(page, "ended");
  await page.waitForTimeout(900);
  await shot("10-ended");
  await page.close();
}

async function errorState(stage: BenchStage): Promise<void> {
  const page = await stage.newPage();
  await page.goto(stage.site.origin);
  await page.locator("visavis-avatar [part~=launcher-button]").waitFor();
  await changeContext(stage.server, "ctx_demo", (context) => (context["is_active"] = false));
  await page.waitForTimeout(2_500);
  await clickLauncher(page);
  await untilState(page, "error");
  await page.waitForTimeout(900);
  await page.screenshot({ path: `${folder}/error.png` });
  await changeContext(stage.server, "ctx_demo", (context) => (context["is_active"] = true));
  await page.close();
}

mkdirSync(folder, { recursive: true });
const stage = await openBenchStage();
const quietPage = (html: string): string => html.replace("/host.css", "/quiet.css");
const site = await startHostSite(
  {
    "/": quietPage(hostPage(snippet(stage.server.origin))),
    "/rtl": quietPage(hostPage(snippet(stage.server.origin, "ctx_demo", 'data-lang="ar"'))).replace(
      '<html lang="en">',
      '<html lang="ar" dir="rtl">',
    ),
    "/inline": quietPage(hostPage(snippet(stage.server.origin, "ctx_demo", 'data-variant="inline"'))),
  },
  { relayOrigin: stage.server.origin },
);
try {
  for (const look of looks) if (!wanted || look.name.includes(wanted)) await walk(stage, look);
  if (!wanted || wanted === "error") await errorState(stage);
} finally {
  await site.close();
  await stage.close();
}
