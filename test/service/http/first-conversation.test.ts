import { expect, test } from "vitest";
import { embedContextSchema } from "../../../src/protocol/settings/embed-context.ts";
import { sessionCreatedSchema, sessionRetrievedSchema } from "../../../src/protocol/session/session.ts";
import { sessionEventSchema } from "../../../src/protocol/session/session-event.ts";
import { runService } from "../service-fixture.ts";

test("a session works from create through exchange, events and an answer to its normal end", async () => {
  const run = await runService();
  const [context] = (await (await run.get("/api/console/b2c/contexts/?context_id=ctx_demo")).json()) as [
    unknown,
  ];
  const { id, tts_type, model_style } = embedContextSchema.parse(context);
  const created = await run.send("POST", "/api/v1/session/", {
    prompt: id,
    llm_type: "visavis-retrieval",
    model_style,
    tts_type,
    extra_data: { context_id: "ctx_demo" },
  });
  expect(created.status).toBe(201);
  const session = sessionCreatedSchema.parse(await created.json());
  expect(session).toMatchObject({ status: "CREATED", capability: ["STF_WEBRTC"], padding_height: 1 });

  const path = `/api/v1/session/${session.session_id}`;
  const exchange = await run.send("POST", `${path}/exchange/`, {
    client_sdp: { type: "offer", sdp: "v=0 offer" },
  });
  expect(exchange.status).toBe(200);
  expect(await exchange.json()).toEqual({ server_sdp: { type: "answer", sdp: "v=0 answer 1" } });
  expect(run.media.exchanges[0]).toMatchObject({
    sessionId: session.session_id,
    offerSdp: "v=0 offer",
    characterFile: "/srv/public/characters/mina.json",
  });

  for (const event of ["SESSION_START", "SESSION_DURING"]) {
    const reported = await run.send("POST", `${path}/event/create/`, { event });
    expect(reported.status).toBe(201);
    expect(sessionEventSchema.parse(await reported.json())).toMatchObject({ event, terminate: false });
  }
  const answer = await run.send("POST", `${path}/llm/v2/`, {
    messages: [{ role: "user", content: "How much is the Alder chair?" }],
  });
  expect(await answer.text()).toContain("The Alder reading chair costs 480 euros.");
  run.pass(42);
  expect(await run.event(session.session_id, "SESSION_END")).toMatchObject({
    terminate: true,
    terminate_reason: "SESSION_EVENT_GRACEFUL_TERMINATION",
  });
  expect(run.media.closed).toEqual([session.session_id]);

  const retrieved = sessionRetrievedSchema.parse(await (await run.request(`${path}/`)).json());
  expect(retrieved).toMatchObject({
    status: "TERMINATED",
    termination_reason: "GRACEFUL_TERMINATION",
    duration_sec: 42,
    client_sdp: "v=0 offer",
    server_sdp: "v=0 answer 1",
    prompt: { prompt_id: id, intro_message: "Hello, I'm Mara. What are you looking for today?" },
    model_style: { name: "mina" },
    capability: [{ name: "STF_WEBRTC" }],
  });
  const events = (await (await run.get(`${path}/event/`)).json()) as { event: string }[];
  expect(events.map(({ event }) => event)).toEqual(["SESSION_START", "SESSION_DURING", "SESSION_END"]);
});
