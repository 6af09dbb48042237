import { mkdirSync, writeFileSync } from "node:fs";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import type { Browser, Page } from "@playwright/test";
import { callService, password, signIn } from "../../e2e/console/console-fixture.ts";
import { converse, keepWords } from "../../e2e/console/visitor.ts";
import { portrait } from "../../e2e/support/portrait.ts";
import { readContext } from "../../e2e/support/service-api.ts";
import { startServer } from "../../e2e/support/stack.ts";

const folder = "docs/pictures";
const viewport = { width: 1280, height: 800 };
/** Width of the pictures, in pixels. */
const width = 960;

/** The pictures of docs/console.md: the page, and what is done there before the picture is taken. */
const pictures: readonly { name: string; path: string; prepare: (page: Page) => Promise<void> }[] = [
  {
    name: "overview",
    path: "/",
    prepare: (page) => page.getByRole("heading", { name: "Just now" }).waitFor(),
  },
  {
    name: "engines",
    path: "/engines",
    prepare: (page) => page.getByRole("article").first().waitFor(),
  },
  {
    name: "avatars",
    path: "/avatars",
    prepare: (page) => page.getByRole("article").first().waitFor(),
  },
  {
    name: "editor",
    path: "/avatars",
    prepare: async (page) => {
      await page.getByRole("article").first().getByRole("link").click();
      await page.locator("visavis-console-preview[data-shown]").waitFor();
      await page.frameLocator("iframe.pv-frame").locator("[part~=nameplate]").last().waitFor();
    },
  },
  {
    name: "photo",
    path: "/avatars/photo",
    prepare: async (page) => {
      // A drawn character: no picture of a person.
      const buffer = portrait("amara", { side: 900 }).toBuffer("image/png");
      await page.getByLabel("choose one").setInputFiles({ name: "amara.png", mimeType: "image/png", buffer });
      await page.getByText("This photograph works.").waitFor({ timeout: 120_000 });
      await page.getByRole("list", { name: "How it will speak" }).waitFor();
    },
  },
  {
    name: "knowledge",
    path: "/knowledge",
    prepare: async (page) => {
      await page.getByLabel("Question").fill("How long does delivery take?");
      await page.getByRole("button", { name: "Ask", exact: true }).click();
      await page.locator(".say-a").waitFor();
    },
  },
  {
    name: "conversations",
    path: "/conversations",
    prepare: async (page) => {
      await page.getByRole("navigation", { name: "Conversations" }).getByRole("link").last().click();
      await page.getByRole("img", { name: "Who spoke when" }).waitFor();
    },
  },
  {
    name: "unanswered",
    path: "/unanswered",
    prepare: async (page) => {
      await page
        .getByRole("button", { name: /^Teach/ })
        .first()
        .click();
      await page
        .getByLabel("Answer", { exact: true })
        .fill("No, but our partner in Graz does: tents.example.");
    },
  },
  {
    name: "settings",
    path: "/settings/privacy",
    prepare: (page) => page.getByRole("heading", { name: "Settings" }).waitFor(),
  },
];

async function smaller(png: Buffer): Promise<Buffer> {
  const image = await loadImage(png);
  const canvas = createCanvas(width, Math.round((image.height * width) / image.width));
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.encode("webp", 82);
}

/** Takes the pictures of docs/console.md in a console with some conversations: those with these names, or all. */
export async function takeConsolePictures(browser: Browser, names: readonly string[] = []): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const server = await startServer("start", { VISAVIS_PASSWORD: password });
  try {
    const demo = { server, context: "ctx_demo" };
    const { id } = await readContext(demo);
    const arrival = { origin: "https://shop.example", allowed: true };
    await callService(server, "POST", `/api/console/contexts/${id}/pages/`, arrival);
    const text = "We deliver within three days. Larger furniture is carried to the room that you choose.";
    await callService(server, "POST", "/api/console/knowledge/", { title: "Delivery", text });
    await keepWords(demo, 14);
    await converse(demo, ["How much is the Birch chair?", "Do you rent out tents?"], "up");
    await converse(demo, ["Is the Hazel desk made of oak?"]);
    const page = await browser.newPage({ viewport });
    await signIn(page, server, "/avatars");
    for (const { name, path, prepare } of pictures) {
      if (names.length > 0 && !names.includes(name)) continue;
      await page.goto(`${server.origin}/console/#${path}`);
      await prepare(page);
      // The network is never idle for long: pages ask again by themselves.
      await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
      writeFileSync(`${folder}/console-${name}.webp`, await smaller(await page.screenshot()));
    }
  } finally {
    await server.stop();
  }
}
