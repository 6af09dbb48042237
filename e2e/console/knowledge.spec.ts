import { expect, test, type Page } from "../support/test.ts";
import { sampleDocx, samplePdf } from "../../test/service/administration/knowledge/office-files.ts";
import { expectStatus, pageProblems, signIn, useConsole } from "./console-fixture.ts";

const console_ = useConsole();
/** Documents of the shared server are everybody's: a word that no other one has. */
const name = `canary${Date.now()}`;

const documents = (page: Page) => page.getByRole("region", { name: "Documents" });
const entry = (page: Page, title: string) => documents(page).getByRole("listitem").filter({ hasText: title });

async function openKnowledge(page: Page): Promise<void> {
  await signIn(page, console_.server, "/knowledge");
  await expect(page.getByRole("heading", { name: "Knowledge", level: 1 })).toBeVisible();
  // What is added before the avatars are known is for none of them.
  await expect(page.locator("details.used").first()).toBeAttached();
}

async function askTester(page: Page, question: string): Promise<void> {
  await page.getByLabel("Question").fill(question);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
}

test("knowledge is written, or added as files, found in the tester, and read again in its sheet", async ({
  page,
}) => {
  const problems = pageProblems(page);
  await openKnowledge(page);
  await askTester(page, `Do you rent out ${name} zeppelins?`);
  await expect(page.getByText("It finds no answer")).toBeVisible();
  await page.getByRole("button", { name: "Teach a better answer" }).click();
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue(`Do you rent out ${name} zeppelins?`);
  await expect(page.getByLabel("Text", { exact: true })).toBeFocused();
  await page.keyboard.type(`We rent out ${name} zeppelins in nine days.`);
  await page.getByRole("button", { name: "Add to knowledge" }).click();
  await expectStatus(page, "is added");
  await askTester(page, `Do you rent out ${name} zeppelins?`);
  await expect(page.locator(".say-a")).toContainText("nine days");
  await expect(page.locator("mark").filter({ hasText: "zeppelins" }).first()).toBeVisible();

  await page.getByRole("tab", { name: "Write" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Add files" })).toBeFocused();
  await expect(page).toHaveURL(/add=files/);
  const file = (title: string, mimeType: string, bytes: Uint8Array) => ({
    ...{ name: `${name} ${title}`, mimeType, buffer: Buffer.from(bytes) },
  });
  const oil = `Oil the ${name} oak twice a year.`;
  await page
    .getByLabel("choose them")
    .setInputFiles([
      file("Care.pdf", "application/pdf", samplePdf([[{ text: oil, y: 700 }]])),
      file("Guide.docx", "application/zip", sampleDocx(["# Showroom", "Open until six."])),
      file("Notes.txt", "text/plain", Buffer.from("Wool is warm.")),
      file("Pictures.pdf", "application/pdf", samplePdf([[]])),
    ]);
  const files = page.getByRole("list", { name: "Files" }).getByRole("listitem");
  for (const title of ["Care.pdf", "Guide.docx", "Notes.txt"]) {
    await expect(files.filter({ hasText: title })).toContainText("Ready, 1 passage");
    await expect(entry(page, `${name} ${title}`)).toHaveCount(1);
  }
  await expect(files.filter({ hasText: "Pictures.pdf" })).toContainText("Only pictures in it, no words");
  await askTester(page, `How often do I oil the ${name} oak?`);
  await expect(page.locator(".say-a")).toContainText("twice a year");

  await entry(page, `${name} Notes.txt`).getByRole("link").click();
  const sheet = page.getByRole("dialog", { name: "Edit document" });
  await expect(sheet.getByLabel("Text", { exact: true })).toHaveValue("Wool is warm.");
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  expect(problems).toEqual([]);
});
