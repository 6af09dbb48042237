import { callService } from "./console-fixture.ts";
import type { Server } from "../support/stack.ts";

interface DemoContext extends Record<string, unknown> {
  id: string;
  embed_config: Record<string, unknown>;
}

/** The demo context as its owner reads it. */
export async function demoContext(server: Server): Promise<DemoContext> {
  const answer = await callService(server, "GET", "/api/console/b2c/contexts/?context_id=ctx_demo");
  const [context] = (await answer.json()) as DemoContext[];
  if (!context) throw new Error("There is no demo context.");
  return context;
}

/** The demo avatar keeps what is said for a number of days. */
export async function keepWords(server: Server, days: number): Promise<void> {
  const context = await demoContext(server);
  const body = { ...context, embed_config: { ...context.embed_config, retention_days: days } };
  await callService(server, "PUT", `/api/console/b2c/contexts/${context.id}/`, body);
}

/** A visitor's conversation by text, with a language model. Returns the session's id. */
export async function converse(
  server: Server,
  questions: readonly string[],
  helped?: "up" | "down",
  model = "visavis-retrieval",
): Promise<string> {
  const { id: prompt } = await demoContext(server);
  const created = await callService(server, "POST", "/api/v1/session/", {
    prompt,
    llm_type: model,
    model_style: "mina",
    tts_type: "visavis-slt",
    extra_data: { context_id: "ctx_demo" },
  });
  const { session_id: session } = (await created.json()) as { session_id: string };
  const event = (body: object): Promise<Response> =>
    callService(server, "POST", `/api/v1/session/${session}/event/create/`, body);
  await event({ event: "SESSION_START" });
  for (const content of questions) {
    const body = { messages: [{ role: "user", content }], tools: [] };
    await (await callService(server, "POST", `/api/v1/session/${session}/llm/v2/`, body)).text();
  }
  if (helped) {
    const rating = { of: "conversation", value: helped };
    await event({ event: "SESSION_LOG", detail: JSON.stringify({ rating }) });
  }
  await event({ event: "SESSION_END" });
  return session;
}
