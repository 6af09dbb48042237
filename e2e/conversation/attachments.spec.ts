/** Visitors attach pictures and PDFs to a question: chosen, dropped or pasted; uploaded, shown, and removed with the session. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { violations } from "../support/axe.ts";
import { expect, test, type Page } from "../support/test.ts";
import { says, startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";
import { useProxiedSite } from "../support/served-site.ts";
import { leaveSilently } from "../support/slow-machine.ts";
import { prepareContext } from "../support/service-api.ts";
import { untilKeeper } from "../support/page-modules.ts";
import { avatar, clickLauncher, endSession, untilState } from "../support/widget.ts";

const served = useProxiedSite({ attributes: 'data-mode="text"' });
let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served, { attachments: ["image", "pdf"] });
  model.answer = says("That is a chair.");
  await prepareContext(served, (context) => {
    context.embed_config["attachments"] = ["image", "pdf"];
  });
});
test.afterAll(() => model.close());

/** One red pixel. */
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==",
  "base64",
);
const picture = { name: "chair.png", mimeType: "image/png", buffer: png };
const order = {
  name: "order.pdf",
  mimeType: "application/pdf",
  buffer: Buffer.from("%PDF-1.4\n1 0 obj << >> endobj\n%%EOF\n"),
};

const stored = (): string[] => readdirSync(join(served.server.dataFolder, "files"));
const lastContent = () => model.requests.at(-1)?.messages.at(-1)?.content;
const field = (page: Page) => avatar(page).locator("textarea");
const chosen = (page: Page) => avatar(page).locator(".vv-files:not(.sent) .vv-file");
const uploaded = (page: Page) => avatar(page).locator(".vv-file.uploaded");

const cutUploads = (): void => {
  served.proxy.rule = ({ path }) => (path.endsWith("/attachment") ? { kind: "cut-off" } : undefined);
};

async function open(page: Page): Promise<void> {
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await avatar(page).getByRole("button", { name: "Attach a file" }).waitFor();
}

async function askThere(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press("Enter");
}

async function choose(
  page: Page,
  files: { name: string; mimeType: string; buffer: Buffer }[],
): Promise<void> {
  const dialog = page.waitForEvent("filechooser");
  await avatar(page).getByRole("button", { name: "Attach a file" }).press("Enter");
  await (await dialog).setFiles(files);
}

test("a picture and a PDF reach the model with the question, also after a page load, and are removed with the session", async ({
  page,
}) => {
  const before = stored();
  const keeper = untilKeeper(page);
  await leaveSilently(page);
  await open(page);
  await keeper;
  await choose(page, [picture, order]);
  await expect(uploaded(page)).toHaveCount(2);
  await expect(avatar(page).locator(".vv-file img")).toBeVisible();
  await expect(avatar(page).getByRole("status").filter({ hasText: "order.pdf is attached" })).toHaveCount(1);
  expect(await violations(page, { include: "visavis-avatar" })).toEqual([]);
  const added = stored().filter((name) => !before.includes(name));
  expect(added).toHaveLength(2);

  await askThere(page, "What is this?");
  await expect(avatar(page).getByText("That is a chair.").last()).toBeVisible();
  await expect(chosen(page)).toHaveCount(0);
  const sent = avatar(page).locator(".vv-files.sent .vv-file");
  await expect(sent).toHaveText([/chair\.png/, /order\.pdf/]);
  expect(lastContent()).toEqual([
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url: `data:image/png;base64,${png.toString("base64")}` } },
    expect.objectContaining({ type: "file" }),
  ]);

  await page.reload();
  await untilState(page, "live");
  await expect(sent).toHaveText([/chair\.png/, /order\.pdf/]);
  model.requests.length = 0;
  await askThere(page, "Which wood?");
  await expect.poll(() => model.requests.length).toBe(1);
  expect(JSON.stringify(model.requests[0]?.messages)).toContain(png.toString("base64"));

  await endSession(page);
  await expect.poll(() => stored().filter((name) => added.includes(name))).toEqual([]);
});

test("files can be dropped, pasted and removed, are sent without words and with their question after an upload that broke off; others are refused in words", async ({
  page,
}) => {
  await open(page);
  await test.step("removed from the panel and from the server", async () => {
    const before = stored();
    await choose(page, [picture]);
    await expect(uploaded(page)).toHaveCount(1);
    const added = stored().filter((name) => !before.includes(name));
    expect(added.length).toBeGreaterThan(0);
    await avatar(page).getByRole("button", { name: "Remove chair.png" }).press("Enter");
    await expect(chosen(page)).toHaveCount(0);
    await expect(field(page)).toBeFocused();
    await expect.poll(() => stored().filter((name) => added.includes(name))).toEqual([]);
  });

  await test.step("an upload that breaks off is tried again", async () => {
    cutUploads();
    await choose(page, [picture]);
    await expect(avatar(page).locator(".vv-file.failed")).toContainText("chair.png couldn’t be uploaded.");
    served.proxy.rule = null;
    await avatar(page).getByRole("button", { name: "Upload chair.png again" }).click();
    await expect(uploaded(page)).toHaveCount(1);
  });

  await test.step("its name is the question", async () => {
    await avatar(page).getByRole("button", { name: "Send" }).click();
    await expect
      .poll(lastContent)
      .toEqual([{ type: "text", text: "chair.png" }, expect.objectContaining({ type: "image_url" })]);
    await expect(chosen(page)).toHaveCount(0);
  });

  await test.step("or its upload is tried again with the question", async () => {
    cutUploads();
    await choose(page, [picture]);
    await expect(avatar(page).locator(".vv-file.failed")).toHaveCount(1);
    served.proxy.rule = null;
    await askThere(page, "What is this?");
    await expect
      .poll(lastContent)
      .toEqual([{ type: "text", text: "What is this?" }, expect.objectContaining({ type: "image_url" })]);
    await expect(chosen(page)).toHaveCount(0);
  });

  await test.step("dropped and pasted", async () => {
    const transferOf = (name: string) =>
      page.evaluateHandle(
        ([bytes, called]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([Uint8Array.from(bytes)], called));
          return transfer;
        },
        [[...png], name] as const,
      );
    const dataTransfer = await transferOf("dropped.png");
    const text = avatar(page).locator(".vv-text");
    await text.dispatchEvent("dragover", { dataTransfer });
    await expect(avatar(page).getByText("Drop the file here")).toBeVisible();
    await text.dispatchEvent("drop", { dataTransfer });
    await expect(avatar(page).getByText("Drop the file here")).toHaveCount(0);
    await expect(uploaded(page)).toHaveText([/dropped\.png/]);
    await field(page).evaluate(
      (element, clipboardData) =>
        element.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
        ),
      await transferOf("pasted.png"),
    );
    await expect(uploaded(page)).toHaveCount(2);
  });

  await test.step("refused in words", async () => {
    const script = { name: "page.png", mimeType: "image/png", buffer: Buffer.from("<script>1</script>") };
    const large = { ...order, name: "large.pdf", buffer: Buffer.alloc(10 * 1024 * 1024 + 1) };
    large.buffer.write("%PDF-1.4");
    await choose(page, [script, large, picture, order]);
    await expect(avatar(page).getByRole("alert").locator("p")).toHaveText([
      "page.png can’t be attached. Allowed: PNG, JPEG, WebP, GIF, PDF.",
      /large\.pdf is larger than 10/,
      "A question can have at most 3 files.",
    ]);
    await expect(uploaded(page)).toHaveCount(3);
  });
});
