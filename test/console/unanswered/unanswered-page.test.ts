import { expect, test } from "vitest";
import { runConsole } from "../../service/http/console/console-fixture.ts";
import { converse, keepWords } from "../../service/http/console/visitor.ts";
import { field, holding, press, read, see, toast, within, write } from "../finding.ts";
import { openConsole, type Stand } from "../stand.ts";

const asked = "Do you ship zebra crates to Ljubljana?";
const entry = holding("listitem", "zebra");

async function openQuestions(path = "/unanswered"): Promise<Stand> {
  const run = await runConsole();
  await keepWords(run, 14);
  await converse(run, [asked, "Do you rent out tents?"]);
  await converse(run, [asked]);
  return openConsole(path, { run });
}

test("an answer is taught, taken back with undo, and taught again", async () => {
  await openQuestions();
  await read("Asked 2 times", entry);
  for (let time = 0; time < 2; time += 1) {
    await press(`Teach ${asked}`);
    await expect.poll(() => document.activeElement?.id).toBe("teach-answer");
    await write("Answer", "Yes, we ship zebra crates to Ljubljana within five days.");
    await press("Teach it");
    await toast("The avatar knows this now.");
    await expect.poll(entry).toBeUndefined();
    if (time === 0) await press("Undo");
    if (time === 0) await read("Asked 2 times", entry);
  }
});

test("a question that is not for us is hidden, with undo, and the navigation counts what is left", async () => {
  const navigation = within("navigation", "Console");
  await openQuestions();
  await see("link", "Unanswered 2 open", navigation);
  await press(/Not for us.*tents/);
  await see("link", "Unanswered 1 open", navigation);
  await expect.poll(holding("listitem", "tents")).toBeUndefined();
  await press("Undo");
  await see("link", "Unanswered 2 open", navigation);
  expect(holding("listitem", "tents")()).toBeDefined();
});

test("a question that another page names is opened, with the focus in its answer", async () => {
  await openQuestions("/");
  await press(`Teach ${asked}`);
  await see("heading", "Unanswered questions");
  expect((await field("Answer")).id).toBe("teach-answer");
  await expect.poll(() => document.activeElement?.id).toBe("teach-answer");
});
