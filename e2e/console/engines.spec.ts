import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, type Page } from "../support/test.ts";
import { refuses, says } from "../support/scripted-model.ts";
import {
  expectAccessible,
  expectAccessibleInEachWidth,
  expectStatus,
  pageProblems,
  signIn,
  useConsole,
} from "./console-fixture.ts";
import { invited } from "./invite.ts";
import { startProvider, type Provider } from "./provider.ts";

const secret = "sk-canary-never-shown";

/** A server of models that sends half of a file, then a byte now and then, and the rest when it is told. */
const fileBytes = 2_000_000;
let sendRest: () => void = () => undefined;
const rest = new Promise<void>((resolve) => (sendRest = resolve));
const models = createServer((request, response) => {
  response.writeHead(200, { "content-length": fileBytes });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  let sentBytes = fileBytes / 2;
  response.write(Buffer.alloc(sentBytes));
  // A sender that is silent is given up.
  const dripping = setInterval(() => {
    sentBytes++;
    response.write(Buffer.alloc(1));
  }, 5_000);
  response.once("close", () => clearInterval(dripping));
  void rest.then(() => response.end(Buffer.alloc(fileBytes - sentBytes)));
});
test.beforeAll(() => new Promise<void>((resolve) => models.listen(0, "127.0.0.1", resolve)));

const console_ = useConsole(() => ({
  VISAVIS_MODELS_URL: `http://127.0.0.1:${(models.address() as AddressInfo).port}`,
}));
let provider: Provider;

test.beforeAll(async () => {
  provider = await startProvider(secret);
});

test.afterAll(() => {
  provider.close();
  models.closeAllConnections();
  models.close();
});

const card = (page: Page, name: string) => page.getByRole("article", { name, exact: true });

async function fillNew(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Another address of the OpenAI protocol").check();
  await dialog.getByLabel("Address", { exact: true }).fill(provider.address);
  await dialog.getByLabel("Key", { exact: true }).fill(secret);
  await dialog
    .getByRole("textbox", { name: "Model" })
    .or(dialog.getByRole("combobox", { name: "Model" }))
    .fill("large");
  await dialog.getByLabel("Name", { exact: true }).fill(name);
}

test("a language model is added with a key that is never shown again, tested, changed and removed", async ({
  page,
}) => {
  const problems = pageProblems(page);
  await signIn(page, console_.server, "/engines");
  await page.getByRole("link", { name: "Add an engine" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a language model" });
  await dialog.getByLabel("Another address of the OpenAI protocol").check();
  await dialog.getByLabel("Address", { exact: true }).fill(provider.address);
  await dialog.getByLabel("Key", { exact: true }).fill("not this one");
  await dialog.getByRole("button", { name: "Find models" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("The address answers, but refuses the key.");
  await expect(dialog.getByLabel("Address", { exact: true })).toHaveValue(provider.address);
  await fillNew(page, "House model");
  await dialog.getByRole("button", { name: "Find models" }).click();
  await expect(dialog.getByText("2 found at this address.")).toBeVisible();
  await dialog.getByRole("button", { name: "Add and test" }).click();
  const saved = page.getByRole("dialog", { name: "Change House model" });
  await expect(saved.getByRole("status")).toContainText("“Good afternoon.” after");
  await expectAccessible(page);
  await saved.getByRole("button", { name: "Close" }).click();
  await expect(card(page, "House model")).toContainText("Working");
  await expect(card(page, "House model")).toContainText("Not used yet.");

  await page.reload();
  await expect(card(page, "House model")).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  await card(page, "House model").getByRole("button", { name: "More about House model" }).click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  await expect(saved.getByLabel("Where its key comes from")).toHaveValue("keep");
  await expect(saved.getByLabel("Key", { exact: true })).toHaveCount(0);
  await saved.getByText("More settings").click();
  await saved.getByLabel("Longest wait, in seconds").fill("120");
  await saved.getByLabel("Temperature").fill("9");
  await saved.getByRole("button", { name: "Save and test" }).click();
  await expect(saved.getByRole("alert")).toContainText("2");
  await saved.getByLabel("Temperature").fill("0,5");
  await saved.getByLabel("Price of a million tokens that it reads").fill("3");
  await expectAccessible(page);
  provider.answer = refuses(500);
  await saved.getByRole("button", { name: "Save and test" }).click();
  await expect(saved.getByRole("status")).toContainText("500");
  provider.answer = says("Good afternoon.");
  await saved.getByRole("button", { name: "Close" }).click();
  await expect(card(page, "House model")).toContainText("Not answering since");
  await card(page, "House model").getByRole("button", { name: "More about House model" }).click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  await expect(saved.getByLabel("Temperature")).toHaveValue("0.5");
  await expect(saved.getByLabel("Currency")).toHaveValue("USD");
  await saved.getByRole("button", { name: "Cancel" }).click();
  await card(page, "House model").getByRole("button", { name: "Test again" }).click();
  await expect(card(page, "House model")).toContainText("Working");

  await card(page, "House model").getByRole("button", { name: "More about House model" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(card(page, "House model")).toHaveCount(0);
  expect(problems).toEqual([]);
});

test("an engine whose variable is not set says so, and leads to its key", async ({ page }) => {
  await signIn(page, console_.server, "/engines?add=model");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Mistral").check();
  await dialog.getByLabel("Where its key comes from").selectOption("variable");
  await expect(dialog.getByLabel("Name of the variable")).toHaveValue("MISTRAL_API_KEY");
  await dialog
    .getByRole("textbox", { name: "Model" })
    .or(dialog.getByRole("combobox", { name: "Model" }))
    .fill("m");
  await dialog.getByLabel("Name", { exact: true }).fill("Far model");
  await dialog.getByRole("button", { name: "Add and test" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await expect(card(page, "Far model")).toContainText("Key missing");
  await card(page, "Far model").getByRole("button", { name: "Add the key" }).click();
  await expect(page.getByRole("dialog", { name: "Change Far model" })).toBeVisible();
});

test("what was typed stays when the server refuses it or it is too large, and is not left unasked", async ({
  page,
}) => {
  await signIn(page, console_.server, "/engines?add=model");
  await fillNew(page, "Kept model");
  await page.route("**/api/console/engines/model/**", (route) => route.fulfill({ status: 413, body: "{}" }));
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add and test" }).click();
  await expect(dialog.getByRole("alert")).toContainText("That is too large for the server.");
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue("Kept model");
  await expect(dialog.getByLabel("Key", { exact: true })).toHaveValue(secret);
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("alert").filter({ hasText: "What you typed is not saved." })).toBeVisible();
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue("Kept model");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Discard" }).click();
  await expect(dialog).toHaveCount(0);
});

test("two editors at once get a clear conflict, and nothing typed is lost", async ({ page }) => {
  const { server } = console_;
  await signIn(page, server, "/engines?add=model");
  await fillNew(page, "Shared model");
  const form = page.getByRole("dialog");
  await form.getByRole("button", { name: "Add and test" }).click();
  const change = page.getByRole("dialog", { name: "Change Shared model" });
  await expect(change.getByRole("status")).toContainText("after");
  const modelOf = (somebody: Page) =>
    somebody
      .getByRole("dialog")
      .getByRole("textbox", { name: "Model" })
      .or(somebody.getByRole("dialog").getByRole("combobox", { name: "Model" }));
  const model = modelOf(page);
  const theirs = async (name: string): Promise<void> => {
    const other = await page.context().newPage();
    await other.goto(`${server.origin}/console/#/engines?change=model%20Shared%20model`);
    await modelOf(other).fill(name);
    await other.getByRole("button", { name: "Save and test" }).click();
    await expect(other.getByRole("dialog").getByRole("button", { name: "Close" })).toBeVisible();
    await other.close();
  };
  const conflict = change.getByRole("alert").filter({ hasText: "Changed in another window." });

  await theirs("small");
  await change.getByLabel("Where its key comes from").selectOption("none");
  await change.getByRole("button", { name: "Save and test" }).click();
  await expect(conflict).toContainText("Somebody saved other settings meanwhile: Model.");
  await expect(change.getByLabel("Where its key comes from")).toHaveValue("none");
  await expectAccessible(page);
  await conflict.getByRole("button", { name: "Keep mine" }).click();
  await expect(model).toHaveValue("small");
  await expect(change.getByLabel("Where its key comes from")).toHaveValue("none");
  await change.getByRole("button", { name: "Save and test" }).click();
  await expect(conflict).toHaveCount(0);
  await expect(change.getByRole("button", { name: "Close" })).toBeVisible();

  await theirs("tiny");
  await model.fill("mine");
  await change.getByRole("button", { name: "Save and test" }).click();
  await conflict.getByRole("button", { name: "Show theirs" }).click();
  await expect(model).toHaveValue("tiny");
  await change.getByRole("button", { name: "Cancel" }).click();
  await expect(change).toHaveCount(0);

  await page.getByRole("link", { name: "Add an engine" }).click();
  await fillNew(page, "Shared model");
  await form.getByRole("button", { name: "Add and test" }).click();
  await expect(form.getByRole("alert")).toContainText("There is an engine of this name already.");
  await expect(form.getByLabel("Key", { exact: true })).toHaveValue(secret);
});

test("a limit on tests is told with the time to wait", async ({ page }) => {
  await signIn(page, console_.server, "/engines");
  await page.route("**/test/", (route) =>
    route.fulfill({ status: 429, headers: { "retry-after": "7" }, body: "{}" }),
  );
  await card(page, "Quotes from your texts").getByRole("button", { name: /^Test/ }).click();
  await expectStatus(page, "Try again in 7 seconds.");
  await page.unroute("**/test/");
  await card(page, "Quotes from your texts").getByRole("button", { name: /^Test/ }).click();
  await expect(card(page, "Quotes from your texts")).toContainText("Working");
});

test("an offline voice is installed with progress; one that is damaged says why and can be tried again", async ({
  page,
}) => {
  await signIn(page, console_.server, "/engines");
  const voices = page.getByRole("region", { name: "Voices" });
  await voices.getByText(/more to install/).click();
  await voices.getByRole("button", { name: "Install kitten-en" }).click();
  const voice = card(page, "kitten-en");
  await expect(voice.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "50");
  await expect(voice).toContainText("Installing, 50 %");
  await expectAccessible(page);
  sendRest();
  await expect(voice).toContainText("Not installed: it failed");
  await expect(voice.getByRole("button", { name: "Try again kitten-en" })).toBeVisible();
});

test("a voice is heard on a click, and its test is in its menu", async ({ page }) => {
  await signIn(page, console_.server, "/engines");
  const sally = card(page, "Sally");
  await expect(sally).toContainText("A woman’s voice, US English");
  const sample = page.waitForResponse((response) => response.url().endsWith("/api/console/voice-sample/"));
  await sally.getByRole("button", { name: "Hear it Sally" }).click();
  expect((await sample).headers()["content-type"]).toBe("audio/wav");
  await expect(sally.getByRole("button", { name: "Hear it Sally" })).toBeVisible();
  await sally.getByRole("button", { name: "More about Sally" }).click();
  await sally.getByRole("menuitem", { name: "Test" }).click();
  await expect(sally).toContainText("Working");
});

test("a viewer sees how the engines are; an editor tests them; neither changes them", async ({
  page,
  browser,
}) => {
  await signIn(page, console_.server, "/settings/accounts");
  const viewer = await invited(console_.server, page, browser, "viewer", "Vera");
  await viewer.goto(`${console_.server.origin}/console/#/engines`);
  await expect(card(viewer, "Quotes from your texts")).toBeVisible();
  await expect(
    viewer.getByRole("button", { name: /^(?:Test|Hear it|Install|Remove|More about)/ }),
  ).toHaveCount(0);
  await expect(viewer.getByRole("link", { name: "Add an engine" })).toHaveCount(0);
  await viewer.goto(`${console_.server.origin}/console/#/engines?add=model`);
  await expect(viewer.getByRole("dialog")).toHaveCount(0);
  const refused = await viewer.evaluate(async () => {
    const headers = { "content-type": "application/json" };
    return (await fetch("/api/console/models/kitten-en/install/", { method: "POST", headers, body: "{}" }))
      .status;
  });
  expect(refused).toBe(403);
  const editor = await invited(console_.server, page, browser, "editor", "Edda");
  await editor.goto(`${console_.server.origin}/console/#/engines`);
  await card(editor, "Quotes from your texts").getByRole("button", { name: /^Test/ }).click();
  await expect(card(editor, "Quotes from your texts")).toContainText("Working");
  await expect(editor.getByRole("link", { name: "Add an engine" })).toHaveCount(0);
  await viewer.context().close();
  await editor.context().close();
});

test("axe finds nothing in the engines and their form, in any width", async ({ page }) => {
  await signIn(page, console_.server, "/engines");
  await expect(card(page, "Quotes from your texts")).toBeVisible();
  await expectAccessibleInEachWidth(page);
  for (const kind of ["model", "voice", "recognizer", "tools"]) {
    await page.goto(`${console_.server.origin}/console/#/engines?add=${kind}`);
    await page.reload();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessibleInEachWidth(page);
  }
});
