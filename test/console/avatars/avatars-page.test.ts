import { expect, test } from "vitest";
import { invited, owner, runConsole } from "../../service/http/console/console-fixture.ts";
import { all, find, press, read, see, seeNone, textOf, toast, type, within } from "../finding.ts";
import { openConsole } from "../stand.ts";

const path = "/api/console/b2c/contexts/";
const attack = `<img src=x onerror="document.title='attacked'"><script>document.title='attacked'</script>`;

/** An avatar that the owner's program has made. Returns its id. */
async function makeAvatar(run: Awaited<ReturnType<typeof runConsole>>, name: string): Promise<string> {
  const ui = { avatar_name: name.slice(0, 40) };
  const body = { name, tts_type: "visavis-slt", model_style: "mina", embed_config: { ui } };
  return ((await (await run.send("POST", path, body)).json()) as { id: string }).id;
}

async function choose(name: string, action: string): Promise<void> {
  await press(/More about/, within("article", name));
  await press(action, within("article", name));
}

test("an avatar is paused and switched on", async () => {
  const run = await runConsole();
  await makeAvatar(run, "Nora");
  await openConsole("/avatars", { run });
  const card = within("article", "Nora");
  await choose("Nora", "Pause");
  await read("Paused", card);
  await choose("Nora", "Switch on");
  await read("Draft", card);
});

test("a second avatar of a template has names of its own", async () => {
  await openConsole("/avatars");
  // One of the demo's has the first one's name too.
  for (const count of [2, 3]) {
    await press(/^Support/, within("group", "New avatar"));
    await press("Back to avatars");
    await expect.poll(() => all("article", /^Ingrid/).length).toBe(count);
  }
  expect(all("article", /^Ingrid \d+$/).map(textOf)).toEqual([expect.stringMatching(/Support \d+/)]);
});

test("the menu is used with the keyboard alone", async () => {
  await openConsole("/avatars");
  const button = await see("button", /More about/);
  button.focus();
  type(button, "ArrowDown");
  await expect.poll(() => document.activeElement).toBe(await see("menuitem", "Pause"));
  type(document.activeElement!, "ArrowUp");
  expect(document.activeElement).toBe(find("menuitem", "Delete"));
  type(document.activeElement!, "Home");
  expect(document.activeElement).toBe(find("menuitem", "Pause"));
  type(document.activeElement!, "Escape");
  await seeNone("menuitem");
  expect(document.activeElement).toBe(button);
});

test("markup in a name stays text", async () => {
  const run = await runConsole();
  await makeAvatar(run, attack);
  await openConsole("/avatars", { run });
  await read(attack);
  expect(document.querySelectorAll("main script, main img[onerror]")).toHaveLength(0);
  expect(document.title).toBe("Avatars · Visavis");
});

test("an action on an avatar that somebody else deleted says so", async () => {
  const run = await runConsole();
  const id = await makeAvatar(run, "Nora");
  await openConsole("/avatars", { run });
  await see("article", "Nora");
  await run.send("DELETE", `${path}${id}/`, undefined);
  await choose("Nora", "Pause");
  await toast("It doesn’t exist any more");
  await seeNone("article", "Nora");
});

test("a viewer sees the avatars and cannot change them; who was one until now is told so by the first try", async () => {
  const run = await runConsole();
  const vera = await invited(run, "viewer", "Vera");
  const stand = await openConsole("/avatars", { run, browser: vera });
  await see("article", "Mara");
  expect([...all("button", /More about/), ...all("heading", "New avatar")]).toEqual([]);
  const host = await owner(run);
  const accounts = (await (await host.get("/api/console/accounts/")).json()) as {
    id: string;
    username: string;
  }[];
  const { id } = accounts.find(({ username }) => username === "Vera")!;
  const become = (role: string) => host.send("PUT", `/api/console/accounts/${id}/`, { role });
  await become("editor");
  stand.reload();
  await see("button", /More about Mara/);
  await become("viewer");
  await choose("Mara", "Pause");
  await toast("You may not do this here.");
});

test("a face from a photograph is for those who may edit", async () => {
  const run = await runConsole();
  const stand = await openConsole("/avatars", { run, browser: await invited(run, "viewer", "Vera") });
  await see("article", "Mara");
  await seeNone("link", "A face from a photograph");
  stand.go("/avatars/photo");
  await read("Your role does not show this page.");
});

test("the address of an avatar that was deleted says so under a heading, and leads on", async () => {
  await openConsole("/avatars/00000000-0000-4000-8000-000000000000/look");
  await see("heading", "There is no such page");
  expect(document.title).toBe("There is no such page · Visavis");
  await read("It doesn’t exist any more.");
  await press("Avatars", () => document.querySelector("main") ?? undefined);
  await see("heading", "Avatars");
  expect(document.title).toBe("Avatars · Visavis");
});
