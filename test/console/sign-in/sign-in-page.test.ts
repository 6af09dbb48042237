import { expect, test } from "vitest";
import { password } from "../../service/http/console/console-fixture.ts";
import { field, press, read, see, seeNone, seeValue, within, write } from "../finding.ts";
import { openConsole } from "../stand.ts";

const guest = { browser: null };
const title = "Sign in to your console";

test("the first owner signs in with the password alone, sees the page of the address, and signs out again", async () => {
  const stand = await openConsole("/no-such-page", guest);
  await see("heading", title);
  expect(stand.requests).toEqual(["GET /api/console/session/"]);
  await write("Password", password);
  await press("Sign in");
  await see("heading", "There is no such page");
  await press("Sign out");
  await see("heading", title);
  expect(stand.cookie).toBe("");
});

test("a wrong password keeps what was typed and says how often one may try", async () => {
  await openConsole("/", guest);
  await write("Password", "not the password");
  await press("Sign in");
  await read(/This password isn’t right. You can try [\d,]+ more times? this minute./, within("alert"));
  await seeValue("Password", "not the password");
  expect((await field("Password")).getAttribute("aria-invalid")).toBe("true");
});

test("the password can be shown", async () => {
  await openConsole("/", guest);
  await press("Show password");
  await expect.poll(async () => (await field("Password")).type).toBe("text");
  await press("Hide password");
  await expect.poll(async () => (await field("Password")).type).toBe("password");
});

test("a session that ended asks to sign in over the page, and continues the action", async () => {
  const stand = await openConsole("/avatars");
  await see("article", "Mara");
  stand.cookie = "";
  await press(/^Start empty/);
  const dialog = within("dialog", "Sign in again");
  await read("What you typed is still here.", dialog);
  dialog()!.dispatchEvent(new Event("cancel", { cancelable: true }));
  await see("heading", "Avatars");
  await write("Password", password, dialog);
  await press("Sign in", dialog);
  await seeNone("dialog");
  await see("link", "Back to avatars");
});

test("a page without network says so, tries again, and shows the data when it is back", async () => {
  const stand = await openConsole("/no-such-page");
  stand.instead = ({ path }) =>
    path.startsWith("/api/console/contexts/") ? Promise.reject(new TypeError("Failed to fetch")) : undefined;
  stand.go("/avatars");
  await read("The server doesn’t answer. Trying again, 1 of 5.", within("alert"));
  stand.instead = null;
  // It does not wait for its next try where the browser says that the network is back.
  dispatchEvent(new Event("online"));
  await see("article", "Mara");
  await seeNone("alert");
});
