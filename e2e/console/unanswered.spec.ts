import { useServer } from "../support/served-site.ts";
import { readContext } from "../support/service-api.ts";
import { expect, test } from "../support/test.ts";
import { expectAccessible, expectNoSidewaysScrolling, expectStatus, signIn } from "./console-fixture.ts";
import { converse, keepWords } from "./visitor.ts";

const console_ = useServer();
/** The list with the questions to this file’s avatar alone. */
let address = "";
const asked = "Do you ship zebra crates to Ljubljana?";

test.beforeAll(async () => {
  address = `/unanswered?avatar=${(await readContext(console_)).id}`;
  await keepWords(console_, 14);
  await converse(console_, [asked, "Do you rent out tents?"]);
  await converse(console_, [asked]);
});

test("an answer is taught, taken back with undo, and taught again", async ({ page }) => {
  await signIn(page, console_.server, address);
  const entry = page.getByRole("listitem").filter({ hasText: "zebra" });
  await expect(entry).toContainText("Asked 2 times");
  await entry.getByRole("button", { name: "Teach" }).click();
  await expect(page.getByLabel("Answer", { exact: true })).toBeFocused();
  await page.keyboard.type("Yes, we ship zebra crates to Ljubljana within five days.");
  await page.getByRole("button", { name: "Teach it" }).click();
  await expectStatus(page, "The avatar knows this now.");
  await expect(entry).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(entry).toHaveCount(1);
});

test("a question that is not for us is hidden, with undo", async ({ page }) => {
  await signIn(page, console_.server, address);
  const entry = page.getByRole("listitem").filter({ hasText: "tents" });
  await entry.getByRole("button", { name: /Not for us/ }).click();
  await expect(entry).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(entry).toHaveCount(1);
});

for (const width of [1280, 390])
  test(`axe finds nothing in the unanswered questions, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await signIn(page, console_.server, address);
    const entry = page.getByRole("listitem").filter({ hasText: "zebra" });
    await entry.getByRole("button", { name: "Teach" }).click();
    await expectAccessible(page);
    await expectNoSidewaysScrolling(page);
  });
