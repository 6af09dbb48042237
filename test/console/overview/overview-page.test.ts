import { expect, test } from "vitest";
import type { LlmStreamEvent } from "../../../src/protocol/answers/llm-stream.ts";
import { invited, runConsole } from "../../service/http/console/console-fixture.ts";
import { converse, keepWords } from "../../service/http/console/visitor.ts";
import type { RunningService } from "../../service/service-fixture.ts";
import { all, find, press, read, readNo, see, textOf, within, write } from "../finding.ts";
import { holdTimers, openConsole } from "../stand.ts";

const step = (name: string) => () =>
  [...document.querySelectorAll("li.step")].find((one) => textOf(one.querySelector("h2")!) === name);
const figure = (name: string) => () =>
  [...document.querySelectorAll("dl > div")].find((one) => textOf(one).includes(name));
const missing = "Do you ship zebra crates to Ljubljana?";

/** An installation whose visitors have asked three questions, one of them without an answer. */
async function visited(overrides: Parameters<typeof runConsole>[1] = {}): Promise<RunningService> {
  const run = await runConsole({}, overrides);
  const page = { origin: "https://shop.example", allowed: true };
  await run.send("POST", `/api/console/contexts/${run.demo.id}/pages/`, page);
  await keepWords(run, 14);
  await converse(run, ["How much is the Birch chair?", missing]);
  await converse(run, ["How much is the Birch chair?"]);
  return run;
}

test("a language model can be added at once; a viewer sees the first steps and cannot take them", async () => {
  const run = await runConsole();
  await openConsole("/", { run });
  await see("heading", "Three steps to the first conversation");
  await press("Add a language model");
  await see("dialog", "Add a language model");
  await openConsole("/", { run, browser: await invited(run, "viewer", "Vera") });
  await expect.poll(step("Teach it")).toBeDefined();
  expect(all("link", /Choose an avatar|Get the line|Add a language model/)).toEqual([]);
});

test("each step is done as soon as it is, without a reload", async () => {
  const run = await runConsole();
  const { id } = run.demo;
  // As often as the page asks again while the first steps are open.
  const askAgain = holdTimers(4_000);
  await openConsole("/", { run });
  const page = step("Put it on your page");
  const soon = (place: () => Element | undefined) =>
    expect.poll(() => {
      askAgain();
      return textOf(place());
    });
  await read("Not on a page yet", page);
  const path = `/api/console/b2c/contexts/${id}/`;
  const context = (await (await run.get(path)).json()) as { embed_config: object };
  const embed_config = { ...context.embed_config, allowed_origins: ["https://shop.example"] };
  expect((await run.send("PUT", path, { ...context, embed_config })).status).toBe(200);
  await soon(step("Shape your avatar")).toContain("Done");
  await read("Waiting for your page", page);
  await run.send("POST", "/api/console/knowledge/", { title: "Delivery", text: "Within three days." });
  await soon(step("Teach it")).toContain("Done");
  const seen = { origin: "https://shop.example", allowed: true };
  await run.send("POST", `/api/console/contexts/${id}/pages/`, seen);
  await soon(page).toContain("First seen on shop.example");
  await converse(run, ["How much is the Birch chair?"]);
  await soon(() => find("heading")).toContain("1 conversation today");
  expect(step("Shape your avatar")()).toBeUndefined();
});

test("today's figures, the chart's figures as a table, and what came last", async () => {
  await openConsole("/", { run: await visited() });
  await see("heading", "2 conversations today");
  await read("2 of 3 questions had an answer.");
  await read("2 more than last", figure("Conversations"));
  await read("67", figure("Answered"));
  await read("1", figure("Could not answer"));
  await see("image", /Conversations a day in the last 30 days: 2 today/);
  const rows = all("row");
  expect(rows).toHaveLength(31);
  expect([...rows[1]!.querySelectorAll("td")].slice(0, 2).map(textOf)).toEqual(["2", "1"]);
  await see("link", "How much is the Birch chair?");
});

test("the figures are of one avatar when it is chosen, and the address keeps the choice", async () => {
  const stand = await openConsole("/", { run: await visited() });
  const choice = (await see("combobox", "Avatar")) as HTMLSelectElement;
  const other = [...choice.options].find(({ textContent }) => textContent.includes("Tomas"))!;
  await write("Avatar", other.value);
  await see("heading", "No conversations yet");
  stand.reload();
  await see("heading", "No conversations yet");
});

test("an engine that fails is a problem on top, with the way to its test", async () => {
  let fails = true;
  const answer = (): LlmStreamEvent =>
    fails
      ? { status: "error", reason: "Away." }
      : { status: "success", type: "message", role: "assistant", content: "I am here." };
  const languageModel = () => ({
    // oxlint-disable-next-line typescript/require-await -- models answer asynchronously
    async *answer() {
      yield answer();
    },
  });
  const run = await runConsole({}, { languageModel });
  await converse(run, ["Are you there?", "And now?"]);
  const stand = await openConsole("/", { run });
  const alert = within("alert");
  await read(/cannot answer: calls of its language model .* fail\./, alert);
  await read("Since:", alert);
  await press("See engines", alert);
  const card = within("article", "Quotes from your texts");
  await read("Not answering since", card);
  fails = false;
  await press(/^Test/, card);
  await read("Working", card);
  stand.go("/");
  await see("heading", /conversation/);
  await readNo("cannot answer");
});

test("a limit on requests is told, and the figures come when it is tried again", async () => {
  const stand = await openConsole("/no-such-page", { run: await visited() });
  stand.instead = ({ path }) =>
    path.startsWith("/api/console/overview/")
      ? new Response("{}", { status: 429, headers: { "retry-after": "7" } })
      : undefined;
  stand.go("/");
  await read("Too many attempts. Try again in 7 seconds.", within("alert"));
  stand.instead = null;
  await press("Try again");
  await expect.poll(figure("Conversations")).toBeDefined();
  await readNo("Too many attempts.");
});

test("a viewer sees the figures and nothing to change", async () => {
  const run = await visited();
  await openConsole("/", { run, browser: await invited(run, "viewer", "Vera") });
  await expect.poll(figure("Conversations")).toBeDefined();
  await see("heading", "Just now");
  expect([...all("link", /^Teach/), ...all("link", "Change")]).toEqual([]);
});
