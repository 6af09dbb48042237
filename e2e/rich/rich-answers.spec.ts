/** Suggestions, buttons, cards and forms: from the page, from its tools, and from a tool server. */
import { expect, test, type Page } from "../support/test.ts";
import { calls, says, startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";
import { useSite } from "../support/served-site.ts";
import { prepareContext } from "../support/service-api.ts";
import { ask, transcript } from "../support/talk.ts";
import { avatar, clickLauncher, snippet, untilState, type AvatarElement } from "../support/widget.ts";
import { hostPage } from "../support/host-page.ts";

declare global {
  interface Window {
    seenActions: unknown[];
  }
}

const served = useSite({
  pages: (relay, context) => ({
    "/": hostPage(snippet(relay, context)),
    "/text": hostPage(snippet(relay, context, 'data-mode="text"')),
  }),
});
let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served);
  await prepareContext(served, (context) => {
    context.embed_config["ui"] = {
      links_allowed: ["shop.example"],
      images_allowed: [new URL(served.server.origin).host],
    };
  });
});
test.afterAll(() => model.close());
test.beforeEach(() => {
  model.requests.length = 0;
  model.answer = says("Yes.");
});

const log = (page: Page) => avatar(page).locator("[part~=transcript]");

async function openText(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.seenActions = [];
    document.addEventListener("visavis-action", ({ detail }) => window.seenActions.push(detail));
  });
  await page.goto(`${served.site.origin}/text`);
  await clickLauncher(page);
  await untilState(page, "live");
}

/** Calls `show()`. Resolves with "shown", or with the code and the message of its error. */
const show = (page: Page, content: unknown): Promise<string> =>
  avatar(page).evaluate(async (element: AvatarElement, given) => {
    try {
      await element.show(given as Parameters<AvatarElement["show"]>[0]);
      return "shown";
    } catch (error) {
      const { code, message } = error as { code: string; message: string };
      return `${code} ${message}`;
    }
  }, content);

const questions = (): unknown[] =>
  (model.requests.at(-1)?.messages ?? []).filter(({ role }) => role === "user").map(({ content }) => content);

test("the page shows cards, buttons and a form, on a page that allows no markup, and is told of its own actions", async ({
  page,
}) => {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  await openText(page);
  const content = {
    cards: [
      {
        title: "<b>Alder</b> chair",
        price: "€480",
        text: "Moss green wool",
        picture: { src: `${served.server.origin}/characters/mina-porthole.webp`, alt: "A chair" },
        href: "https://shop.example/alder",
        buttons: [{ label: "Is it in stock?" }, { label: "Elsewhere", href: "https://elsewhere.example" }],
      },
      {
        title: "Birch chair",
        picture: { src: "https://elsewhere.example/birch.webp" },
        href: "javascript:alert(1)",
      },
    ],
    form: {
      title: "Visit us",
      fields: [
        { name: "who", label: "Name", required: true },
        { name: "day", label: "Day", type: "choice", options: ["Monday", "Tuesday"] },
        { name: "more", label: "Anything else", type: "multiline" },
      ],
    },
  };
  expect(await show(page, content)).toBe("shown");
  const cards = log(page).getByRole("article");
  await expect(cards).toHaveCount(2);
  await expect(cards.first()).toContainText("<b>Alder</b> chair");
  await expect(cards.first()).toContainText("€480");
  await expect(cards.first().getByRole("link")).toHaveAttribute("href", "https://shop.example/alder");
  await expect(cards.first().getByRole("img", { name: "A chair" })).toBeVisible();
  // What the owner does not allow is no link and no picture.
  await expect(log(page).getByText("Elsewhere")).toHaveCount(0);
  await expect(cards.last().locator("a, img")).toHaveCount(0);

  await cards.first().getByRole("button", { name: "Is it in stock?" }).click();
  await expect.poll(() => transcript(page)).toContain("visitor: Is it in stock? (final)");
  await expect.poll(() => transcript(page)).toContain("avatar: Yes. (final)");

  const form = log(page).getByRole("form", { name: "Visit us" });
  await form.getByRole("button", { name: "Send" }).click();
  expect(await transcript(page)).not.toContain("visitor: Visit us (final)");
  await form.getByLabel("Name").fill("Ann");
  await form.getByLabel("Day (optional)").selectOption("Tuesday");
  await form.getByRole("button", { name: "Send" }).click();
  const sent = "Visit us\nName: Ann\nDay: Tuesday";
  await expect.poll(() => transcript(page)).toContain(`visitor: ${sent} (final)`);
  await expect.poll(questions).toContain(sent);
  await expect(form.getByRole("status")).toHaveText("Sent");
  await expect(form.getByLabel("Name")).toBeDisabled();
  await expect(form.getByLabel("Name")).toHaveValue("Ann");
  expect(faults).toEqual([]);

  const asked = model.requests.length;
  await show(page, { buttons: [{ label: "Add to basket", action: "basket:add" }] });
  await log(page).getByRole("button", { name: "Add to basket" }).click();
  await show(page, {
    form: { fields: [{ name: "mail", label: "Email", type: "email", required: true }], action: "remind" },
  });
  await log(page).getByLabel("Email").fill("ann@shop.example");
  await log(page).locator("form").last().getByRole("button", { name: "Send" }).click();
  await expect
    .poll(() => page.evaluate(() => window.seenActions))
    .toEqual([
      { action: "basket:add", label: "Add to basket" },
      { action: "remind", label: "", values: { mail: "ann@shop.example" } },
    ]);
  await expect.poll(() => transcript(page)).toContain("visitor: Add to basket (final)");
  await expect.poll(() => transcript(page)).toContain("visitor: Email: ann@shop.example (final)");
  // The model was not asked, but knows it from now on.
  expect(model.requests).toHaveLength(asked);
  await ask(page, "Is it there?");
  // Models want roles in turns, so what the visitor did since the last answer is one message.
  await expect
    .poll(questions)
    .toEqual(expect.arrayContaining(["Add to basket", "Email: ann@shop.example\n\nIs it there?"]));
});

test("what a page shows early opens the transcript; a tool's result shows a row of cards with arrows and keys, and suggestions, after the answer", async ({
  page,
}) => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/assets/chrome-*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.setViewportSize({ width: 400, height: 440 });
  await page.goto(served.site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  // A card has no room in the caption bar. What is longer than the panel is shown from its beginning.
  const fields = Array.from({ length: 4 }, (_, i) => ({ name: `f${i}`, label: `Field ${i}` }));
  expect(await show(page, { form: { title: "Your order", action: "order", fields } })).toBe("shown");
  release();
  await expect(log(page).getByText("Your order")).toBeInViewport();
  await expect(log(page).getByLabel("Field 3")).not.toBeInViewport();
  await page.setViewportSize({ width: 960, height: 640 });

  await avatar(page).evaluate((element: AvatarElement) => {
    element.registerTool({
      name: "find",
      description: "Finds chairs",
      parameters: { type: "object" },
      run: () => ({
        found: 1,
        visavis: {
          cards: ["Alder", "Birch", "Cedar"].map((title) => ({
            title,
            text: `The ${title} chair`,
            price: "€1",
          })),
          suggestions: ["Is it in stock?"],
        },
      }),
    });
  });
  const [call, reply] = [calls("find"), says("Here it is.")];
  model.answer = (response) => (model.requests.length === 1 ? call : reply)(response);
  await ask(page, "A green chair?");
  await expect
    .poll(async () => (await transcript(page)).slice(-2))
    .toEqual(["avatar: Here it is. (final)", expect.stringContaining("Alder")]);
  const row = log(page).getByRole("list", { name: "Alder, Birch, Cedar" });
  await expect(row.getByRole("listitem")).toHaveCount(3);
  const shown = () =>
    row.evaluate((list) => {
      const left = list.getBoundingClientRect().left;
      const starts = [...list.children].map((item) => Math.abs(item.getBoundingClientRect().left - left));
      return list.scrollLeft + list.clientWidth >= list.scrollWidth - 2
        ? list.children.length - 1
        : starts.indexOf(Math.min(...starts));
    });
  const next = log(page).getByRole("button", { name: "Next" });
  for (const expected of [1, 2, 0]) {
    await next.click();
    await expect.poll(shown).toBe(expected);
  }
  await log(page).getByRole("button", { name: "Previous" }).click();
  await expect.poll(shown).toBe(2);
  await row.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(shown).toBe(0);
  await page.keyboard.press("ArrowRight");
  await expect.poll(shown).toBe(1);
  model.answer = says("It is.");
  await avatar(page).getByRole("group", { name: "You could ask" }).getByRole("button").click();
  await expect.poll(() => transcript(page)).toContain("visitor: Is it in stock? (final)");
  await expect(avatar(page).getByRole("button", { name: "Is it in stock?" })).toHaveCount(0);
  expect(await show(page, { cards: [{ title: "Oak chair", text: "It stands alone" }] })).toBe("shown");
  await expect(log(page).getByText("It stands alone")).toBeVisible();
  await expect(next).toHaveCount(1);
});
