import { expect, test } from "vitest";
import type { OfflineModel } from "../../../src/protocol/console/engines.ts";
import {
  invited,
  jsonOf,
  owner,
  runConsole,
  type Browser,
} from "../../service/http/console/console-fixture.ts";
import { all, find, press, read, see, seeNone, seeValue, toast, within, write } from "../finding.ts";
import { openConsole, type Stand } from "../stand.ts";

const secret = "sk-canary-never-shown";
const address = "https://llm.example/v1";
const card = (name: string) => within("article", name);
const dialog = within("dialog");
const alert = within("alert", /^/, dialog);

/** Fills the form of a new model. */
async function fillNew(name: string): Promise<void> {
  await press("Another address of the OpenAI protocol", dialog);
  await write("Address", address, dialog);
  await write("Key", secret, dialog);
  await write("Model", "large", dialog);
  await write("Name", name, dialog);
}

const saving = (model: string, key: object = { none: true }) => ({
  fields: { name: "House model", service: "onpremise", engine: { base_url: address, model } },
  key,
});
const put = (browser: Browser, model: string, key?: object) =>
  browser.send("PUT", "/api/console/engines/model/House%20model/", saving(model, key));

test("a price has a currency", async () => {
  const run = await runConsole();
  await jsonOf(put(await owner(run), "large"));
  await openConsole("/engines?change=model%20House%20model", { run });
  const saved = within("dialog", "Change House model");
  await write("Price of a million tokens that it reads", "3", saved);
  await press("Save and test", saved);
  await press("Close", saved);
  await press("More about House model");
  await press("Change", card("House model"));
  await seeValue("Currency", "USD", saved);
});

test("an engine whose variable is not set says so, and leads to its key", async () => {
  const run = await runConsole({}, { languageModel: () => null });
  await openConsole("/engines?add=model", { run });
  await press("Mistral", dialog);
  await write("Where its key comes from", "variable", dialog);
  await seeValue("Name of the variable", "MISTRAL_API_KEY", dialog);
  await write("Model", "m", dialog);
  await write("Name", "Far model", dialog);
  await press("Add and test", dialog);
  await press("Close", dialog);
  await read("Key missing", card("Far model"));
  await press("Add the key Far model");
  await see("dialog", "Change Far model");
});

test("what was typed stays when it is too large for the server, and is not left unasked", async () => {
  const stand = await openConsole("/engines?add=model");
  await fillNew("Kept model");
  stand.instead = ({ path }) =>
    path.startsWith("/api/console/engines/model/") ? Response.json({}, { status: 413 }) : undefined;
  await press("Add and test", dialog);
  await read("That is too large for the server.", alert);
  const cancel = () => dialog()!.dispatchEvent(new Event("cancel", { cancelable: true }));
  cancel();
  await read("What you typed is not saved.", dialog);
  await press("Keep editing", dialog);
  await seeValue("Name", "Kept model", dialog);
  await seeValue("Key", secret, dialog);
  cancel();
  await press("Discard", dialog);
  await seeNone("dialog");
});

test("two editors at once get a clear conflict, and nothing typed is lost", async () => {
  const run = await runConsole();
  const theirs = await owner(run);
  await jsonOf(put(theirs, "large", { value: secret }));
  await openConsole("/engines?change=model%20House%20model", { run });
  const change = within("dialog", "Change House model");
  await seeValue("Model", "large", change);
  await jsonOf(put(theirs, "small"));
  await write("Where its key comes from", "none", change);
  await press("Save and test", change);
  await read("Changed in another window.", alert);
  await read("Somebody saved other settings meanwhile: Model.", alert);
  await seeValue("Where its key comes from", "none", change);
  await press("Keep mine", change);
  await seeValue("Model", "small", change);
  await press("Save and test", change);
  await see("button", "Close", change);

  await jsonOf(put(theirs, "tiny"));
  await write("Model", "mine", change);
  await press("Save and test", change);
  await press("Show theirs", change);
  await seeValue("Model", "tiny", change);
  await press("Cancel", change);
  await seeNone("dialog");
});

test("a new engine does not take the name of another one", async () => {
  const run = await runConsole();
  await jsonOf(put(await owner(run), "large"));
  await openConsole("/engines?add=model", { run });
  await fillNew("House model");
  await press("Add and test", dialog);
  await read("There is an engine of this name already.", alert);
  await seeValue("Key", secret, dialog);
});

const quotes = "Quotes from your texts";

test("a limit on tests is told with the time to wait", async () => {
  const stand = await openConsole("/engines");
  stand.instead = ({ path }) =>
    path.endsWith("/test/") ? Response.json({}, { status: 429, headers: { "retry-after": "7" } }) : undefined;
  await press(/^Test/, card(quotes));
  await toast("Try again in 7 seconds.");
  stand.instead = null;
  await press(/^Test/, card(quotes));
  await read("Working", card(quotes));
});

/** The page's list of models, in which a voice is half installed; null: as the service has it. */
function installing(stand: Stand, name: string, state: "downloading" | null): void {
  stand.instead = async ({ method, path }) => {
    if (state === null || method !== "GET" || path !== "/api/console/models/") return undefined;
    const answer = await stand.run.request(path, { headers: { Cookie: stand.cookie } });
    const models = (await answer.json()) as OfflineModel[];
    const installation = {
      ...{ model: name, state, received_bytes: 500_000, total_bytes: 1_000_000, detail: null },
      started_at: new Date().toISOString(),
    };
    return Response.json(models.map((one) => (one.name === name ? { ...one, installation } : one)));
  };
}

test("an offline voice is installed with progress; one that is damaged says why and can be tried again", async () => {
  const stand = await openConsole("/engines");
  installing(stand, "kitten-en", "downloading");
  await press("Install kitten-en");
  const voice = card("kitten-en");
  await expect.poll(() => find("progressbar", /^/, voice)?.getAttribute("aria-valuenow")).toBe("50");
  await read("Installing, 50 %", voice);
  installing(stand, "kitten-en", null);
  await read("Not installed: it failed", voice);
  await see("button", "Try again kitten-en", voice);
});

test("a voice is heard on a click, and its test is in its menu", async () => {
  const stand = await openConsole("/engines");
  const sally = card("Sally");
  await read("A woman’s voice, US English", sally);
  await press("Hear it Sally");
  await press(/^Stop/, sally);
  await see("button", "Hear it Sally");
  expect(stand.requests).toContain("POST /api/console/voice-sample/");
  await press("More about Sally");
  await press("Test", sally);
  const tested = expect.stringMatching(/^POST .*\/engines\/voice\/.*\/test\/$/) as string;
  await expect.poll(() => stand.requests).toContainEqual(tested);
});

test("a viewer sees how the engines are; an editor tests them; neither changes them", async () => {
  const run = await runConsole();
  const stand = await openConsole("/engines", { run, browser: await invited(run, "viewer", "Vera") });
  await see("article", quotes);
  expect(all("button", /^(?:Test|Hear it|Install|Remove|More about)/)).toEqual([]);
  expect(all("link", "Add an engine")).toEqual([]);
  stand.go("/engines?add=model");
  await expect.poll(() => location.hash).toContain("add=model");
  expect(all("dialog")).toEqual([]);
  await openConsole("/engines", { run, browser: await invited(run, "editor", "Edda") });
  await press(/^Test/, card(quotes));
  await read("Working", card(quotes));
  expect(all("link", "Add an engine")).toEqual([]);
});
