import { prepareContext, readContext, type ContextPlace } from "../support/service-api.ts";
import { callService } from "./console-fixture.ts";

/** The avatar keeps what is said for a number of days. */
export const keepWords = (place: ContextPlace, days: number): Promise<void> =>
  prepareContext(place, ({ embed_config: config }) => {
    config["retention_days"] = days;
  });

const eventOf =
  ({ server }: ContextPlace, session: string) =>
  (body: object): Promise<Response> =>
    callService(server, "POST", `/api/v1/session/${session}/event/create/`, body);

/** Begins a visitor's conversation by text, with a language model. Returns the session's id. */
export async function beginConversation(
  place: ContextPlace,
  questions: readonly string[],
  model = "visavis-retrieval",
): Promise<string> {
  const { server } = place;
  const { id: prompt } = await readContext(place);
  const created = await callService(server, "POST", "/api/v1/session/", {
    prompt,
    llm_type: model,
    model_style: "mina",
    tts_type: "visavis-slt",
    extra_data: { context_id: place.context },
  });
  const { session_id: session } = (await created.json()) as { session_id: string };
  await eventOf(place, session)({ event: "SESSION_START" });
  for (const content of questions) {
    const body = { messages: [{ role: "user", content }], tools: [] };
    await (await callService(server, "POST", `/api/v1/session/${session}/llm/v2/`, body)).text();
  }
  return session;
}

/** A conversation that has ended. Returns the session's id. */
export async function converse(
  place: ContextPlace,
  questions: readonly string[],
  helped?: "up" | "down",
  model?: string,
): Promise<string> {
  const session = await beginConversation(place, questions, model);
  const event = eventOf(place, session);
  if (helped) {
    const rating = { of: "conversation", value: helped };
    await event({ event: "SESSION_LOG", detail: JSON.stringify({ rating }) });
  }
  await event({ event: "SESSION_END" });
  return session;
}
