import { expect, onTestFinished, test } from "vitest";
import {
  page,
  serveWebsite,
  type SampleWebsite,
} from "../../service/administration/knowledge/website-server.ts";
import { invited, runConsole } from "../../service/http/console/console-fixture.ts";
import { useTextReader } from "../../service/use-text-reader.ts";
import {
  all,
  field,
  find,
  holding,
  press,
  read,
  see,
  seeNone,
  seeValue,
  toast,
  type,
  within,
  write,
} from "../finding.ts";
import { openConsole, type Stand } from "../stand.ts";

const entry = (words: string) => holding("listitem", words, within("region", "Documents"));
const tester = within("region", "Ask it something");
const answer = () => document.querySelector(".say-a") ?? undefined;

async function openKnowledge(way = "write", stand: Parameters<typeof openConsole>[1] = {}): Promise<Stand> {
  const opened = await openConsole(`/knowledge?add=${way}`, stand);
  // What is added before the avatars are known is for none of them.
  await read(/Used by .*Mara/);
  return opened;
}

async function add(title: string, text: string): Promise<void> {
  await write("Title", title);
  await write("Text", text);
  await press("Add to knowledge");
  await expect.poll(entry(title)).toBeDefined();
}

async function ask(question: string): Promise<void> {
  await write("Question", question, tester);
  await press("Ask", tester);
}

test("what is written answers a question at once, and the tester shows where from", async () => {
  await openKnowledge();
  await add("Deliveries", "We deliver canary pianos to Croatia in nine days.");
  await toast("is added");
  await ask("Do you deliver canary pianos to Croatia?");
  await read("nine days", answer);
  await read("Fits well", tester);
  expect([...document.querySelectorAll("mark")].map(({ textContent }) => textContent)).toContain("Croatia");
});

test("a document is changed, and closing it with changes asks first", async () => {
  await openKnowledge();
  await add("Hours", "We are open until six.");
  await press("Hours");
  const sheet = within("dialog", "Edit document");
  await write("Text", "We are open until <b>seven</b>.", sheet);
  await press("Close", sheet);
  await press("Stay");
  await press("Save", sheet);
  await seeNone("dialog");
  await ask("Are you open until seven?");
  // Marks of how a text looks are not said.
  await read("We are open until seven.", answer);
});

test("a deleted document comes back with undo", async () => {
  await openKnowledge();
  await add("Parking", "Park behind the house.");
  await press("More for Parking");
  await press("Delete", entry("Parking"));
  await expect.poll(entry("Parking")).toBeUndefined();
  await press("Undo");
  await expect.poll(entry("Parking")).toBeDefined();
});

test("an address that is none is refused beside the field, and stays there", async () => {
  await openKnowledge("website");
  await write(/Address of your website/, "ftp://alder.example");
  await press("Read it");
  await read("https", within("alert"));
  await seeValue(/Address of your website/, "ftp://alder.example");
});

test("whatever the server answers, what was written stays, with what to do", async () => {
  const stand = await openKnowledge();
  await write("Title", "Kept");
  await write("Text", "Still here.");
  for (const [status, words] of [
    [409, "Somebody else changed it"],
    [413, "too large"],
    [429, "Too many attempts"],
    [500, "internal error"],
  ] as const) {
    stand.instead = ({ method }) => (method === "POST" ? Response.json({}, { status }) : undefined);
    await press("Add to knowledge");
    await read(words, within("alert"));
    expect((await field("Text")).value).toBe("Still here.");
  }
});

test("markup in titles and texts stays text", async () => {
  await openKnowledge();
  const title = "<img src=x onerror=document.title='broken'>";
  await add(title, "<script>document.title='broken'</script> Benches are blue.");
  await ask("Are benches blue?");
  await read("Benches are blue.", () => document.querySelector(".pass") ?? undefined);
  await press(title);
  await see("dialog");
  expect(document.querySelectorAll("main img[onerror], main script")).toHaveLength(0);
});

test("the tabs follow the arrow keys, and each has its address", async () => {
  await openKnowledge();
  const isShown = (name: string) => () => find("tab", name)?.getAttribute("aria-selected") === "true";
  type(await see("tab", "Write"), "ArrowRight");
  expect(document.activeElement).toBe(find("tab", "Add files"));
  await expect.poll(isShown("Add files")).toBe(true);
  expect(location.hash).toContain("add=files");
  type(find("tab", "Add files")!, "End");
  await expect.poll(isShown("Read my website")).toBe(true);
});

const openReader = useTextReader();

/** A website whose other pages wait until they are released. */
async function slowWebsite(): Promise<{ site: SampleWebsite; release: () => void }> {
  const slow = ["/garden", "/kitchen", "/hall", "/attic"];
  const links = [...slow, "/secret", "/gone"].map((path) => `<a href="${path}">${path.slice(1)}</a>`);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const bench = (path: string) => [
    path,
    (response: { end(text: string): unknown; setHeader(name: string, value: string): unknown }) => {
      const text = page(path, `<p>Benches of ${path.slice(1)} are made of purple larch.</p>`);
      response.setHeader("content-type", "text/html");
      void released.then(() => response.end(text));
    },
  ];
  const site = await serveWebsite({
    "/robots.txt": "User-agent: *\nDisallow: /secret\n",
    "/": page("Alder", `<p>Furniture from Vienna.</p><nav>${links.join("")}</nav>`),
    ...(Object.fromEntries(slow.map(bench)) as Record<string, () => void>),
  });
  onTestFinished(() => release());
  return { site, release };
}

const websites = within("list", "Websites");

/** The page while a website is read. */
async function openReading() {
  const run = await runConsole({}, { textReader: openReader() });
  onTestFinished(() => run.service.stop());
  const { site, release } = await slowWebsite();
  await openKnowledge("website", { run });
  await write(/Address of your website/, site.origin);
  await write("Read again", "week");
  await press("Read it");
  return { run, site, release };
}

test("a website is read with progress, says what was left out and why, and a page of it is left out", async () => {
  const { site, release } = await openReading();
  await read(/Reading, \d of about \d+ pages/, websites);
  release();
  await read(/5 pages read, 2 left out/, websites);
  await read("Left out: forbidden in robots.txt", holding("listitem", "/secret", websites));
  await read("Left out: not found", websites);
  await read("Left out: forbidden in robots.txt: 1 page", websites);
  await read("read every week", entry(new URL(site.origin).host));
  await ask("What are benches of garden made of?");
  await read("purple larch", answer);
  await press("Leave out /garden", websites);
  await read("Left out: you left it out: 1 page", websites);
  await read(/4 pages read, 3 left out/, websites);
  const paths = "Not these paths, one on each line";
  await seeValue(paths, "/garden$", websites);
  await write(paths, "", websites);
  await press("Save and read again", websites);
  await read(/5 pages read, 2 left out/, websites);
});

test("a website is seen by a viewer, who cannot change it, with the names that avatars have", async () => {
  const { run, site, release } = await openReading();
  release();
  await read(/5 pages read, 2 left out/, websites);
  const document_ = entry(new URL(site.origin).host);
  await read(/used by .*Mara/, document_);
  expect(document_()?.textContent).not.toContain("Alder Home");
  await openConsole("/knowledge", { run, browser: await invited(run, "viewer", "Vera") });
  const list = within("region", "Websites");
  await read(/5 pages read, 2 left out/, list);
  expect([...all("button", /Read again|Stop|Delete/, list), ...all("combobox", /^/, list)]).toEqual([]);
});

test("a website is stopped while it is read", async () => {
  const { site } = await openReading();
  await press(`Stop: ${site.origin}/`);
  await read("Stopped. What was read before stays.");
});
