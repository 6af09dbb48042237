/** Dialogs of the page: what their libraries do to everything else must not take the avatar that floats above it. */
import { expect, test, type Page } from "./support/test.ts";
import { hostPage } from "./support/host-page.ts";
import { untilModule } from "./support/page-modules.ts";
import { useSite } from "./support/served-site.ts";
import { openGallery, showState } from "./support/gallery-page.ts";
import { avatar, endSession, launcher, snippet, untilState } from "./support/widget.ts";

declare global {
  interface Window {
    openDialog(): void;
    closeDialog(): void;
  }
}

/** How libraries keep the visitor in their dialog: what they do when it opens. */
const libraries: Record<string, string> = {
  "inert on the rest of the page (Headless UI, MUI Base)": `
    for (const other of others()) other.inert = true;`,
  "aria-hidden on the rest of the page and no pointer there (Radix)": `
    for (const other of others()) { other.setAttribute("aria-hidden", "true"); other.setAttribute("data-aria-hidden", "true"); }
    document.body.style.pointerEvents = "none";
    dialog.style.pointerEvents = "auto";
    document.addEventListener("focusin", ({ target }) => dialog.contains(target) ? (last = target) : last.focus(), { signal });
    document.addEventListener("focusout", ({ relatedTarget }) => relatedTarget !== null && !dialog.contains(relatedTarget) && last.focus(), { signal });`,
  "listeners that come before others (focus-trap)": `
    const outside = ({ target }) => !dialog.contains(target);
    const stop = (event) => { if (outside(event)) { event.preventDefault(); event.stopImmediatePropagation(); } };
    const on = (type, handle) => document.addEventListener(type, handle, { capture: true, passive: false, signal });
    on("focusin", (event) => { if (outside(event)) { event.stopImmediatePropagation(); last.focus(); } else last = event.target; });
    for (const type of ["mousedown", "touchstart"]) on(type, (event) => outside(event) && event.preventDefault());
    on("click", stop);
    on("keydown", (event) => { if (event.key === "Tab") { event.preventDefault(); last.focus(); } if (event.key === "Escape") closeDialog(); });`,
  "the focus event of body (a11y-dialog)": `
    document.body.addEventListener("focus", ({ target }) => dialog.contains(target) || last.focus(), { capture: true, signal });`,
  "the focus event of document (Bootstrap, jQuery UI)": `
    document.addEventListener("focusin", ({ target }) => { if (target !== document && !dialog.contains(target)) { last.focus(); } }, { signal });`,
};

const own = (script: string): string => `
const dialog = document.querySelector("#dialog");
const others = () => [...document.body.children].filter((child) => child !== dialog);
const controller = new AbortController();
const { signal } = controller;
let last = document.querySelector("#inside");
window.openDialog = () => { dialog.hidden = false; last.focus(); ${script} };
window.closeDialog = () => {
  dialog.hidden = true;
  controller.abort();
  document.body.style.pointerEvents = "";
  for (const other of others()) { other.inert = false; other.removeAttribute("aria-hidden"); }
};`;

const dialog =
  '<div id="dialog" role="dialog" aria-label="News" hidden style="position:fixed;inset:20px auto auto 20px;background:#fff"><input id="inside" aria-label="Address"></div>';
const libraryScripts = Object.entries(libraries);

const served = useSite({
  pages: (relay, context) =>
    Object.fromEntries(
      libraryScripts.map((_, index) => [
        `/${index}`,
        hostPage(
          `</main>${dialog}<script defer src="/${index}.js"></script>${snippet(relay, context, 'data-mode="text"')}`,
        ),
      ]),
    ),
  scripts: Object.fromEntries(libraryScripts.map(([, script], index) => [`/${index}.js`, own(script)])),
});

const field = (page: Page) => avatar(page).getByRole("textbox");
const send = (page: Page) => avatar(page).getByRole("button", { name: "Send" });
const hasFocus = (page: Page, selector: string) =>
  avatar(page).evaluate(
    (element, wanted) => element.shadowRoot?.activeElement?.matches(wanted) === true,
    selector,
  );

/** What the visitor has sent since the state was shown. */
const sent = (page: Page) =>
  page.evaluate(() =>
    window.gallerySession.calls.filter(([call]) => call === "send").map(([, text]) => text),
  );

test("an open panel is used beside a dialog, however its library keeps the visitor in it", async ({
  page,
}) => {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await openGallery(page);
  for (const [name, script] of libraryScripts) {
    await showState(page, "mode text");
    await page.evaluate(
      ([markup, code]) => {
        document.querySelector("#dialog")?.remove();
        document.body.insertAdjacentHTML("beforeend", markup);
        (0, eval)(`{${code}}`);
        window.openDialog();
      },
      [dialog, own(script)] as const,
    );
    await expect(avatar(page), name).not.toHaveAttribute("inert");
    await expect(avatar(page), name).not.toHaveAttribute("aria-hidden");
    await field(page).click();
    await expect.poll(() => hasFocus(page, "textarea"), name).toBe(true);
    await page.keyboard.type("Hello");
    await expect(field(page), name).toHaveValue("Hello");
    await expect(send(page), name).toBeEnabled();
    await page.keyboard.press("Tab");
    await expect.poll(() => hasFocus(page, ".vv-send"), name).toBe(true);
    await send(page).click();
    await expect.poll(() => sent(page), name).toEqual(["Hello"]);

    // Escape is the panel's: the dialog stays.
    await field(page).click();
    await page.keyboard.press("Escape");
    await expect(avatar(page), name).not.toHaveAttribute("open");
    await expect(page.locator("#dialog"), name).toBeVisible();
    await page.evaluate(() => window.closeDialog());
    await launcher(page).click();
    await expect(field(page), name).toBeVisible();
    expect(errors, name).toEqual([]);
  }
});

test("a launcher that the visitor has reached for opens beside a dialog of any library", async ({ page }) => {
  for (const [index, [name]] of libraryScripts.entries()) {
    // What keeps it usable there comes with the panel's controls.
    const beside = untilModule(page, "chrome");
    await page.goto(`${served.site.origin}/${index}`);
    await launcher(page).hover();
    await expect(avatar(page).locator(".vv-hide"), name).toBeAttached();
    await beside;
    await page.evaluate(() => window.openDialog());
    await launcher(page).click();
    await untilState(page, "live");
    await expect(field(page), name).toBeVisible();
    await endSession(page);
  }
});

test("an avatar made inert alone stays inert, waits for a native dialog, and Enter sends where the page stops all keys", async ({
  page,
}) => {
  await openGallery(page);
  await showState(page, "mode text");
  await avatar(page).evaluate(async (element) => {
    element.setAttribute("inert", "");
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
  await expect(avatar(page)).toHaveAttribute("inert");

  await showState(page, "mode text");
  await page.evaluate(() => {
    const native = document.body.appendChild(document.createElement("dialog"));
    native.append(document.createElement("button"));
    native.showModal();
    native.close();
  });
  await field(page).fill("Hello");
  await field(page).press("Enter");
  await expect.poll(() => sent(page)).toEqual(["Hello"]);

  await showState(page, "mode text");
  await field(page).click();
  await page.keyboard.type("One");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("two");
  await expect(field(page)).toHaveValue("One\ntwo");
  await page.keyboard.press("Enter");
  await expect.poll(() => sent(page)).toEqual(["One\ntwo"]);

  await page.evaluate(() => {
    addEventListener("keydown", (event) => event.stopImmediatePropagation(), true);
  });
  await showState(page, "mode text");
  await field(page).click();
  await page.keyboard.type("Hello");
  await page.keyboard.press("Enter");
  await expect.poll(() => sent(page)).toEqual(["Hello"]);
  await expect(field(page)).toHaveValue("");
});
