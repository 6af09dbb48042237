import { expect, test } from "vitest";
import type { LanguageModel, Turn } from "../../../src/service/language/language-model.ts";
import { runService, type RunningService } from "../service-fixture.ts";

/** A model that echoes the last question, and notes what it was asked and what was aborted. */
function echoingModel() {
  const asked: string[] = [];
  const aborted: string[] = [];
  /** Until this resolves, an answer stays in its middle. */
  let rest: Promise<void> = Promise.resolve();
  const holdRest = (until: Promise<void>): void => {
    rest = until;
  };
  const model: LanguageModel = {
    async *answer({ messages, signal }: Turn) {
      const question = messages.at(-1)!.content;
      asked.push(question);
      signal?.addEventListener("abort", () => aborted.push(question));
      yield { status: "success", type: "message", role: "assistant", content: "You ask: " };
      await rest;
      if (signal?.aborted) return;
      yield { status: "success", type: "message", role: "assistant", content: `${question}.` };
    },
  };
  return { model, asked, aborted, holdRest };
}

async function run() {
  const { model, ...told } = echoingModel();
  const service = await runService({ languageModel: () => model });
  return { ...told, service, session: await service.newSession() };
}

const ask = (service: RunningService, session: string, content: string, early = false): Promise<Response> =>
  service.send("POST", `/api/v1/session/${session}/llm/v2/${early ? "early/" : ""}`, {
    messages: [{ role: "user", content }],
  });

const textOf = async (answer: Response): Promise<string> =>
  [...(await answer.text()).matchAll(/"type":"message".*?"content":"(.*?)"/gu)]
    .map(([, text]) => text)
    .join("");

test("an answer that began early is given to the same question, and the model is asked once", async () => {
  const { asked, service, session } = await run();
  const begun = await ask(service, session, "how much is the chair", true);
  expect(begun.status).toBe(204);
  expect(await textOf(await ask(service, session, "how much is the chair"))).toBe(
    "You ask: how much is the chair.",
  );
  expect(asked).toEqual(["how much is the chair"]);
  await (await ask(service, session, "how much is the chair")).text();
  expect(asked).toHaveLength(2);
});

test("an answer begins early for a client that accepts nothing but the stream of the answer", async () => {
  const { asked, service, session } = await run();
  const begun = await service.send(
    "POST",
    `/api/v1/session/${session}/llm/v2/early/`,
    { messages: [{ role: "user", content: "how much is the chair" }] },
    { accept: "text/event-stream" },
  );
  expect(begun.status).toBe(204);
  await expect.poll(() => asked).toEqual(["how much is the chair"]);
});

test("it is discarded when the visitor goes on, and the whole question is answered", async () => {
  const { asked, aborted, holdRest, service, session } = await run();
  let goOn = (): void => undefined;
  holdRest(new Promise((resolve) => (goOn = resolve)));
  await ask(service, session, "how much is the chair", true);
  await expect.poll(() => asked).toHaveLength(1);
  const answer = ask(service, session, "how much is the chair in green");
  await expect.poll(() => aborted).toEqual(["how much is the chair"]);
  goOn();
  expect(await textOf(await answer)).toBe("You ask: how much is the chair in green.");
  expect(asked).toEqual(["how much is the chair", "how much is the chair in green"]);
});

test("a later early answer replaces the one before, and the same question twice begins once", async () => {
  const { asked, aborted, holdRest, service, session } = await run();
  holdRest(new Promise(() => undefined));
  await ask(service, session, "one", true);
  await Promise.all([ask(service, session, "two", true), ask(service, session, "two", true)]);
  await expect.poll(() => aborted).toEqual(["one"]);
  await expect.poll(() => asked).toEqual(["one", "two"]);
});

test("a question that comes while its answer still begins gets that answer", async () => {
  const { asked, service, session } = await run();
  const begun = ask(service, session, "how much is the chair", true);
  const [early, answer] = await Promise.all([begun, ask(service, session, "how much is the chair")]);
  expect([early.status, answer.status]).toEqual([204, 200]);
  expect(await textOf(answer)).toBe("You ask: how much is the chair.");
  expect(asked).toEqual(["how much is the chair"]);
});

test.each(["throws", "reports an error"])(
  "an early answer whose model %s is forgotten, and the question is asked as usual",
  async (how) => {
    let calls = 0;
    const model: LanguageModel = {
      async *answer() {
        await Promise.resolve();
        calls++;
        if (calls === 1 && how === "throws") throw new Error("The model is overloaded.");
        if (calls === 1) yield { status: "error", reason: "The model is overloaded." };
        else yield { status: "success", type: "message", role: "assistant", content: "Five days." };
      },
    };
    const service = await runService({ languageModel: () => model });
    const session = await service.newSession();
    await ask(service, session, "how long", true);
    const answer = await ask(service, session, "how long");
    expect(await answer.clone().text()).not.toContain('"error"');
    expect(await textOf(answer)).toBe("Five days.");
    expect(calls).toBe(2);
  },
);

test("it is aborted when the session ends", async () => {
  const { aborted, holdRest, service, session } = await run();
  holdRest(new Promise(() => undefined));
  await ask(service, session, "how much is the chair", true);
  await service.send("POST", `/api/v1/session/${session}/event/create/`, { event: "SESSION_END" });
  await expect.poll(() => aborted).toEqual(["how much is the chair"]);
  expect((await ask(service, session, "how much is the chair", true)).status).toBeGreaterThanOrEqual(400);
});

test("answers that are discarded take none of the session's answers, and are limited themselves", async () => {
  const { service, session } = await run();
  const statuses: number[] = [];
  for (let turn = 0; turn < 20; turn++)
    statuses.push((await ask(service, session, `half a question ${turn}`, true)).status);
  for (let turn = 0; turn < 20; turn++) {
    const answer = await ask(service, session, `question ${turn}`);
    statuses.push(answer.status);
    await answer.text();
  }
  expect(new Set(statuses)).toEqual(new Set([204, 200]));
  expect((await ask(service, session, "one more", true)).status).toBe(429);
  expect((await ask(service, session, "one more")).status).toBe(429);
});
