/** Every page of the console for those who use it otherwise: by a screen reader, on a phone, in another language, in the dark. */
import { violations } from "../support/axe.ts";
import { useServer } from "../support/served-site.ts";
import { callApi, readContext } from "../support/service-api.ts";
import { expect, test, type Page } from "../support/test.ts";
import { matchRoute } from "../../src/console/router.ts";
import { routes } from "../../src/console/routes.ts";
import {
  exclude,
  expectNoSidewaysScrolling,
  openConsole,
  pageProblems,
  signIn,
  tags,
} from "./console-fixture.ts";
import { preview } from "./editor-fixture.ts";
import { beginConversation, converse, keepWords } from "./visitor.ts";

const console_ = useServer({
  change: ({ embed_config }) => {
    embed_config["ui"] = { handover_message: ["email"], suggestions: ["Help me choose a piano"] };
    embed_config["quick_answers"] = ["We deliver on Saturdays."];
  },
});

/** What stands for the parameters of the routes. */
const parameters: Record<string, string> = {};
/** Lists of the shared server have what all tests have made: pages show this file's avatar alone where they can. */
let query = "";
let warranty = "";

test.beforeAll(async () => {
  const { id } = await readContext(console_);
  const post = (path: string, body: object) =>
    callApi(console_.server, path, { method: "POST", body: JSON.stringify(body) });
  await keepWords(console_, 14);
  const session = await converse(
    console_,
    ["How much is the Birch chair?", "Do you ship zebra crates?"],
    "up",
  );
  const running = await beginConversation(console_, ["Can I talk to a person?"]);
  const message = { id: `message-${id}`, text: "Do you deliver on a Saturday?", email: "ana@weiz.example" };
  expect((await post(`/api/v1/session/${running}/message/`, message)).status).toBe(204);
  const document = { title: "Warranty", text: "Five years on oak.", contexts: [id] };
  warranty = ((await (await post("/api/console/knowledge/", document)).json()) as { id: string }).id;
  const inbox = await callApi(console_.server, `/api/console/inbox/?context=${id}`);
  const [left] = (await inbox.json()) as { id: string }[];
  Object.assign(parameters, { id, session, message: left!.id, tab: "look", section: "privacy" });
  query = `?avatar=${id}&days=0`;
});

/** The addresses of a route: without the parameters that it may lack, and with all. */
function addressesOf(path: string): string[] {
  const filled = (pattern: string): string =>
    pattern.replace(/:(\w+)\??/g, (_, name: string) => {
      const value = parameters[name];
      if (value === undefined) throw new Error(`Say what stands for the parameter ${name} of ${path}.`);
      return value;
    });
  const short = path.replace(/\/:\w+\?/g, "");
  return [...new Set([short, path])].map((pattern) => filled(pattern) + query);
}

/** With all parameters that it can have. */
const fullPages = (): string[] => routes.map(({ path }) => addressesOf(path).at(-1)!);
const everyPage = (): string[] => routes.flatMap(({ path }) => addressesOf(path));

/** The parts of the pages that have an address, and the forms and dialogs that open by themselves. */
const everyPart = (): string[] => [
  ...["voice", "mind", "behaviour", "limits", "embed"].map((tab) => `/avatars/${parameters["id"]}/${tab}`),
  ...["write", "files", "website"].map((way) => `/knowledge${query}&add=${way}`),
  `/knowledge${query}&document=${warranty}`,
  ...["model", "voice", "recognizer", "tools"].map((kind) => `/engines?add=${kind}`),
  `/unanswered${query}&question=Do+you+ship+zebra+crates%3F`,
];

/** A signed-in page that goes from address to address, and waits until each is whole. */
async function walker(page: Page): Promise<(address: string) => Promise<void>> {
  const open = new Set<unknown>();
  page.on("request", (request) => request.resourceType() === "fetch" && open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  // The shared server has the avatars of all tests: to look at all of them takes long, and shows no more.
  await page.route("**/api/console/contexts/", async (route) => {
    const response = await route.fetch();
    const avatars = (await response.json()) as { id: string; is_demo: boolean }[];
    const shown = avatars.filter(({ id, is_demo }) => is_demo || id === parameters["id"]);
    await route.fulfill({ response, json: shown });
  });
  await signIn(page, console_.server, "/no-such-page");
  let last: unknown;
  return async (address) => {
    const { route } = matchRoute(routes, address.split("?")[0]!)!;
    const isSame = route === last;
    last = route;
    await page.evaluate(
      async ([to, isSamePage]) => {
        const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
        const shown = () => document.querySelector("main .wrap > *");
        const before = shown();
        location.hash = to;
        do await frame();
        while (!isSamePage && shown() === before);
        await frame();
      },
      [`#${address}`, isSame] as const,
    );
    await expect.poll(() => open.size, `requests of ${address}`).toBe(0);
    await expect(page.locator("main .skeleton"), address).toHaveCount(0);
    await expect(page.getByRole("heading", { level: 1 }).first(), address).not.toHaveText(/no such page/);
  };
}

/** Contrast is looked at on pages that have all the colours, and in `test/console/styles/contrast.test.ts`. */
async function expectNoFaults(page: Page, where: string, include = "main"): Promise<void> {
  const found = await violations(page, { include, exclude, tags, without: ["color-contrast"] });
  expect(found, where).toEqual([]);
}

/** Each walk goes over a half: a test of all would take long. */
const halves = ["first", "second"] as const;
const halfOf = (addresses: readonly string[], half: (typeof halves)[number]): string[] =>
  addresses.filter((_, index) => index % 2 === halves.indexOf(half));

test("axe finds nothing where an owner signs in, and in the frame around the pages", async ({ page }) => {
  const problems = pageProblems(page);
  await openConsole(page, console_.server);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toContainText("This password isn’t right.");
  await expectNoFaults(page, "signing in", "html");
  await page.goto("about:blank");
  const go = await walker(page);
  await go("/");
  await expectNoFaults(page, "the frame around the page", "html");
  await go("/settings");
  const sections = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  const links = await sections.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  expect(links.length).toBeGreaterThan(8);
  for (const link of links) {
    await go(link.slice(1));
    const opens = page.getByRole("main").getByRole("button", { name: /^(?:New |Invite )/ });
    if ((await opens.count()) > 0) await opens.first().click();
    await expectNoFaults(page, link);
    if ((await opens.count()) > 0) await page.keyboard.press("Escape");
  }
  expect(problems).toEqual([]);
});

for (const half of halves)
  test(`axe finds nothing on any page, nor in its parts and forms: ${half} half`, async ({ page }) => {
    const problems = pageProblems(page);
    const go = await walker(page);
    for (const address of halfOf([...everyPage(), ...everyPart()], half)) {
      await go(address);
      await expectNoFaults(page, address);
    }
    expect(problems).toEqual([]);
  });

/** An installation without a conversation, in which something fails, as the start page hears of it. */
async function beginAnew(page: Page): Promise<void> {
  await page.route("**/api/console/overview/**", async (route) => {
    const response = await route.fetch();
    const overview = (await response.json()) as object;
    const problem = {
      ...{ detail: "Calls of House model fail.", reason: "House model is away.", remedy: "Test it." },
      ...{ since: null, page: "engines", target: "House model" },
    };
    const json = {
      ...overview,
      first_run: {
        avatar: { done: true, context: null, name: "Mara" },
        knowledge: { done: false, documents: 0 },
        page: { done: false, has_origin: true, arrived: null },
        has_model: false,
      },
      problems: [
        { ...problem, code: "engine_failing", severity: "error" },
        { ...problem, code: "disk_nearly_full", severity: "warning", target: null },
      ],
    };
    await route.fulfill({ response, json });
  });
}

test("words have enough contrast on the pages that have all the colours, in light and in the dark", async ({
  page,
}) => {
  const go = await walker(page);
  await beginAnew(page);
  const expectContrast = async (where: string): Promise<void> => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      // Colours change in a moment, not at once.
      await expect
        .poll(() => violations(page, { exclude, only: ["color-contrast"] }), `${where}, ${colorScheme}`)
        .toEqual([]);
    }
  };
  await go("/");
  await expect(page.getByRole("alert")).toContainText("House model");
  await expectNoFaults(page, "the first steps");
  await expectContrast("the first steps, with what fails");
  for (const address of [
    "/avatars",
    `/conversations/${parameters["session"]}${query}`,
    "/engines?add=model",
  ]) {
    await go(address);
    await expectContrast(address);
  }
  await go("/settings/quotas");
  await page.getByLabel("Talking time a month").fill("a lot");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expectContrast("a wrong quota");
});

/** Goes to each address, and looks at it in each width. */
async function expectFits(
  page: Page,
  go: (address: string) => Promise<void>,
  addresses: readonly string[],
  widths: readonly number[],
): Promise<void> {
  for (const address of addresses) {
    await go(address);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      await expectNoSidewaysScrolling(page, `${address}, ${width} px`);
    }
  }
}

test("no page is wider than a tablet or a phone", async ({ page }) => {
  await expectFits(page, await walker(page), everyPage(), [800, 390]);
  expect(await violations(page, { exclude, only: ["target-size"] })).toEqual([]);
});

test("neither a part of a page, nor a page in Korean or from right to left, is wider than a phone", async ({
  page,
}) => {
  const go = await walker(page);
  await expectFits(page, go, [...everyPart(), "/settings/accounts", "/settings/webhooks"], [390]);
  await page.evaluate(() => {
    localStorage.setItem("visavis-console-language", "ko");
  });
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "ko");
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await expectFits(page, go, fullPages(), [390]);
});

test("on a phone a band of the preview stays while the editor's form is scrolled", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, console_.server, `/avatars/${parameters["id"]}/look`);
  await expect(preview(page).locator("#place > *").first()).toBeAttached();
  const device = page.getByRole("group", { name: "Device" });
  await expect(device).toBeVisible();
  await page.getByText("Rounded corners").scrollIntoViewIfNeeded();
  await expect(device).toBeHidden();
  await expect(page.locator("iframe.pv-frame")).toBeInViewport();
  await page.getByRole("heading", { level: 1 }).scrollIntoViewIfNeeded();
  await expect(device).toBeVisible();
});
