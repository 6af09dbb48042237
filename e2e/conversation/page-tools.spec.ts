/** A tool of the page that hangs or fails is told to the model, and the visitor sees what goes on. */
import { expect, test, type Page } from "../support/test.ts";
import { calls, says, startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";
import { useSite } from "../support/served-site.ts";
import { ask, openAvatar, transcript } from "../support/talk.ts";
import { avatar, type AvatarElement } from "../support/widget.ts";

const served = useSite();
let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served);
});
test.afterAll(() => model.close());
test.beforeEach(() => {
  model.requests.length = 0;
  const [call, reply] = [calls("stock"), says("I could not look that up.")];
  model.answer = (response) => (model.requests.length === 1 ? call : reply)(response);
});

declare global {
  interface Window {
    /** Ends the time limit of a tool. */
    stopTool(): void;
  }
}

/** Lets a tool's time limit of so many seconds last until the test has seen what the visitor reads meanwhile. */
async function holdLimit(page: Page, seconds: number): Promise<void> {
  await page.addInitScript((ms) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const held = new AbortController();
    window.stopTool = () => held.abort(new DOMException("The time is over.", "TimeoutError"));
    AbortSignal.timeout = (wanted) => (wanted === ms ? held.signal : timeout(wanted));
  }, seconds * 1_000);
}

const toolResult = (): unknown => model.requests[1]?.messages.find(({ role }) => role === "tool")?.content;

test("a tool that hangs is stopped after its time limit, while the visitor reads what it does", async ({
  page,
}) => {
  await holdLimit(page, 7);
  await openAvatar(page, served.site.origin);
  await avatar(page).evaluate((element: AvatarElement) => {
    element.registerTool({
      name: "stock",
      title: "Looking into the stock",
      description: "Pieces in stock",
      parameters: { type: "object" },
      timeoutMs: 7_000,
      run: () => new Promise(() => undefined),
    });
  });
  await ask(page, "How many chairs?");
  await expect(avatar(page).locator("[part~=words]")).toContainText("Looking into the stock");
  await expect(avatar(page).locator(".vv-sr[role=status]")).toContainText("Looking into the stock");
  await page.evaluate(() => window.stopTool());
  await expect.poll(() => transcript(page)).toContain("avatar: I could not look that up. (final)");
  expect(toolResult()).toBe("Error: stock did not answer within 7 s.");
});

test("a tool without a limit of its own has 20 s", async ({ page }) => {
  await holdLimit(page, 20);
  await openAvatar(page, served.site.origin);
  await avatar(page).evaluate((element: AvatarElement) => {
    element.registerTool({
      name: "stock",
      description: "Pieces in stock",
      parameters: { type: "object" },
      run: () => new Promise(() => undefined),
    });
  });
  await ask(page, "How many chairs?");
  await expect(avatar(page).locator("[part~=words]")).toContainText("is looking into it");
  await page.evaluate(() => window.stopTool());
  await expect.poll(toolResult).toBe("Error: stock did not answer within 20 s.");
});
