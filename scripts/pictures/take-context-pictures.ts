import { mkdirSync, writeFileSync } from "node:fs";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import type { Page } from "@playwright/test";
import type { BenchStage } from "../../bench/browser.ts";
import { startHostSite } from "../../e2e/support/host-page.ts";
import { changeContext } from "../../e2e/support/service-api.ts";
import { say } from "../../e2e/support/talk.ts";
import {
  avatar,
  launcher,
  snippet,
  untilAnimationsEnd,
  untilFirstFrame,
  untilState,
} from "../../e2e/support/widget.ts";
import { contextPictures, type ContextPicture } from "./context-pictures.ts";

const folder = "docs/pictures";
const viewport = { width: 900, height: 700 };
/** Width of a picture of the panel and of a whole page, in pixels. */
const panelWidth = 320;
const pageWidth = 480;

const text = `<p>${"Chairs, tables and shelves from Alder Home. ".repeat(8)}</p>`;

/** A page of a shop with the snippet after its first words. */
const shopPage = (relayOrigin: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Alder Home</title>
<link rel="stylesheet" href="/quiet.css"></head><body><h1>Alder Home</h1>${text}${snippet(relayOrigin, "ctx_demo")}${text}</body></html>`;

/** Takes the pictures of docs/context.md: the demo context with one setting changed in each. */
export async function takeContextPictures(
  { browser, server }: BenchStage,
  keys: readonly string[],
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const site = await startHostSite({ "/": shopPage(server.origin) }, { relayOrigin: server.origin });
  try {
    for (const picture of contextPictures.filter(({ key }) => keys.length === 0 || keys.includes(key))) {
      const restore = await applySettings(server, picture);
      const page = await browser.newPage({ viewport });
      await page.goto(site.origin);
      await prepare(page, picture);
      const part = avatar(page).locator("[part~=panel]");
      const png = picture.wholePage ? await page.screenshot() : await part.screenshot();
      writeFileSync(`${folder}/${picture.key}.webp`, await smaller(png, picture));
      await page.close();
      await restore();
    }
  } finally {
    await site.close();
  }
}

/** Changes the demo context. Returns what changes it back. */
async function applySettings(
  server: BenchStage["server"],
  { context: fields, stage, ui }: ContextPicture,
): Promise<() => Promise<void>> {
  let before = "";
  await changeContext({ server, context: "ctx_demo" }, (context) => {
    before = JSON.stringify(context);
    const config = context.embed_config;
    Object.assign(context, fields);
    config["stage"] = { ...(config["stage"] as object), ...stage };
    config["ui"] = { ...(config["ui"] as object), ...ui };
  });
  return () =>
    changeContext({ server, context: "ctx_demo" }, (context) => Object.assign(context, JSON.parse(before)));
}

async function prepare(page: Page, { step, says }: ContextPicture): Promise<void> {
  await launcher(page).hover();
  await page.locator("visavis-avatar:defined").waitFor({ state: "attached" });
  if (step !== "launcher") {
    await launcher(page).click();
    // Otherwise the element that is now in the launcher's place would show its tooltip.
    await page.mouse.move(0, 0);
  }
  if (step === "talking" || step === "transcript") {
    await untilState(page, "live");
    await untilFirstFrame(page);
    await page.waitForFunction(() => {
      const element = document.querySelector("visavis-avatar");
      const said = element?.transcript.at(-1);
      return element?.activity === "idle" && said?.status === "final";
    });
  }
  if (says !== undefined) await say(page, says);
  if (step === "speaking")
    await page.waitForFunction(() => document.querySelector("visavis-avatar")?.activity === "speaking");
  if (step === "transcript") {
    await avatar(page).getByRole("button", { name: "Write to Mara" }).click();
    await avatar(page)
      .locator(".vv-a", { hasText: (says ?? "").slice(0, 3) })
      .locator(".vv-answer-tools")
      .waitFor();
    if (says?.includes("](")) await avatar(page).locator(".vv-a a").waitFor();
  }
  if (step === "opened") await avatar(page).locator("[data-main]").first().waitFor();
  await untilAnimationsEnd(page);
}

/** A picture in the size of the documentation, as WebP. */
async function smaller(png: Buffer, { wholePage }: ContextPicture): Promise<Buffer> {
  const image = await loadImage(png);
  const width = wholePage ? pageWidth : panelWidth;
  const canvas = createCanvas(width, Math.round((image.height * width) / image.width));
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.encode("webp", 80);
}
