/** The parts of the editor, each with what it says about what is typed there. */
import { expect, test } from "vitest";
import { type PreviewPane } from "../../../src/console/editor/preview/preview-pane.ts";
import {
  all,
  field,
  find,
  holding,
  press,
  read,
  readNo,
  see,
  seeValue,
  textOf,
  toast,
  within,
  write,
} from "../finding.ts";
import { settings } from "./avatar-settings.ts";
import { makeAvatar, openEditor, untilSaved } from "./edited-avatar.ts";
import { openConsole } from "../stand.ts";
import { runConsole } from "../../service/http/console/console-fixture.ts";

const pane = () => document.querySelector<PreviewPane>("visavis-console-preview")!;

/** Types like a hand: letter after letter. */
async function typeOn(label: string, letters: string): Promise<void> {
  const target = await field(label);
  for (const letter of letters) {
    target.value += letter;
    target.dispatchEvent(new Event("input", { bubbles: true }));
    await pane().updateComplete;
  }
}

test("a name of spaces is no name: the face keeps its own", async () => {
  const edited = await openEditor("look");
  await write("Name", "   ");
  await see("heading", "Mina");
  await press("Save");
  await untilSaved();
  expect((await edited.saved()).embed_config.ui).not.toHaveProperty("avatar_name");
});

test("the avatar in a tab of its own is that of what is not saved", async () => {
  await openEditor("look");
  const href = () => find("link", "Open in a new tab")?.getAttribute("href");
  await expect.poll(href).toBeDefined();
  const before = href();
  await write("Name", "Nora");
  await expect.poll(href).not.toBe(before);
});

test("a colour says how readable it is, and one that is none cannot be saved", async () => {
  await openEditor("look");
  await write("Own colour", "#f2b300");
  await read(/Made darker so that words stay readable/);
  await write("Own colour", "yellow");
  await read("This doesn’t have the right form.");
  expect(find("button", "Save")?.matches(":disabled")).toBe(true);
});

test("a picture that is too large is refused, and the background stays", async () => {
  await openEditor("look");
  await see("radio", "Room");
  const input = document.querySelector<HTMLInputElement>('input[type="file"]')!;
  const file = new File([new Uint8Array(2 * 1024 * 1024 + 1)], "room.png", { type: "image/png" });
  Object.defineProperty(input, "files", { value: [file] });
  input.dispatchEvent(new Event("change", { bubbles: true }));
  await toast(/too large|larger than/);
  expect((find("radio", "Room") as HTMLInputElement).checked).toBe(true);
});

test("a voice is heard on a click", async () => {
  const stand = await openEditor("voice");
  await press("Play Sally");
  await press("Stop Sally");
  await see("button", "Play Sally");
  expect(stand.requests).toContain("POST /api/console/voice-sample/");
});

test("a number that is being typed stays, whatever the page does meanwhile", async () => {
  await openEditor("behaviour");
  const days = "Keep what was said";
  await write("Consent text", "Mara is an AI.");
  await typeOn(days, "1");
  await read("2 changes not saved");
  await seeValue(days, "1");
  await typeOn(days, "4.");
  await seeValue(days, "14.");
  (await field(days)).dispatchEvent(new Event("change", { bubbles: true }));
  await seeValue(days, "14");
});

test("a consent text that says that nothing is kept is marked where something is", async () => {
  await openEditor("behaviour");
  await write("Consent text", "Mara is an AI. What you say is deleted when you leave.");
  await readNo("“Deleted when you leave” isn’t true.");
  await write("Keep what was said", "14");
  await read("You keep what was said for 14 days.");
  await press("Correct it");
  const consent = await field("Consent text");
  expect(document.activeElement).toBe(consent);
  const { value, selectionStart, selectionEnd } = consent;
  expect(value.slice(selectionStart ?? 0, selectionEnd ?? 0)).toBe("deleted when you leave");
  await write("Consent text", value.replace("deleted when you leave", "kept for 14 days"));
  await readNo("You keep what was said for 14 days.");
});

test("the tester says why a page is not allowed, and allows it", async () => {
  await openEditor("limits", {
    embed_config: { ...settings.embed_config, allowed_origins: ["https://shop.example"] },
  });
  await write("Address to check", "http://shop.example/chairs");
  await press("Check");
  await read(/One address begins with http, the other with https/);
  await press("Allow http://shop.example");
  await expect.poll(holding("listitem", "http://shop.example")).toBeDefined();
});

test("suggestions that the knowledge does not answer are told, and those that it answers are offered", async () => {
  const run = await runConsole();
  const ui = { avatar_name: "Mara", suggestions: ["Help me choose a piano"] };
  const { id } = await makeAvatar(run, { embed_config: { ui } });
  const text =
    "# Alder Home\n\n## Delivery\n\nWe deliver within nine days.\n\n## Returns\n\nChairs come back within 30 days.";
  await run.send("POST", "/api/console/knowledge/", { title: "Shop", text, contexts: [id] });
  await openConsole(`/avatars/${id}/mind`, { run });
  await read("The knowledge does not answer “Help me choose a piano”.");
  const offered = () => all("button", /^/, within("group", "The knowledge answers these")).map(textOf);
  await expect.poll(offered).toEqual(["Delivery", "Returns"]);
  await press("Add “Returns”");
  await see("button", "Remove Returns");
  expect(offered()).toEqual(["Delivery"]);
  await press("Save");
  await untilSaved();
  const answer = await run.get(`/api/console/b2c/contexts/${id}/`);
  const { embed_config: saved } = (await answer.json()) as {
    embed_config: { ui: { suggestions: string[] } };
  };
  expect(saved.ui.suggestions).toEqual(["Help me choose a piano", "Returns"]);
  await press("Write an answer");
  await seeValue("Title", "Help me choose a piano");
});
