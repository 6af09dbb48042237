import { expect, test as base } from "vitest";
import type { LanguageModel, Turn } from "../../../src/service/language/language-model.ts";
import { statusOf } from "../answers.ts";
import { runService, type RunningService } from "../service-fixture.ts";

const message = (content: string) => ({
  ...{ status: "success" as const, type: "message" as const, role: "assistant" as const, content },
});

/** A session with a model that echoes the last question, and notes what it was asked and what was aborted. */
async function openSession() {
  const asked: string[] = [];
  const aborted: string[] = [];
  const told = {
    ...{ asked, aborted },
    /** Until this resolves, an answer stays in its middle. */
    rest: Promise.resolve(),
  };
  const model: LanguageModel = {
    async *answer({ messages, signal }: Turn) {
      const question = messages.at(-1)!.content;
      asked.push(question);
      signal?.addEventListener("abort", () => aborted.push(question));
      yield message("You ask: ");
      await told.rest;
      if (!signal?.aborted) yield message(`${question}.`);
    },
  };
  const run = await runService({ languageModel: () => model });
  return Object.assign(told, calls(run, await run.newSession()));
}

function calls(run: RunningService, session: string) {
  const path = `/api/v1/session/${session}/llm/v2/`;
  const body = (content: string) => ({ messages: [{ role: "user", content }] });
  return {
    begin: (content: string, headers: Record<string, string> = {}) =>
      run.send("POST", `${path}early/`, body(content), headers),
    ask: (content: string) => run.send("POST", path, body(content)),
    end: () => run.event(session, "SESSION_END"),
  };
}

const test = base.extend("opened", () => openSession());

const textOf = async (answer: Response): Promise<string> =>
  [...(await answer.text()).matchAll(/"type":"message".*?"content":"(.*?)"/gu)]
    .map(([, text]) => text)
    .join("");

const question = "how much is the chair";

test("an answer that began early is given to the same question, and the model is asked once", async ({
  opened,
}) => {
  expect(await statusOf(opened.begin(question))).toBe(204);
  expect(await textOf(await opened.ask(question))).toBe(`You ask: ${question}.`);
  expect(opened.asked).toEqual([question]);
  await (await opened.ask(question)).text();
  expect(opened.asked).toHaveLength(2);
});

test("an answer begins early for a client that accepts nothing but the stream of the answer", async ({
  opened,
}) => {
  expect(await statusOf(opened.begin(question, { accept: "text/event-stream" }))).toBe(204);
  await expect.poll(() => opened.asked).toEqual([question]);
});

test("it is discarded when the visitor goes on, and the whole question is answered", async ({ opened }) => {
  let goOn = (): void => undefined;
  opened.rest = new Promise((resolve) => (goOn = resolve));
  await opened.begin(question);
  await expect.poll(() => opened.asked).toHaveLength(1);
  const answer = opened.ask(`${question} in green`);
  await expect.poll(() => opened.aborted).toEqual([question]);
  goOn();
  expect(await textOf(await answer)).toBe(`You ask: ${question} in green.`);
  expect(opened.asked).toEqual([question, `${question} in green`]);
});

test("a later early answer replaces the one before, and the same question twice begins once", async ({
  opened,
}) => {
  opened.rest = new Promise(() => undefined);
  await opened.begin("one");
  await Promise.all([opened.begin("two"), opened.begin("two")]);
  await expect.poll(() => opened.aborted).toEqual(["one"]);
  await expect.poll(() => opened.asked).toEqual(["one", "two"]);
});

test("a question that comes while its answer still begins gets that answer", async ({ opened }) => {
  const [early, answer] = await Promise.all([opened.begin(question), opened.ask(question)]);
  expect([early.status, answer.status]).toEqual([204, 200]);
  expect(await textOf(answer)).toBe(`You ask: ${question}.`);
  expect(opened.asked).toEqual([question]);
});

test.for(["throws", "reports an error"])(
  "an early answer whose model %s is forgotten, and the question is asked as usual",
  async (how) => {
    let turns = 0;
    const model: LanguageModel = {
      async *answer() {
        await Promise.resolve();
        turns++;
        if (turns === 1 && how === "throws") throw new Error("The model is overloaded.");
        if (turns === 1) yield { status: "error", reason: "The model is overloaded." };
        else yield message("Five days.");
      },
    };
    const run = await runService({ languageModel: () => model });
    const { begin, ask } = calls(run, await run.newSession());
    await begin("how long");
    const answer = await ask("how long");
    expect(await answer.clone().text()).not.toContain('"error"');
    expect(await textOf(answer)).toBe("Five days.");
    expect(turns).toBe(2);
  },
);

test("it is aborted when the session ends", async ({ opened }) => {
  opened.rest = new Promise(() => undefined);
  await opened.begin(question);
  await opened.end();
  await expect.poll(() => opened.aborted).toEqual([question]);
  expect(await statusOf(opened.begin(question))).toBe(400);
});

test("answers that are discarded take none of the session's answers, and are limited themselves", async ({
  opened,
}) => {
  for (let turn = 0; turn < 20; turn++) expect(await statusOf(opened.begin(`half ${turn}`))).toBe(204);
  for (let turn = 0; turn < 20; turn++) {
    const answer = await opened.ask(`question ${turn}`);
    expect(answer.status).toBe(200);
    await answer.text();
  }
  expect([await statusOf(opened.begin("more")), await statusOf(opened.ask("more"))]).toEqual([429, 429]);
});
