/** What an owner does with the messages that visitors have left. */
import { expect, test } from "vitest";
import type { UiConfig } from "../../../src/protocol/settings/embed-config.ts";
import { runConsole } from "../../service/http/console/console-fixture.ts";
import { newConversation } from "../../service/http/console/visitor.ts";
import { all, find, press, read, see, seeNone, within } from "../finding.ts";
import { openConsole, type Stand } from "../stand.ts";

const message = {
  id: "message-1",
  text: "Can you deliver on a Saturday?\n<b>And</b> the bench?",
  name: "Ana",
  email: "ana@weiz.example",
  agreed: true,
};
const detail = within("article");
const none = /^(?:Nobody has left a message|No messages here)$/;

async function openInbox(): Promise<Stand> {
  const run = await runConsole();
  const { demo, organizationId, store } = run;
  const ui: UiConfig = {
    ...demo.config.ui,
    handover_message: ["email", "name"],
    handover_consent: "You may answer me by e-mail.",
  };
  const embed_config = { ...demo.config, retention_days: 7, ui };
  await store.contexts.replace(organizationId, demo.id, { ...demo, embed_config }, 1);
  const session = await newConversation(run);
  const stand = await openConsole("/inbox", { run });
  await see("heading", none);
  expect((await run.send("POST", `/api/v1/session/${session}/message/`, message)).status).toBe(204);
  stand.reload();
  await see("heading", "1 message to answer");
  return stand;
}

test("a message is read, answered by e-mail, marked, taken back with undo, and deleted", async () => {
  const { go } = await openInbox();
  const link = () => all("link", /^Inbox/, within("navigation", "Console"))[0];
  await expect.poll(() => link()?.textContent).toContain("1");
  // A file has what the list shows.
  const file = () => (find("link", /Export/) as HTMLAnchorElement).search;
  expect(file()).toBe("?state=new");
  await press("All");
  await expect.poll(file).toBe("");
  await press(/Ana/);
  await read("<b>And</b> the bench?", detail);
  await read("You may answer me by e-mail.", detail);
  const { href } = (await see("link", "Answer by e-mail", detail)) as HTMLAnchorElement;
  expect(href).toMatch(/^mailto:ana@weiz\.example\?subject=[^&]*&body=[^&]*$/);
  expect(new URL(href).searchParams.get("body")).toContain("> <b>And</b> the bench?");
  await press("Mark as answered", detail);
  await read(/Answered by /, detail);
  await expect.poll(() => link()?.textContent).not.toContain("1");
  await press("Undo");
  await see("button", "Mark as answered", detail);

  await press("Read it", detail);
  await press("The visitor left a message");
  await read("<b>And</b> the bench?", detail);
  await press("Delete this message", detail);
  // The way back leaves the question behind.
  const { hash } = location;
  go("/inbox");
  await seeNone("dialog");
  go(hash.slice(1));
  await press("Delete this message", detail);
  await press("Delete", within("dialog"));
  await see("heading", none);
  await seeNone("article");
  expect(find("dialog")).toBeUndefined();
});
