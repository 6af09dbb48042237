import { expect, test } from "vitest";
import type { Overview } from "../../../../src/protocol/console/overview.ts";
import type { RunningService } from "../../service-fixture.ts";
import { jsonOf, owner, runConsole } from "./console-fixture.ts";
import { ask, askForEvents, newConversation } from "./visitor.ts";

const path = "/api/console/overview/";

async function converse(run: RunningService, ...questions: string[]): Promise<void> {
  const session = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
  run.pass(2);
  await run.event(session, "SESSION_START");
  for (const question of questions) await ask(run, session, question);
  run.pass(60);
  await run.event(session, "SESSION_END");
  await expect
    .poll(async () => (await run.store.conversations.byId(run.organizationId, session))?.endedAtMs)
    .toBeGreaterThan(0);
}

const overview = async (run: RunningService, query = ""): Promise<Overview> =>
  jsonOf<Overview>((await owner(run)).get(`${path}${query}`));

test("the figures of 30 days: conversations, questions, those without an answer, and talking time", async () => {
  const run = await runConsole();
  await converse(run, "How much is the Birch chair?", "Is canary wool free of mulesing?");
  run.pass(24 * 60 * 60);
  await converse(run, "How much is the Birch chair?");
  const { days, today, time_zone } = await overview(run);
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toEqual(today);
  expect(today).toMatchObject({ conversations: 1, questions: 1, unanswered: 0, with_unanswered: 0 });
  expect(days.at(-2)).toMatchObject({ conversations: 1, questions: 2, unanswered: 1, with_unanswered: 1 });
  expect(today.talking_sec).toBeGreaterThanOrEqual(60);
  expect(time_zone).not.toBe("");
  const other = await overview(run, `?context=${run.demo.id}`);
  expect(other.today.conversations).toBe(1);
  expect((await (await owner(run)).get(`${path}?context=unknown`)).status).toBe(404);
});

test("conversations of the same time a week ago are compared, later ones of that day are not", async () => {
  const run = await runConsole();
  run.pass(60 * 60);
  await converse(run);
  run.pass(2 * 60 * 60);
  await converse(run);
  run.pass(7 * 24 * 60 * 60 - 60 * 60);
  expect((await overview(run)).week_ago).toBe(1);
});

test("the first steps go away when a visitor of another site has talked to an avatar", async () => {
  const run = await runConsole();
  expect((await overview(run)).first_run).toMatchObject({
    avatar: { done: false, context: run.demo.id, name: "Mara" },
    knowledge: { done: false, documents: 0 },
    page: { done: false, has_origin: false, arrived: null },
    has_model: false,
  });
  await converse(run);
  expect((await overview(run)).first_run).not.toBeNull();
  await run.store.contextPages.note(
    run.demo.id,
    { origin: "https://shop.example", allowed: true },
    Date.UTC(2026, 0, 1, 1),
  );
  expect((await overview(run)).first_run).toMatchObject({ page: { done: true } });
  run.pass(2 * 60 * 60);
  await converse(run);
  expect((await overview(run)).first_run).toBeNull();
});

test("an avatar is the owner's own when the owner has changed it, not when it got a recognizer or documents", async () => {
  const run = await runConsole();
  const { store, demo, organizationId } = run;
  const save = async (embed_config: typeof demo.embed_config): Promise<void> => {
    await store.contexts.replace(organizationId, demo.id, { ...demo, embed_config }, 2);
  };
  await save({ ...demo.embed_config, stt_type: "pocketsphinx", documents: ["document"] });
  expect((await overview(run)).first_run).toMatchObject({ avatar: { done: false } });
  const ui = { ...demo.embed_config.ui, avatar_name: "Robin" };
  await save({ ...demo.embed_config, ui, stt_type: "pocketsphinx" });
  expect((await overview(run)).first_run).toMatchObject({ avatar: { done: true, name: "Robin" } });
});

test("an engine whose calls fail is a problem, with the time since when", async () => {
  const away = { status: "error" as const, reason: "Away." };
  const languageModel = () => ({
    // eslint-disable-next-line @typescript-eslint/require-await -- models answer asynchronously
    async *answer() {
      yield away;
    },
  });
  const run = await runConsole({}, { languageModel });
  const session = await newConversation(run);
  for (const question of ["Hello?", "Is somebody there?"])
    expect((await askForEvents(run, session, question)).at(-1)).toMatchObject({ status: "error" });
  const { problems } = await overview(run);
  expect(problems).toContainEqual(
    expect.objectContaining({
      code: "engine_failing",
      severity: "error",
      target: "visavis-retrieval",
      since: expect.stringMatching(/^2026-01-01T/) as string,
    }),
  );
});

test("an engine that is missing and a month that is used up are problems with a remedy", async () => {
  const run = await runConsole({}, { synthesizer: () => null });
  await run.store.organizations.setQuotas(run.organizationId, { minutesPerMonth: 0 });
  const { problems, limits } = await overview(run);
  expect(problems).toContainEqual(
    expect.objectContaining({ code: "engine_unavailable", severity: "error", target: run.demo.tts_type }),
  );
  expect(problems).toContainEqual(expect.objectContaining({ code: "limit_reached", page: "settings" }));
  expect(limits).toContainEqual(
    expect.objectContaining({ kind: "talking_month", limit: 0, unit: "minutes" }),
  );
});
