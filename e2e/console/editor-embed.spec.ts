import { expect, test, type Page } from "../support/test.ts";
import { hostPage, startHostSite, type HostSite } from "../support/host-page.ts";
import { stopTime } from "../support/page-time.ts";
import { snippet } from "../support/widget.ts";
import { expectStatus, useConsole } from "./console-fixture.ts";
import {
  call,
  contextPath,
  makeContext,
  openEditor,
  saveButton,
  showEditor,
  type Context,
} from "./editor-fixture.ts";

const console_ = useConsole();

/** A site of an owner, still without an avatar: its pages can be changed. */
async function ownersSite(): Promise<{ site: HostSite; paste: (contextId: string) => void }> {
  const pages = { "/": hostPage("") };
  const { origin } = console_.server;
  const site = await startHostSite(pages, { relayOrigin: origin });
  return { site, paste: (contextId) => (pages["/"] = hostPage(snippet(origin, contextId))) };
}

const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

test("snippet, frame, package and policy are copied as they are shown", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.clock.install();
  const { context_id: id } = await openEditor(page, console_.server, "embed");
  const { origin } = console_.server;
  const expected = {
    "One line": `<script async src="${origin}/embed.js" data-context="${id}"></script>`,
    Frame: `<iframe src="${origin}/viewer/${id}"`,
    Package: `<visavis-avatar context-id="${id}" relay="${origin}"></visavis-avatar>`,
  };
  // What says it has copied says so for a moment only.
  await stopTime(page);
  for (const [kind, text] of Object.entries(expected)) {
    await page.getByRole("button", { name: kind, exact: true }).click();
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await expect(page.getByRole("button", { name: "Copied", exact: true })).toBeVisible();
    await expect.poll(() => copied(page)).toContain(text);
  }
  await page.getByRole("button", { name: "Copy these lines" }).click();
  await expect.poll(() => copied(page)).toContain(`connect-src ${origin}`);
});

test("a browser that does not allow copying is told apart", async ({ page }) => {
  await openEditor(page, console_.server, "embed");
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("refused", "NotAllowedError"));
  });
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await expectStatus(page, "Select the text instead");
});

test("waiting for the page turns green by itself when an allowed page loads the avatar", async ({ page }) => {
  const { site, paste } = await ownersSite();
  try {
    const context = await makeContext(console_.server, {
      embed_config: { ui: { avatar_name: "Mara" }, allowed_origins: [site.origin] },
    });
    await showEditor(page, console_.server, context, "embed");
    const state = page.locator(".ed-head .sig");
    await expect(page.getByRole("heading", { name: "Waiting for your page" })).toBeVisible();
    await expect(state).toHaveText("Not on a page yet");
    paste(context.context_id);
    const visitor = await page.context().newPage();
    await visitor.goto(site.origin);
    await page.bringToFront();
    await expect(page.getByRole("heading", { name: "Mara is on your page" })).toBeVisible();
    await expect(page.getByText(`on ${site.origin}`)).toBeVisible();
    await expect(state).toHaveText("On your page");
  } finally {
    await site.close();
  }
});

test("a site that is not allowed is named, and allowed with a click", async ({ page }) => {
  const { site, paste } = await ownersSite();
  const context = await makeContext(console_.server);
  await showEditor(page, console_.server, context, "embed");
  await expect(page.getByText("First add your site’s address here, and save.")).toBeVisible();
  try {
    paste(context.context_id);
    const visitor = await page.context().newPage();
    await visitor.goto(site.origin);
    await page.bringToFront();
    await expect(page.getByText(`${site.origin} tried to show Mara.`)).toBeVisible();
    await page.getByRole("button", { name: "Allow it" }).click();
    await saveButton(page).click();
    await expect(page.getByText("All changes saved")).toBeVisible();
    const { embed_config: saved } = await call<Context>(console_.server, "GET", contextPath(context.id));
    expect(saved.allowed_origins).toEqual([site.origin]);
  } finally {
    await site.close();
  }
});

test("says for usual kinds of sites where the line goes", async ({ page }) => {
  await openEditor(page, console_.server, "embed");
  const steps = page.getByText(/just before <\/body> and save/);
  await expect(steps).toBeHidden();
  await page.getByText("Shop system").click();
  await expect(steps).toBeVisible();
});
