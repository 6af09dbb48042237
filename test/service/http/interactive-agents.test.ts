import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import type { ErrorBody } from "../../../src/protocol/schema/error-body.ts";
import { runEngines, saidBy } from "../engines-fixture.ts";
import { agentEvents, runAgentServer } from "../language/engines/interactive-agent/agent-server.ts";

const piece = (content: string) => ({ status: "success", type: "message", role: "assistant", content });

async function withAgent(engine: Record<string, unknown> | null) {
  const run = await runEngines();
  const body = {
    interactiveagentconfig_id: "pliac-shop",
    name: "pliac-shop",
    description: "Sells chairs",
    intro_message: "Hello.",
    organization: run.organizationId,
  };
  await run.put("interactive_agent_config", "pliac-shop", body, engine);
  return { ...run, body };
}

const llmOnly = { capability: ["LLM"], interactive_agent_config: "pliac-shop" };

test("the agent answers the turn, and gets session, messages, tools, locale and variables", async () => {
  const agent = await runAgentServer(agentEvents(piece("It costs "), piece("480 euros.")));
  const run = await withAgent({ url: agent.url, auth_header: "Bearer a1", allow_private: true });
  const session = await run.session({ ...llmOnly, text_normalization_locale: "en-GB" });
  const tool = { type: "function", function: { name: "open_page", description: "", parameters: {} } };
  const events = await run.ask(session, "How much?", { tools: [tool], variables: { page: "chairs" } });
  expect(saidBy(events)).toBe("It costs 480 euros.");
  expect(agent.requests).toEqual([
    {
      method: "POST",
      headers: expect.objectContaining({
        authorization: "Bearer a1",
        accept: "text/event-stream",
        "content-type": "application/json",
      }) as object,
      body: {
        session_id: session,
        messages: [{ role: "user", content: "How much?" }],
        tools: [tool],
        locale: "en-GB",
        variables: { page: "chairs" },
      },
    },
  ]);
});

test("an agent may act, so that none of its answers begins early", async () => {
  const agent = await runAgentServer(agentEvents(piece("Booked.")));
  const run = await withAgent({ url: agent.url, allow_private: true });
  const path = `/api/v1/session/${await run.session(llmOnly)}/llm/v2/early/`;
  const refused = await run.send("POST", path, {
    messages: [{ role: "user", content: "Book the table" }],
  });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ errors: [{ code: "invalid" }] });
  expect(agent.requests).toEqual([]);
});

test("responses describe the agent, without its address", async () => {
  const run = await withAgent({ url: "https://agent.example/turn", auth_header: "Bearer secret-a1" });
  const created = await run.send("POST", "/api/v1/session/", llmOnly);
  const text = await created.text();
  const { session_id: session } = JSON.parse(text) as { session_id: string };
  const retrieved = await (await run.get(`/api/v1/session/${session}/`)).text();
  expect(JSON.parse(retrieved)).toMatchObject({ interactive_agent_config: run.body, prompt: null });
  for (const hidden of ["agent.example", "secret-a1"]) expect(text + retrieved).not.toContain(hidden);
});

test("calls of the page's tools are passed on, events of unknown kinds are not", async () => {
  const call = { id: "c1", type: "function", function: { name: "open_page", arguments: "{}" } };
  const called = { status: "success", type: "tool_call", role: "assistant", content: "", tool_calls: [call] };
  const agent = await runAgentServer(agentEvents({ status: "thinking" }, piece("Look."), called));
  const run = await withAgent({ url: agent.url, allow_private: true });
  expect(await run.ask(await run.session(llmOnly), "Open it")).toEqual([piece("Look."), called]);
});

test("the text of a speaking session is split into sentences", async () => {
  const agent = await runAgentServer(
    agentEvents(piece("It costs 4"), piece("80 euros. Do you"), piece(" want it?")),
  );
  const run = await withAgent({ url: agent.url, allow_private: true });
  const fields = {
    capability: ["LLM", "TTS"],
    interactive_agent_config: "pliac-shop",
    tts_type: "visavis-slt",
  };
  expect(await run.ask(await run.session(fields), "How much?")).toEqual([
    piece("It costs 480 euros. "),
    piece("Do you want it?"),
  ]);
});

test("an agent may send the finish event itself; clients get it once", async () => {
  const finish = { status: "success", type: "finish", role: "assistant", content: "" };
  const agent = await runAgentServer(agentEvents(piece("Yes."), finish, piece("never")));
  const run = await withAgent({ url: agent.url, allow_private: true });
  const path = `/api/v1/session/${await run.session(llmOnly)}/llm/v2/`;
  const answer = await run.send("POST", path, { messages: [{ role: "user", content: "Open?" }] });
  expect((await answer.text()).match(/"type":"[a-z]+"/g)).toEqual(['"type":"message"', '"type":"finish"']);
});

describe("errors are sent as events", () => {
  test("the agent's own reason is passed on and ends the stream", async () => {
    const error = { status: "error", reason: "Closed for today." };
    const agent = await runAgentServer(agentEvents(piece("Well. "), error, piece("never")));
    const run = await withAgent({ url: agent.url, allow_private: true });
    expect(await run.ask(await run.session(llmOnly), "Hello")).toEqual([piece("Well. "), error]);
  });

  test.each([
    ["a refusal", (response: ServerResponse) => void response.writeHead(403).end("secret")],
    ["a page", (response: ServerResponse) => void response.end("<html>secret</html>")],
    ["a connection that breaks off", (response: ServerResponse) => void response.destroy()],
  ])("%s", async (_what, answer) => {
    const agent = await runAgentServer(answer);
    const run = await withAgent({ url: agent.url, allow_private: true });
    const events = await run.ask(await run.session(llmOnly), "Hello");
    expect(events).toMatchObject([{ status: "error" }]);
    expect(JSON.stringify(events)).not.toContain("secret");
  });

  test("when the agent sends nothing", async () => {
    const agent = await runAgentServer(() => undefined);
    const run = await withAgent({ url: agent.url, allow_private: true, first_byte_sec: 0.05 });
    expect(await run.ask(await run.session(llmOnly), "Hello")).toMatchObject([
      { status: "error", reason: expect.stringContaining("in time") as string },
    ]);
  });
});

test.each([
  ["pliac-nobody", "does_not_exist"],
  ["shop", "invalid"],
])("%s names no agent", async (identifier, code) => {
  const run = await withAgent({ url: "https://agent.example/turn" });
  const response = await run.send("POST", "/api/v1/session/", {
    ...llmOnly,
    interactive_agent_config: identifier,
  });
  expect(response.status).toBe(400);
  expect(((await response.json()) as ErrorBody).errors).toMatchObject([
    { code, attr: "interactive_agent_config" },
  ]);
});

test.each([[null], [{ url: "ftp://agent.example" }], [{ auth_header: "Bearer x" }]])(
  "an agent with the settings %j is not available",
  async (engine) => {
    const run = await withAgent(engine);
    const response = await run.send("POST", "/api/v1/session/", llmOnly);
    expect(((await response.json()) as ErrorBody).errors).toMatchObject([{ code: "does_not_exist" }]);
  },
);
