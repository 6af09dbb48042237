import { expect, test, type Page } from "../support/test.ts";
import { sampleDocx, samplePdf } from "../../test/service/administration/knowledge/office-files.ts";
import {
  expectAccessible,
  expectNoSidewaysScrolling,
  expectStatus,
  pageProblems,
  signIn,
  useConsole,
} from "./console-fixture.ts";
import { invited } from "./invite.ts";
import { serveWebsite, type Website } from "./website.ts";

/** Documents are everybody's: a server of their own, which may read websites of this machine. */
const console_ = useConsole({ VISAVIS_ALLOW_PRIVATE_ADDRESSES: "1" });

const documents = (page: Page) => page.getByRole("region", { name: "Documents" });
const entry = (page: Page, title: string) => documents(page).getByRole("listitem").filter({ hasText: title });

async function openKnowledge(page: Page, way = ""): Promise<void> {
  await signIn(page, console_.server, `/knowledge${way && `?add=${way}`}`);
  await expect(page.getByRole("heading", { name: "Knowledge", level: 1 })).toBeVisible();
  // What is added before the avatars are known is for none of them.
  await expect(page.locator("details.used").first()).toBeAttached();
}

async function write(page: Page, title: string, text: string): Promise<void> {
  await page.getByRole("tab", { name: "Write" }).click();
  await page.getByLabel("Title", { exact: true }).fill(title);
  await page.getByLabel("Text", { exact: true }).fill(text);
  await page.getByRole("button", { name: "Add to knowledge" }).click();
  await expect(entry(page, title)).toHaveCount(1);
}

async function askTester(page: Page, question: string): Promise<void> {
  await page.getByLabel("Question").fill(question);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
}

test("what is written answers a question at once, and the tester shows where from", async ({ page }) => {
  await openKnowledge(page);
  await write(page, "Deliveries", "We deliver canary pianos to Croatia in nine days.");
  await expectStatus(page, "is added");
  await askTester(page, "Do you deliver canary pianos to Croatia?");
  const tester = page.getByRole("region", { name: "Ask it something" });
  await expect(tester.locator(".say-a")).toContainText("nine days");
  await expect(tester).toContainText("Fits well");
  await expect(tester.locator("mark").filter({ hasText: "Croatia" }).first()).toBeVisible();
});

test("a question without an answer leads to writing one", async ({ page }) => {
  await openKnowledge(page);
  await askTester(page, "Do you rent out zeppelins?");
  await expect(page.getByText("It finds no answer")).toBeVisible();
  await page.getByRole("button", { name: "Teach a better answer" }).click();
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Do you rent out zeppelins?");
  await expect(page.getByLabel("Text", { exact: true })).toBeFocused();
});

test("files are added: PDF, Word and text; one that cannot be read says why", async ({ page }) => {
  await openKnowledge(page, "files");
  await page.getByLabel("choose them").setInputFiles([
    {
      name: "Care.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.from(samplePdf([[{ text: "Oil the oak twice a year.", y: 700 }]])),
    },
    {
      name: "Guide.docx",
      mimeType: "application/zip",
      buffer: Buffer.from(sampleDocx(["# Showroom", "Open until six."])),
    },
    { name: "Notes.txt", mimeType: "text/plain", buffer: Buffer.from("Wool is warm.") },
    { name: "Pictures.pdf", mimeType: "application/pdf", buffer: Buffer.from(samplePdf([[]])) },
  ]);
  const files = page.getByRole("list", { name: "Files" });
  for (const name of ["Care.pdf", "Guide.docx", "Notes.txt"]) {
    await expect(files.getByRole("listitem").filter({ hasText: name })).toContainText("Ready, 1 passage");
    await expect(entry(page, name)).toHaveCount(1);
  }
  await expect(files.getByRole("listitem").filter({ hasText: "Pictures.pdf" })).toContainText(
    "Only pictures in it, no words",
  );
  await askTester(page, "How often do I oil the oak?");
  await expect(page.locator(".say-a")).toContainText("twice a year");
});

test("a document is changed, and closing it with changes asks first", async ({ page }) => {
  await openKnowledge(page);
  await write(page, "Hours", "We are open until six.");
  await entry(page, "Hours").getByRole("link", { name: "Hours" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit document" });
  await sheet.getByLabel("Text", { exact: true }).fill("We are open until <b>seven</b>.");
  await sheet.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Stay" }).click();
  await sheet.getByRole("button", { name: "Save" }).click();
  await expect(sheet).toHaveCount(0);
  await askTester(page, "Are you open until seven?");
  // Marks of how a text looks are not said.
  await expect(page.locator(".say-a")).toContainText("We are open until seven.");
});

test("a deleted document comes back with undo", async ({ page }) => {
  await openKnowledge(page);
  await write(page, "Parking", "Park behind the house.");
  await entry(page, "Parking").getByRole("button", { name: "More for Parking" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await expect(entry(page, "Parking")).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(entry(page, "Parking")).toHaveCount(1);
});

test.describe("a website", () => {
  let site: Website;
  let release = (): void => undefined;

  /** Together they take 40 s, unless they are released: each as long as the service surely waits for a page. */
  const slow = ["/garden", "/kitchen", "/hall", "/attic"];
  const slowMs = 10_000;

  test.beforeEach(async () => {
    const held = new Promise<void>((resolve) => (release = resolve));
    const links = [...slow, "/secret", "/gone"].map((path) => `<a href="${path}">${path.slice(1)}</a>`);
    const page = (path: string) => async () => {
      await Promise.race([held, new Promise((resolve) => setTimeout(resolve, slowMs))]);
      return `<title>${path}</title><p>Benches of ${path.slice(1)} are made of purple larch.</p>`;
    };
    site = await serveWebsite({
      "/robots.txt": "User-agent: *\nDisallow: /secret\n",
      "/": `<title>Alder</title><p>Furniture from Vienna.</p><nav>${links.join("")}</nav>`,
      ...Object.fromEntries(slow.map((path) => [path, page(path)])),
    });
  });

  test.afterEach(() => {
    release();
    site.close();
  });

  const read = async (page: Page): Promise<void> => {
    await page.getByLabel(/Address of your website/).fill(site.origin);
    await page.getByRole("button", { name: "Read it" }).click();
  };

  test("is read with progress, and says what was left out and why", async ({ page }) => {
    await openKnowledge(page, "website");
    await read(page);
    const list = page.getByRole("list", { name: "Websites" });
    await expect(list.getByText(/Reading, \d of about \d+ pages/)).toBeVisible();
    release();
    await expect(list.getByText(/5 pages read, 2 left out/)).toBeVisible();
    await list.getByText("Pages found").click();
    await expect(list.getByRole("listitem").filter({ hasText: "/secret" }).last()).toContainText(
      "Left out: forbidden in robots.txt",
    );
    await expect(list.getByRole("listitem").filter({ hasText: "/gone" }).last()).toContainText(
      "Left out: not found",
    );
    await expect(list.getByText("Left out: forbidden in robots.txt: 1 page")).toBeVisible();
    const host = new URL(site.origin).host;
    await expect(entry(page, host)).toContainText("read every week");
    await askTester(page, "What are benches of garden made of?");
    await expect(page.locator(".say-a")).toContainText("purple larch");
    await expectAccessible(page);
    await list.getByRole("button", { name: "Leave out /garden" }).click();
    await expect(list.getByText("Left out: you left it out: 1 page")).toBeVisible();
    await expect(list.getByText(/4 pages read, 3 left out/)).toBeVisible();
    await list.getByText("Only some of its pages").click();
    await expect(list.getByLabel("Not these paths, one on each line")).toHaveValue("/garden$");
    await list.getByLabel("Not these paths, one on each line").fill("");
    await list.getByRole("button", { name: "Save and read again" }).click();
    await expect(list.getByText(/5 pages read, 2 left out/)).toBeVisible();
  });

  test("is seen by a viewer, who cannot change it, with the names that avatars have", async ({
    page,
    browser,
  }) => {
    const { server } = console_;
    await openKnowledge(page, "website");
    release();
    await read(page);
    await expect(page.getByText(/5 pages read, 2 left out/).first()).toBeVisible();
    const host = new URL(site.origin).host;
    await expect(entry(page, host)).toContainText(/used by .*Mara/i);
    await expect(entry(page, host)).not.toContainText("Alder Home");
    const viewer = await invited(server, page, browser, "viewer", "Reader");
    await viewer.goto(`${server.origin}/console/#/knowledge`);
    const list = viewer.getByRole("region", { name: "Websites" });
    await expect(list.getByText(/5 pages read, 2 left out/).first()).toBeVisible();
    await expect(list.getByRole("button", { name: /Read again|Stop|Delete/ })).toHaveCount(0);
    await expect(list.getByRole("combobox")).toHaveCount(0);
    await expectAccessible(viewer);
    await viewer.context().close();
  });

  test("is stopped while it is read", async ({ page }) => {
    await openKnowledge(page, "website");
    await read(page);
    await page.getByRole("button", { name: `Stop: ${site.origin}/` }).click();
    await expect(page.getByText("Stopped. What was read before stays.").first()).toBeVisible();
  });
});

test("an address that is none is refused beside the field, and stays there", async ({ page }) => {
  await openKnowledge(page, "website");
  const field = page.getByLabel(/Address of your website/);
  await field.fill("ftp://alder.example");
  await page.getByRole("button", { name: "Read it" }).click();
  await expect(page.getByRole("alert")).toContainText("https");
  await expect(field).toHaveValue("ftp://alder.example");
});

for (const [status, says] of [
  [409, "Somebody else changed it"],
  [413, "too large"],
  [429, "Too many attempts"],
  [500, "internal error"],
] as const)
  test(`an answer with status ${status} keeps what was written, and says what to do`, async ({ page }) => {
    await openKnowledge(page, "write");
    await page.route("**/api/console/knowledge/", (route) =>
      route.request().method() === "POST" ? route.fulfill({ status, json: {} }) : route.fallback(),
    );
    await page.getByLabel("Title", { exact: true }).fill("Kept");
    await page.getByLabel("Text", { exact: true }).fill("Still here.");
    await page.getByRole("button", { name: "Add to knowledge" }).click();
    await expect(page.getByRole("alert")).toContainText(says);
    await expect(page.getByLabel("Text", { exact: true })).toHaveValue("Still here.");
  });

test("markup in titles and texts stays text", async ({ page }) => {
  const problems = pageProblems(page);
  await openKnowledge(page);
  const title = "<img src=x onerror=document.title='broken'>";
  await write(page, title, "<script>document.title='broken'</script> Benches are blue.");
  await askTester(page, "Are benches blue?");
  await expect(page.locator(".pass").first()).toContainText("Benches are blue.");
  await entry(page, title).getByRole("link").click();
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(await page.title()).not.toBe("broken");
  expect(problems).toEqual([]);
});

test("the tabs follow the arrow keys, and each has its address", async ({ page }) => {
  await openKnowledge(page, "write");
  await page.getByRole("tab", { name: "Write" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tab", { name: "Add files" })).toBeFocused();
  await expect(page).toHaveURL(/add=files/);
  await page.keyboard.press("End");
  await expect(page.getByRole("tab", { name: "Read my website" })).toHaveAttribute("aria-selected", "true");
});

for (const width of [1280, 390])
  for (const way of ["write", "files", "website"])
    test(`axe finds nothing in the knowledge page, ${way}, ${width} px wide`, async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await openKnowledge(page, way);
      await askTester(page, "How much is the Alder reading chair?");
      await expect(page.locator(".say-a")).toBeVisible();
      await expectAccessible(page);
      await expectNoSidewaysScrolling(page);
    });

test("axe finds nothing in an open document", async ({ page }) => {
  await openKnowledge(page);
  await write(page, "Warranty", "Five years on oak.");
  await entry(page, "Warranty").getByRole("link", { name: "Warranty" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page);
});
