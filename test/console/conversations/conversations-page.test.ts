import { expect, test } from "vitest";
import { runConsole } from "../../service/http/console/console-fixture.ts";
import { converse, keepWords } from "../../service/http/console/visitor.ts";
import { all, find, press, read, see, within, write } from "../finding.ts";
import { openConsole, type Stand } from "../stand.ts";

const attack = `<img src=x onerror="document.title='attacked'"> How much is the Birch chair?`;
/** The service's time is not the page's: without a limit to the latest days. */
const address = "/conversations?days=0";
const list = within("navigation", "Conversations");
const links = () => all("link", /^/, list);

/** The list of three conversations: words of the first were not kept, the second did not help, the third did. */
async function openList(query = ""): Promise<Stand> {
  const run = await runConsole();
  await converse(run, ["Said before words were kept"]);
  await keepWords(run, 14);
  run.pass(1);
  await converse(run, ["Is the wool free of mulesing?"], "down");
  run.pass(1);
  await converse(run, [attack], "up");
  const stand = await openConsole(`${address}${query}`, { run });
  await see("link", /^/, list);
  return stand;
}

const open = async (words: string): Promise<void> => press(new RegExp(words), list);

test("the list has what visitors asked first, and a conversation opens beside it", async () => {
  await openList();
  await read("What is said is kept for 14 days");
  expect(links()).toHaveLength(3);
  await read("1 question", list);
  await open("Birch");
  const detail = within("article");
  await read(attack, detail);
  await read("The visitor said that it helped.", detail);
  await read("ended by the visitor", detail);
  await see("image", "Who spoke when", detail);
  expect(document.querySelectorAll("article img[onerror]")).toHaveLength(0);
  expect(document.title).not.toContain("attacked");
});

test("filters narrow the list, stay in the address, and an empty result leads back to all", async () => {
  const stand = await openList();
  await press("Did not help");
  await expect.poll(() => links().length).toBe(1);
  await read("mulesing", list);
  stand.reload();
  await expect.poll(() => find("button", "Did not help")?.getAttribute("aria-pressed")).toBe("true");
  await expect.poll(() => links().length).toBe(1);
  await write("Search what was said", "wool mulesing");
  await expect.poll(() => location.hash).toMatch(/search=wool/);
  await expect.poll(() => links().length).toBe(1);
  await write("Search what was said", "Birch");
  await see("heading", "No conversations found");
  await press("Did not help");
  await read("Birch", list);
  await write("Ended", "error");
  await see("heading", "No conversations found");
  await press("Show all conversations");
  await expect.poll(() => links().length).toBe(3);
  expect(location.hash).toBe("#/conversations?days=0");
});

test("a deleted conversation comes back with undo", async () => {
  await openList();
  await open("mulesing");
  await press("Delete this conversation");
  await expect.poll(() => links().length).toBe(2);
  await press("Undo");
  await expect.poll(() => links().length).toBe(3);
});

test("the conversations that are found can be exported", async () => {
  const { run, cookie } = await openList("&help=no");
  const link = (await see("link", "Export CSV")) as HTMLAnchorElement;
  expect(link.hasAttribute("download")).toBe(true);
  const { pathname, search } = new URL(link.href);
  const answer = await run.request(pathname + search, { headers: { Cookie: cookie } });
  expect(answer.headers.get("content-disposition")).toContain("conversations.csv");
  const text = await answer.text();
  expect(text).toContain("mulesing");
  expect(text).not.toContain("Birch");
});

test("a conversation whose words are not kept says so", async () => {
  await openList();
  await open("1 question");
  await read("Nothing that was said is kept of this conversation.");
});
