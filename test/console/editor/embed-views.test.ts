/** How the avatar comes to the owner's page: what is copied, and what the page is heard of. */
import { expect, test, vi } from "vitest";
import { origin } from "../../service/http/console/console-fixture.ts";
import { press, read, see, textOf, toast } from "../finding.ts";
import { holdTimers } from "../stand.ts";
import { openEditor, untilSaved } from "./edited-avatar.ts";

/** How often the editor asks whether a page has come, in ms. */
const intervalMs = 2_000;

const state = () => textOf(document.querySelector(".ed-head .sig")!);

test("snippet, frame, package and policy are copied as they are shown", async () => {
  const copy = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const { contextId } = await openEditor("embed");
  const expected = {
    "One line": `<script async src="${origin}/embed.js" data-context="${contextId}"></script>`,
    Frame: `<iframe src="${origin}/viewer/${contextId}"`,
    Package: `<visavis-avatar context-id="${contextId}" relay="${origin}"></visavis-avatar>`,
  };
  for (const [kind, text] of Object.entries(expected)) {
    await press(kind);
    await read(text);
    await press("Copy");
    await see("button", "Copied");
    expect(copy.mock.lastCall?.[0]).toContain(text);
  }
  await press("Copy these lines");
  await expect.poll(() => copy.mock.lastCall?.[0]).toContain(`connect-src ${origin}`);
});

test("a browser that does not allow copying is told apart", async () => {
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(
    new DOMException("refused", "NotAllowedError"),
  );
  await openEditor("embed");
  await press("Copy");
  await toast("Select the text instead");
});

test("waiting for the page turns green by itself when an allowed page loads the avatar", async () => {
  const site = "https://shop.example";
  const askAgain = holdTimers(intervalMs);
  const ui = { avatar_name: "Mara" };
  const { run, id } = await openEditor("embed", { embed_config: { ui, allowed_origins: [site] } });
  await see("heading", "Waiting for your page");
  expect(state()).toBe("Not on a page yet");
  await run.send("POST", `/api/console/contexts/${id}/pages/`, { origin: site, allowed: true });
  askAgain();
  await see("heading", "Mara is on your page");
  await read(`on ${site}`);
  expect(state()).toBe("On your page");
});

test("a site that is not allowed is named, and allowed with a click", async () => {
  const site = "https://shop.example";
  const askAgain = holdTimers(intervalMs);
  const edited = await openEditor("embed");
  await read("First add your site’s address here, and save.");
  await edited.run.send("POST", `/api/console/contexts/${edited.id}/pages/`, {
    origin: site,
    allowed: false,
  });
  askAgain();
  await read(`${site} tried to show Mara.`);
  await press("Allow it");
  await press("Save");
  await untilSaved();
  expect((await edited.saved()).embed_config["allowed_origins"]).toEqual([site]);
});
