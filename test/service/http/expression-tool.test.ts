import { expect, test } from "vitest";
import { runEngines, saidBy, type RunningEngines } from "../engines-fixture.ts";
import {
  calling,
  chunk,
  runChatServer,
  saying,
  streams,
  type ChatAnswer,
} from "../language/engines/chat-completions/chat-server.ts";

/** A model of a chat server, whose settings say whether it takes tools. */
async function runModel(tools: boolean | undefined, ...answers: ChatAnswer[]) {
  const chat = await runChatServer(...answers);
  const run = await runEngines();
  await run.put(
    "llm_type",
    "chat",
    { name: "chat", service: "onpremise" },
    { base_url: chat.url, model: "m1", ...(tools !== undefined && { tools }) },
  );
  return {
    run,
    chat,
    offered: () => chat.requests.map(({ body }) => body.tools?.map((tool) => tool.function.name)),
  };
}

function faceSession(
  { demo, session }: RunningEngines,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { tts_type, model_style } = demo;
  return session({
    capability: ["STF_WEBRTC"],
    prompt: demo.id,
    llm_type: "chat",
    tts_type,
    model_style,
    ...fields,
  });
}

const yes = streams(saying("Yes."));

test("a model that takes tools may set the face of an avatar, and no other model is told of it", async () => {
  const [takes, unknown, refuses] = [
    await runModel(true, yes, yes),
    await runModel(undefined, yes),
    await runModel(false, yes),
  ];
  await takes.run.ask(await faceSession(takes.run), "Hello");
  const written = await takes.run.session({
    capability: ["LLM"],
    prompt: takes.run.demo.id,
    llm_type: "chat",
  });
  await takes.run.ask(written, "Hello");
  expect(takes.offered()).toEqual([["set_expression"], undefined]);
  await unknown.run.ask(await faceSession(unknown.run), "Hello");
  expect(unknown.offered()).toEqual([undefined]);
  const tools = [{ type: "function", function: { name: "open_page", description: "", parameters: {} } }];
  await refuses.run.ask(await faceSession(refuses.run), "Hello", { tools });
  expect(refuses.offered()).toEqual([undefined]);
});

test("the owner of a context may keep the model from setting the face", async () => {
  const { run, offered } = await runModel(true, yes);
  const { name, tts_type, model_style } = run.demo;
  const settings = {
    name,
    tts_type,
    model_style,
    instructions: "You sell chairs.",
    embed_config: { expressions: false },
  };
  expect((await run.send("PUT", `/api/console/b2c/contexts/${run.demo.id}/`, settings)).status).toBe(200);
  await run.ask(await faceSession(run, { extra_data: { context_id: "ctx_demo" } }), "Hello");
  expect(offered()).toEqual([["report_missing_answer"]]);
});

test("a call that comes with the answer needs no second one; a call alone does", async () => {
  const happy = { id: "c1", name: "set_expression", args: { mood: "happy" } };
  const together = chunk({ content: "Welcome!" }) + calling(happy);
  const { run, chat } = await runModel(
    true,
    streams(together),
    streams(calling(happy)),
    streams(saying("Hello!")),
  );
  const session = await faceSession(run);
  const first = await run.ask(session, "Hi");
  expect(saidBy(first)).toBe("Welcome!");
  expect(chat.requests).toHaveLength(1);
  expect(first.map((event) => "type" in event && event.type)).toContain("tool_call");
  expect(saidBy(await run.ask(session, "Hi"))).toBe("Hello!");
  expect(chat.requests).toHaveLength(3);
  expect(chat.requests[2]!.body.messages.at(-1)).toMatchObject({ role: "tool", content: "Done." });
});

test("a face that does not exist is refused, so that the model can correct itself", async () => {
  const angry = { id: "c1", name: "set_expression", args: { mood: "furious" } };
  const { run, chat } = await runModel(true, streams(calling(angry)), yes);
  await run.ask(await faceSession(run), "Hi");
  expect(chat.requests[1]!.body.messages.at(-1)?.content).toContain("Error: name a mood (neutral, happy");
});
