import { expect, test } from "vitest";
import { invited, password, runConsole } from "../../service/http/console/console-fixture.ts";
import { field, find, holding, press, read, see, seeValue, toast, within, write } from "../finding.ts";
import { openConsole, type Stand } from "../stand.ts";

const row = (words: string) => holding("row", words);
const dialog = within("dialog");

test("an API key is made, shown once, works, and is refused when it is revoked", async () => {
  const stand = await openConsole("/settings/keys");
  await press("New key");
  await write("Name", "Press kit", within("dialog", "New key"));
  await press("Make the key", dialog);
  await read("Copy it now, it is shown only once.");
  const key = (await field("The new key")).value;
  const call = async (): Promise<number> => {
    const headers = { "ServicePlatform-APIKey": key };
    return (await stand.run.request("/api/console/b2c/contexts/", { headers })).status;
  };
  expect(await call()).toBe(200);
  stand.reload();
  await read("Press kit", row("Press kit"));
  expect(find("textbox", "The new key")).toBeUndefined();
  await press("Revoke Press kit");
  await press("Revoke", dialog);
  await read("Revoked", row("Press kit"));
  expect(await call()).toBe(401);
});

/** The link of an invitation, made in the console. */
async function invite(role: string, name: string): Promise<string> {
  await press("Invite somebody");
  await write("For whom", name, dialog);
  await write("Role", role, dialog);
  await press("Make the link", dialog);
  return (await field("The invitation’s link")).value;
}

test("whoever is invited chooses a name and a password, once; an owner changes the role, and removes the account", async () => {
  const stand = await openConsole("/settings/accounts");
  const { run, cookie } = stand;
  const link = new URL(await invite("viewer", "Vera"));
  const address = link.pathname + link.hash;
  const guest = await openConsole(address, { run, browser: null });
  await see("heading", "You are invited");
  await write("Choose a user name", "Vera");
  await write("Choose a password", "Vera has a long password");
  await press("Create my account");
  await expect.poll(() => guest.cookie).not.toBe("");
  const vera = guest.cookie;
  await openConsole(address, { run, browser: null });
  await see("heading", "This invitation does not work");

  const owners = await openConsole("/settings/accounts", { run, browser: { cookie } });
  await see("combobox", "Role of Vera");
  await write("Role of Vera", "editor");
  await toast("The role of Vera was changed.");
  await press("Remove Vera");
  await press("Remove", dialog);
  await expect.poll(row("Vera")).toBeUndefined();
  owners.go("/settings/audit");
  await read("Remove an account; its logins end");
  await openConsole("/avatars", { run, browser: { cookie: vera } });
  await see("heading", "Sign in to your console");
});

test("a viewer is shown no sections for owners, reads quotas and health, and cannot change the quotas", async () => {
  const run = await runConsole();
  const stand = await openConsole("/settings", { run, browser: await invited(run, "viewer", "Vera") });
  const sections = within("navigation", "Settings");
  await see("link", "Quotas", sections);
  for (const name of ["API keys", "Webhooks", "Accounts", "Audit log"])
    expect(find("link", name, sections), name).toBeUndefined();
  stand.go("/settings/quotas");
  expect((await field("Talking time a month")).readOnly).toBe(true);
  expect(find("button", "Save")).toBeUndefined();
  stand.go("/settings/health");
  await read("Working");
});

test("a browser is signed out from another one", async () => {
  const run = await runConsole();
  const other = await invited(run, "editor", "Edda");
  await openConsole("/settings/logins", { run });
  await read("This browser");
  await press("Sign out Edda");
  await expect.poll(holding("listitem", "Edda")).toBeUndefined();
  expect((await other.get("/api/console/session/")).status).toBe(401);
});

test("a wrong current password is reported beside its field, and nothing changes", async () => {
  const { run } = await openConsole("/settings/password");
  await write("Present password", "not this one");
  await write("New password", "another long password");
  await press("Change password");
  await read("This password isn’t right.", within("alert"));
  await seeValue("New password", "another long password");
  await write("Present password", password);
  await press("Change password");
  await toast("The password was changed.");
  expect(run.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("transcripts are kept as long as the owner says, unless somebody else has changed the avatar meanwhile", async () => {
  const stand = await openConsole("/settings/privacy");
  const { run } = stand;
  const choice = "Keep transcripts of Mara";
  const saved = async () => {
    const path = `/api/console/b2c/contexts/${run.demo.id}/`;
    const context = (await (await run.get(path)).json()) as { embed_config: { retention_days?: number } };
    return { path, context };
  };
  await see("combobox", choice);
  await write(choice, "14");
  await toast("Saved.");
  expect((await saved()).context.embed_config.retention_days).toBe(14);
  stand.reload();
  const chosen = () =>
    [...document.querySelectorAll<HTMLOptionElement>("option[selected]")].map(({ value }) => value);
  await expect.poll(chosen).toContain("14");
  const { path, context } = await saved();
  await run.send("PUT", path, context);
  await write(choice, "30");
  await toast("Somebody else changed it meanwhile");
  expect((await saved()).context.embed_config.retention_days).toBe(14);
});

const month = "Talking time a month";
const lines = "At the same time";

test("quotas are set, wrong ones are told beside their fields, and what was typed is not lost unasked", async () => {
  const stand = await openConsole("/settings/quotas");
  const saveAndLoad = async (): Promise<void> => {
    await press("Save");
    await toast("The quotas were saved.");
    stand.reload();
    await see("heading", "Quotas");
  };
  await write(month, "a lot");
  await write(lines, "6");
  await press("Save");
  await read("A whole number, 0 or more.", within("alert"));
  await seeValue(lines, "6");
  await press("Health");
  await press("Keep editing", within("dialog", "Leave without saving?"));
  await seeValue(month, "a lot");
  await write(month, "9000");
  await saveAndLoad();
  await seeValue(month, "9000");
  await seeValue(lines, "6");
  await read(/used in/);
  await write(lines, "");
  await saveAndLoad();
  await seeValue(lines, "");
});

test("quotas that the server refuses stay in the form, with the reason", async () => {
  await openConsole("/settings/quotas");
  await write(month, "9999999999");
  await press("Save");
  await read(/\S/, within("alert"));
  await seeValue(month, "9999999999");
  expect((await field(month)).getAttribute("aria-invalid")).toBe("true");
});

test("health says how the parts are, and where the metrics are", async () => {
  const { run }: Stand = await openConsole("/settings/health");
  const part = (name: string) => () =>
    [...document.querySelectorAll("dl > div")].find((one) => one.querySelector("dt")?.textContent === name);
  await read("Working", part("Server"));
  await read(/answers in [\d.,]+ ms/, part("Database"));
  await read(/\d+ of \d+ running/, part("Picture and sound"));
  await read(/ of /, part("Free space"));
  const metrics = await run.get(new URL((await field("Address of the metrics")).value).pathname);
  expect([metrics.status, await metrics.text()]).toEqual([200, expect.stringContaining("# HELP")]);
});
