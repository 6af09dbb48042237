/** What visitors do before somebody reads about it in the console. */
import { expect } from "vitest";
import { answerEvents } from "../../answer-events.ts";
import type { RunningService } from "../../service-fixture.ts";

/** The demo avatar keeps what is said for a number of days. */
export async function keepWords(run: RunningService, days: number): Promise<void> {
  const { demo, organizationId, store } = run;
  const config = { ...demo.config, retention_days: days };
  await store.contexts.replace(organizationId, demo.id, { ...demo, embed_config: config }, 1);
}

/** Begins a conversation with the demo avatar. Returns the session's id. */
export async function newConversation(run: RunningService): Promise<string> {
  const session = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
  await run.event(session, "SESSION_START");
  // No session waits until its conversation is recorded.
  const recorded = () => run.store.conversations.byId(run.organizationId, session);
  await expect.poll(recorded, { interval: 2 }).not.toBeNull();
  return session;
}

/** Asks a question, and returns the events of its answer. */
export async function askForEvents(
  run: RunningService,
  session: string,
  content: string,
): ReturnType<typeof answerEvents> {
  const messages = [{ role: "user", content }];
  const path = `/api/v1/session/${session}/llm/v2/`;
  return answerEvents(await run.send("POST", path, { messages, tools: [] }));
}

/** Asks a question, and returns the text of the answer, which must have come to its end. */
export async function ask(run: RunningService, session: string, content: string): Promise<string> {
  const events = await askForEvents(run, session, content);
  expect(events.at(-1)).toMatchObject({ status: "success", type: "finish" });
  return events
    .map((event) => (event.status === "success" && event.type === "message" ? event.content : ""))
    .join("");
}

/** The visitor says whether an answer, or the conversation, helped. */
export async function rate(
  run: RunningService,
  session: string,
  rating: { of: "answer" | "conversation"; value: "up" | "down"; why?: string },
): Promise<void> {
  const body = { event: "SESSION_LOG", detail: JSON.stringify({ rating }) };
  expect((await run.send("POST", `/api/v1/session/${session}/event/create/`, body)).status).toBe(201);
}

/** A conversation from its beginning to its end. Returns the session's id. */
export async function converse(
  run: RunningService,
  questions: readonly string[],
  helped?: "up" | "down",
): Promise<string> {
  const session = await newConversation(run);
  for (const question of questions) await askForEvents(run, session, question);
  if (helped) await rate(run, session, { of: "conversation", value: helped });
  await run.event(session, "SESSION_END");
  const conversation = () => run.store.conversations.byId(run.organizationId, session);
  await expect.poll(async () => (await conversation())?.endedAtMs, { interval: 2 }).toBeGreaterThan(0);
  return session;
}
