/** What the editor does with what was typed: saved, kept, restored, refused, or asked about. */
import { expect, test } from "vitest";
import { invited, password, runConsole } from "../../service/http/console/console-fixture.ts";
import { all, field, find, press, read, see, seeNone, seeValue, type, within, write } from "../finding.ts";
import { holdTimers } from "../stand.ts";
import { openEditor, untilSaved } from "./edited-avatar.ts";

const alert = within("alert");

test("a change is saved with the keyboard, and a former version is restored", async () => {
  const edited = await openEditor("mind");
  await write("Greeting", "Second");
  await read("1 change not saved");
  expect((await edited.saved()).greeting).toBe("Hello.");
  type(document.body, "s", { ctrlKey: true });
  await untilSaved();
  expect((await edited.saved()).greeting).toBe("Second");
  await press("Versions");
  await press("Restore Version 1");
  await seeValue("Greeting", "Hello.");
});

test("what was typed is there again after the window was closed", async () => {
  const keep = holdTimers(800);
  const stand = await openEditor("mind");
  await write("Greeting", "Typed, not saved");
  keep();
  await expect.poll(() => stand.requests.findLast((request) => request.endsWith("/draft/"))).toMatch(/^PUT/);
  stand.reload();
  await seeValue("Greeting", "Typed, not saved");
  await read("Your unsaved changes from");
});

test("leaving with unsaved changes asks, and saves or stays", async () => {
  const edited = await openEditor("mind");
  await write("Greeting", "Good morning.");
  await press("Voice");
  await see("button", "Play Sally");
  await press("Back to avatars");
  const dialog = within("dialog", "Save your changes to Mara?");
  await read("Greeting", dialog);
  await press("Keep editing", dialog);
  await seeNone("dialog");
  await see("heading", "Mara");
  await press("Back to avatars");
  await press("Save", dialog);
  await see("heading", "Avatars");
  expect((await edited.saved()).greeting).toBe("Good morning.");
});

test("leaving while the editor saves waits for the save, and goes without a question", async () => {
  const edited = await openEditor("mind");
  await write("Greeting", "Good evening.");
  let answer = (): void => undefined;
  const asked = new Promise<undefined>((resolve) => (answer = () => resolve(undefined)));
  edited.instead = ({ method, path }) => (method === "PUT" && !path.endsWith("/draft/") ? asked : undefined);
  await press("Save");
  await read("Saving");
  await press("Back to avatars");
  await see("heading", "Mara");
  expect(find("dialog")).toBeUndefined();
  answer();
  await see("heading", "Avatars");
  expect((await edited.saved()).greeting).toBe("Good evening.");
});

test("two editors get a clear conflict, and mine goes on top of theirs", async () => {
  const edited = await openEditor("mind");
  await edited.put({ instructions: "Theirs" });
  await write("Greeting", "Mine");
  await press("Save");
  await read("Changed in another window.", alert);
  await read("Instructions", alert);
  await press("Keep mine");
  await seeValue("Instructions", "Theirs");
  await seeValue("Greeting", "Mine");
  await press("Save");
  await untilSaved();
});

test("a save that fails says why, and keeps the form", async () => {
  const edited = await openEditor("mind");
  await write("Greeting", "Kept");
  const answers: readonly [() => Response | Promise<Response>, string][] = [
    [() => Promise.reject(new TypeError("Failed to fetch")), "The server doesn’t answer."],
    [
      () => Response.json({}, { status: 429, headers: { "Retry-After": "30" } }),
      "Too many attempts. Try again in 30 seconds.",
    ],
    [
      () => new Response("<h1>413 Request Entity Too Large</h1>", { status: 413 }),
      "That is too large for the server.",
    ],
  ];
  for (const [answer, words] of answers) {
    edited.instead = ({ method }) => (method === "PUT" ? answer() : undefined);
    await press("Save");
    await read(words, alert);
    await read("Not saved.", alert);
    expect((await field("Greeting")).value).toBe("Kept");
  }
  edited.instead = null;
  await press("Save");
  await untilSaved();
});

test("a server that takes no more requests leaves the preview with the last settings that are complete", async () => {
  const edited = await openEditor("mind");
  edited.instead = ({ method }) =>
    method === "PUT" ? Response.json({}, { status: 429, headers: { "Retry-After": "30" } }) : undefined;
  await write("Greeting", "The last one");
  await read("The preview shows the last settings that are complete.");
});

test("a save after the session has ended asks to sign in, and goes on with what was typed", async () => {
  const edited = await openEditor("mind");
  await write("Greeting", "Typed before");
  edited.cookie = "";
  await press("Save");
  const dialog = within("dialog", "Sign in again");
  await write("Password", password, dialog);
  await press("Sign in", dialog);
  await seeNone("dialog");
  await untilSaved();
  await seeValue("Greeting", "Typed before");
  expect((await edited.saved()).greeting).toBe("Typed before");
});

test("what of the saved settings has no effect is said beside its field, or above the form where it has none", async () => {
  const embed_config = { ui: { avatar_name: "Mara", radius: 32 }, theme: "dark", documents: ["gone"] };
  const edited = await openEditor("mind", { embed_config });
  await read(/2 settings have no effect\..*Did you mean "ui\.theme"\?/);
  await read('"gone" does not exist.', () => document.querySelector("#part") ?? undefined);
  await write("Greeting", "Welcome.");
  await press("Save");
  await untilSaved();
  expect((await edited.saved()).embed_config).toEqual(embed_config);
});

test("scripts and markup in an avatar's texts stay text", async () => {
  const attack = `<img src=x onerror="document.title='attacked'">`;
  await openEditor("mind", { greeting: attack, instructions: attack });
  await seeValue("Greeting", attack);
  expect(document.querySelectorAll("main img[onerror]")).toHaveLength(0);
});

test("a viewer sees every part, and can change nothing", async () => {
  const run = await runConsole();
  const stand = await openEditor("look", {}, { run, browser: await invited(run, "viewer", "Viktor") });
  await read("Your role may look at this, and not change it.");
  expect(all("button", "Save")).toEqual([]);
  expect((await field("Name")).closest("fieldset")?.disabled).toBe(true);
  await press("Embed");
  const isUsed = await see("switch", "Visitors can use it");
  expect(isUsed.closest("fieldset")?.disabled).toBe(true);
  expect((await see("button", "Copy")).closest("fieldset")?.disabled).toBe(false);
  await press("Versions");
  await see("dialog", "The last 20 versions");
  expect(all("button", /^Restore/)).toEqual([]);
  expect(stand.requests.filter((request) => request.startsWith("PUT"))).toEqual([]);
});
