import fc from "fast-check";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createAvatarSession, type AvatarSession, type SessionEvents } from "../../src/client/index.ts";
import { PageStandIn } from "./page-stand-in.ts";
import { context, eventAnswer, json, piece, refusal, RelayStandIn } from "./relay-stand-in.ts";

let relay: RelayStandIn;
let page: PageStandIn;
let session: AvatarSession;
let errors: SessionEvents["error"][];
let states: string[];

function makeSession(contextId = "ctx_test"): AvatarSession {
  const made = createAvatarSession({ relay: relay.origin, contextId, mode: "text", locale: "en" });
  errors = [];
  states = [];
  made.on("error", (error) => errors.push(error));
  made.on("statechange", ({ state, reason }) => states.push(reason ? `${state}: ${reason}` : state));
  return made;
}

beforeEach(async () => {
  relay = new RelayStandIn();
  await relay.start();
  page = new PageStandIn();
  page.install();
  session = makeSession();
});

afterEach(async () => {
  session.dispose();
  await relay.stop();
  // What is still loaded looks for the page.
  await vi.dynamicImportSettled();
  page.remove();
});

const lines = (): string[] =>
  session.transcript.map(({ role, text, status }) => `${role}: ${text} (${status})`);

test("needs one request besides the context to start, greets, and reports the start", async () => {
  await Promise.all([session.start(), session.start()]);
  expect(session.state).toBe("live");
  expect(session.sessionId).toBe("s1");
  expect(lines()).toEqual(["avatar: Welcome. (final)"]);
  expect(states).toEqual(["connecting", "live"]);
  await vi.waitFor(() => expect(relay.events).toEqual(["SESSION_START"]));
  expect(relay.seen.filter(({ path }) => path.endsWith("/sessions"))).toHaveLength(1);
  expect(relay.seen.find(({ path }) => path.endsWith("/sessions"))?.body).toMatchObject({
    context_id: "ctx_test",
    mode: "text",
    locale: "en",
  });
});

test("is in writing in a browser that has neither WebRTC nor the avatar's files", async () => {
  const asked = createAvatarSession({ relay: relay.origin, contextId: "ctx_test", mode: "avatar" });
  expect(asked.mode).toBe("text");
  asked.prepare();
  await asked.start();
  expect(asked.state).toBe("live");
  expect(asked.mediaElement).toBeNull();
  const request = relay.seen.find(({ path }) => path.endsWith("/sessions"));
  expect(request?.body).toMatchObject({ mode: "text" });
  expect(request?.body).not.toHaveProperty("client_sdp");
  asked.dispose();
});

test("speaks in a browser without WebRTC where it can draw the avatar, or where only the voice is wanted", async () => {
  const asked = createAvatarSession({ relay: relay.origin, contextId: "ctx_test", mode: "voice" });
  expect(asked.mode).toBe("voice");
  asked.dispose();
  relay.handlers.set("GET /embed/v1/contexts/ctx_test", (_request, response) =>
    json(response, 200, { ...context, drawing: { character: "/characters/mina.json" } }),
  );
  const drawn = createAvatarSession({ relay: relay.origin, contextId: "ctx_test" });
  await drawn.loadContext();
  expect(drawn.mode).toBe("avatar");
  drawn.dispose();
});

test("reports one end, with the token that the relay renewed", async () => {
  relay.handlers.set("POST /embed/v1/sessions/s1/event", (request, response) => {
    response.setHeader("x-visavis-token", "t2");
    json(response, 201, eventAnswer(request.body.event ?? ""));
  });
  await session.start();
  await vi.waitFor(() => expect(relay.events).toHaveLength(1));
  await Promise.all([session.end(), session.end()]);
  expect(session.state).toBe("ended");
  expect(session.sessionId).toBeNull();
  expect(relay.events).toEqual(["SESSION_START", "SESSION_END"]);
  expect(
    relay.seen.filter(({ path }) => path.endsWith("/event")).map(({ authorization }) => authorization),
  ).toEqual(["Bearer t1", "Bearer t2"]);
});

test("sends the conversation so far and the page's variables to the language model, and shows its answer", async () => {
  await session.start();
  session.setVariables({ plan: "gold" });
  relay.answerWith([piece("Oak. "), piece("And ash.")], [piece("Yes.")]);
  await session.send("Which wood?");
  await session.send("Really?");
  expect(lines()).toEqual([
    "avatar: Welcome. (final)",
    "visitor: Which wood? (final)",
    "avatar: Oak. And ash. (final)",
    "visitor: Really? (final)",
    "avatar: Yes. (final)",
  ]);
  expect(relay.asked[1]).toEqual({
    messages: [
      { role: "assistant", content: "Welcome." },
      { role: "user", content: "Which wood?" },
      { role: "assistant", content: "Oak. And ash." },
      { role: "user", content: "Really?" },
    ],
    tools: [],
    variables: { plan: "gold" },
  });
  expect(session.activity).toBe("idle");
});

test("starts by itself when the visitor writes first", async () => {
  relay.answerWith([piece("Hello.")]);
  await session.send("Hi");
  expect(session.state).toBe("live");
  expect(lines()).toEqual(["avatar: Welcome. (final)", "visitor: Hi (final)", "avatar: Hello. (final)"]);
});

test("keeps the received part of an answer that fails, marks it as interrupted, and reports the error", async () => {
  await session.start();
  relay.answerWith([piece("Half an "), { status: "error", reason: "The model stopped." }]);
  await session.send("Why?");
  expect(lines().at(-1)).toBe("avatar: Half an  (cut)");
  expect(errors).toEqual([{ code: "engine_failed", message: "The model stopped." }]);
  expect(session.state).toBe("live");
});

test("marks a question that got no answer with why, and asks it again in its place", async () => {
  await session.start();
  relay.answerWith([{ status: "error", reason: "The model is busy." }], [finish], [piece("Oak."), finish]);
  for (const _ of [1, 2]) {
    const last = session.transcript.at(-1);
    if (last?.role === "visitor") await session.retry(last.id);
    else await session.send("Which wood?");
    expect(session.transcript.at(-1)).toMatchObject({ status: "failed", fault: "engine_failed" });
  }
  await session.retry(session.transcript.at(-1)!.id);
  expect(lines()).toEqual([
    "avatar: Welcome. (final)",
    "visitor: Which wood? (final)",
    "avatar: Oak. (final)",
  ]);
  expect(session.transcript.at(-2)).not.toHaveProperty("fault");
  expect(relay.asked.at(-1)!.messages).toEqual([
    { role: "assistant", content: "Welcome." },
    { role: "user", content: "Which wood?" },
  ]);
  expect(errors).toHaveLength(2);
});

test("asks the question of an answer that was cut off once more", async () => {
  await session.start();
  relay.answerWith([piece("Half an "), { status: "error", reason: "It stopped." }], [piece("Oak."), finish]);
  await session.send("Which wood?");
  expect(session.transcript.at(-1)).toMatchObject({ status: "cut", fault: "engine_failed" });
  await session.retry(session.transcript.at(-1)!.id);
  expect(lines().slice(-3)).toEqual([
    "avatar: Half an  (cut)",
    "visitor: Which wood? (final)",
    "avatar: Oak. (final)",
  ]);
});

test("a question that does not reach the relay waits, and is sent once when it can be", async () => {
  await session.start();
  const works = relay.handlers.get("POST /embed/v1/sessions/s1/llm");
  relay.handlers.set("POST /embed/v1/sessions/s1/llm", (_request, response) => response.destroy());
  await session.send("Are you there?");
  expect(session.transcript.at(-1)).toMatchObject({ text: "Are you there?", status: "waiting" });
  expect(errors).toEqual([]);
  expect(works).toBeUndefined();
  relay.answerWith([piece("Yes."), finish], [piece("Twice."), finish]);
  await vi.waitFor(() => expect(lines().at(-1)).toBe("avatar: Yes. (final)"));
  expect(lines().filter((line) => line.startsWith("visitor"))).toEqual(["visitor: Are you there? (final)"]);
});

test("a question over a lost session is asked in the next one", async () => {
  await session.start();
  relay.handlers.set("POST /embed/v1/sessions/s1/llm", (_request, response) =>
    json(response, 404, refusal("not_found")),
  );
  await session.send("Are you there?");
  expect(states).toContain("error: session_lost");
  relay.answerWith([piece("Yes."), finish]);
  await session.start();
  await vi.waitFor(() => expect(lines().at(-1)).toBe("avatar: Yes. (final)"));
});

test("a message for a session that cannot start stays, and can be discarded", async () => {
  relay.handlers.set("POST /embed/v1/sessions", (_request, response) =>
    json(response, 502, refusal("error")),
  );
  const removed: string[] = [];
  session.on("message", ({ message }) => message.status === "discarded" && removed.push(message.text));
  await expect(session.send("Hello?")).rejects.toMatchObject({ code: "connection_failed" });
  expect(session.transcript).toMatchObject([
    { text: "Hello?", status: "failed", fault: "connection_failed" },
  ]);
  session.discard(session.transcript[0]!.id);
  await vi.waitFor(() => expect(session.transcript).toEqual([]));
  expect(removed).toEqual(["Hello?"]);
});

const finish = { status: "success", type: "finish", role: "assistant", content: "" };
const toolCall = (name: string): object => ({
  ...{ status: "success", type: "tool_call", role: "assistant", content: "" },
  tool_calls: [{ id: "c1", type: "function", function: { name, arguments: "{}" } }],
});

test("treats an answer without a finish event as complete, unless the service has sent finish events before", async () => {
  await session.start();
  relay.answerWith([piece("Oak.")], [piece("Ash."), finish], [piece("Half an ")], [piece("Elm."), finish]);
  for (const question of ["One?", "Two?"]) await session.send(question);
  expect(errors).toEqual([]);
  await session.send("Three?");
  expect(errors).toEqual([{ code: "engine_failed", message: "The answer was interrupted. Ask again." }]);
  await session.send("Four?");
  expect(lines().filter((line) => line.startsWith("avatar"))).toEqual([
    "avatar: Welcome. (final)",
    "avatar: Oak. (final)",
    "avatar: Ash. (final)",
    "avatar: Half an  (cut)",
    "avatar: Elm. (final)",
  ]);
});

test("treats a stream that ends with a call of the page's tools as complete", async () => {
  await session.start();
  session.registerTool({ name: "stock", description: "", parameters: {}, run: () => 3 });
  relay.answerWith([piece("Yes."), finish], [toolCall("stock")], [piece("Three."), finish]);
  await session.send("Open?");
  await session.send("How many?");
  expect(errors).toEqual([]);
  expect(lines().at(-1)).toBe("avatar: Three. (final)");
});

test("runs the page's tools and sends their results to the model", async () => {
  await session.start();
  const calls: unknown[] = [];
  session.on("toolcall", (call) => calls.push(call));
  session.registerTool({
    name: "stock",
    description: "Pieces in stock",
    parameters: { type: "object" },
    run: (args) => Promise.resolve({ pieces: 3, args }),
  });
  const call = { id: "c1", type: "function", function: { name: "stock", arguments: '{"item":"chair"}' } };
  relay.answerWith(
    [{ status: "success", type: "tool_call", role: "assistant", content: "", tool_calls: [call] }],
    [piece("Three.")],
  );
  await session.send("How many chairs?");
  expect(calls).toEqual([{ name: "stock", arguments: { item: "chair" } }]);
  expect(relay.asked[0]!.tools).toEqual([
    {
      type: "function",
      function: { name: "stock", description: "Pieces in stock", parameters: { type: "object" } },
    },
  ]);
  expect(relay.asked[1]!.messages.slice(-2)).toEqual([
    { role: "assistant", type: "tool_call", content: "", tool_calls: [call] },
    { role: "tool", type: "tool_call", content: '{"pieces":3,"args":{"item":"chair"}}', tool_call_id: "c1" },
  ]);
  expect(lines().at(-1)).toBe("avatar: Three. (final)");
});

test.each([
  [7, { timeoutMs: 7_000 }],
  [20, {}],
])("a tool that hangs is stopped after %i s, which the model is told", async (sec, limit) => {
  const over = new AbortController();
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const limits = vi
    .spyOn(AbortSignal, "timeout")
    .mockImplementation((ms) => (ms === sec * 1_000 ? over.signal : timeout(ms)));
  onTestFinished(() => limits.mockRestore());
  await session.start();
  const run = (): Promise<never> => new Promise(() => queueMicrotask(() => over.abort()));
  session.registerTool({ name: "stock", description: "", parameters: {}, run, ...limit });
  relay.answerWith([toolCall("stock")], [piece("I could not look that up.")]);
  await session.send("How many chairs?");
  expect(relay.asked[1]!.messages.at(-1)).toMatchObject({
    role: "tool",
    content: `Error: stock did not answer within ${sec} s.`,
  });
  expect(lines().at(-1)).toBe("avatar: I could not look that up. (final)");
});

test("what a tool wants to be shown is shown after the answer; what is wrong with it, the model and the page are told", async () => {
  await session.start();
  const results = [{ cards: [{ price: "€480" }] }, { cards: [{ title: "Alder chair" }] }];
  session.registerTool({
    name: "find",
    description: "",
    parameters: {},
    run: () => ({ visavis: results.shift() }),
  });
  const fault = "cards[0].title must be a text of 1 to 120 characters.";
  relay.answerWith([toolCall("find")], [piece("I could not.")], [toolCall("find")], [piece("Here it is.")]);
  await session.send("A green chair?");
  expect(relay.asked[1]!.messages.at(-1)).toMatchObject({
    content: expect.stringContaining(`Error: nothing was shown. ${fault}`) as string,
  });
  expect(errors).toEqual([{ code: "invalid_content", message: `find: ${fault}` }]);
  await session.send("And now?");
  expect(session.transcript.slice(-2)).toMatchObject([
    { text: "Here it is." },
    { text: "Alder chair", content: { cards: [{ title: "Alder chair" }] } },
  ]);
});

test("a cleared conversation is forgotten, and the model no longer knows it", async () => {
  await session.start();
  relay.answerWith([piece("Walnut.")], [piece("I do not know.")]);
  await session.send("What is the code word?");
  session.clear();
  expect(lines()).toEqual([]);
  await session.send("Which word was it?");
  expect(relay.asked[1]!.messages).toEqual([{ role: "user", content: "Which word was it?" }]);
});

test("says with a question how fast the visitor wants the voice, unless it is the owner's rate", async () => {
  await session.start();
  relay.answerWith([piece("One.")], [piece("Two.")]);
  session.setVoiceRate(1.25);
  await session.send("First?");
  session.setVoiceRate(1);
  await session.send("Second?");
  expect(relay.asked.map(({ speech_rate }) => speech_rate)).toEqual([1.25, undefined]);
});

test("gives up when the model never stops calling tools", async () => {
  await session.start();
  relay.answerWith(...Array.from({ length: 9 }, () => [toolCall("none")]));
  await session.send("Loop");
  expect(relay.asked).toHaveLength(6);
  expect(errors.map(({ code }) => code)).toEqual(["engine_failed"]);
});

test("stops the answer at its current word when interrupted, and then accepts the next question", async () => {
  await session.start();
  relay.handlers.set("POST /embed/v1/sessions/s1/llm", (_request, response) => {
    response.write(`data: ${JSON.stringify(piece("Once upon"))}\n\n`);
  });
  const interrupted: string[] = [];
  session.on("interrupted", ({ message }) => interrupted.push(message.text));
  const first = session.send("Tell me a story");
  await vi.waitFor(() => expect(lines().at(-1)).toBe("avatar: Once upon (streaming)"));
  relay.answerWith([piece("Fine.")]);
  await session.send("Stop");
  await first;
  expect(interrupted).toEqual(["Once upon"]);
  expect(lines().slice(-3)).toEqual([
    "avatar: Once upon (interrupted)",
    "visitor: Stop (final)",
    "avatar: Fine. (final)",
  ]);
  expect(errors).toEqual([]);
});

test.each([
  ["MAX_MIN_PER_SESSION_QUOTA_EXCEEDED", "ended: SESSION_EVENT_MAX_MIN_PER_SESSION_QUOTA_EXCEEDED", []],
  ["GRACEFUL_TERMINATION", "ended: SESSION_EVENT_GRACEFUL_TERMINATION", []],
  ["MISC_ERROR", "error: session_lost", ["session_lost"]],
])("ends for good when the service answers %s", async (reason, state, codes) => {
  relay.handlers.set("POST /embed/v1/sessions/s1/event", (request, response) =>
    json(response, 201, eventAnswer(request.body.event ?? "", `SESSION_EVENT_${reason}`)),
  );
  await session.start();
  await vi.waitFor(() => expect(states.at(-1)).toBe(state));
  await session.end();
  expect(errors.map(({ code }) => code)).toEqual(codes);
  expect(relay.events).toEqual(["SESSION_START"]);
});

test.each([
  [404, refusal("not_found"), "context_not_found"],
  [403, refusal("context_inactive"), "context_inactive"],
  [403, refusal("permission_denied"), "origin_not_allowed"],
  [403, refusal("MAX_ACTIVE_SESSION_QUOTA_EXCEEDED"), "quota_exceeded"],
  [429, { code: "G0005", message: "Slow down.", status: "TOO_MANY_REQUESTS" }, "rate_limited"],
  [502, refusal("error"), "connection_failed"],
  [201, { nothing: true }, "invalid_response"],
])("reports %i %j in answer to a create as %s", async (status, body, code) => {
  relay.handlers.set("POST /embed/v1/sessions", (_request, response) => json(response, status, body));
  await expect(session.start()).rejects.toMatchObject({ code });
  expect(errors.map((error) => error.code)).toEqual([code]);
  expect(states).toEqual(["connecting", `error: ${code}`]);
});

test("a question over the rate limit stays with its reason, and the session goes on", async () => {
  await session.start();
  relay.handlers.set("POST /embed/v1/sessions/s1/llm", (_request, response) =>
    json(response, 429, { code: "G0005", message: "Slow down.", status: "TOO_MANY_REQUESTS" }),
  );
  await session.send("And this?");
  expect(session.transcript.at(-1)).toMatchObject({ status: "failed", fault: "rate_limited" });
  expect([errors.map(({ code }) => code), session.state]).toEqual([["rate_limited"], "live"]);
});

test("an error says which limit was reached", async () => {
  const errors = [{ code: "quota_exceeded", detail: "Used up.", attr: null, limit: "visitor" }];
  relay.handlers.set("POST /embed/v1/sessions", (_request, response) =>
    json(response, 403, { type: "client_error", errors }),
  );
  const limits: unknown[] = [];
  session.on("error", ({ limit }) => limits.push(limit));
  await expect(session.start()).rejects.toMatchObject({ code: "quota_exceeded", limit: "visitor" });
  expect(limits).toEqual(["visitor"]);
});

test("reports an unreachable relay as a network error, and a later start succeeds and keeps the conversation", async () => {
  await session.start();
  relay.answerWith([piece("Oak.")]);
  await session.send("Which wood?");
  relay.handlers.set("POST /embed/v1/sessions/s1/llm", (_request, response) =>
    json(response, 404, refusal("not_found")),
  );
  await session.send("And this?");
  expect(states.at(-1)).toBe("error: session_lost");
  relay.handlers.set("POST /embed/v1/sessions", (_request, response) => response.destroy());
  await expect(session.start()).rejects.toMatchObject({ code: "network" });
  relay.handlers.set("POST /embed/v1/sessions", new RelayStandIn().handlers.get("POST /embed/v1/sessions")!);
  await session.start();
  expect(lines()).toContain("avatar: Oak. (final)");
  expect(lines().filter((line) => line.includes("Welcome"))).toHaveLength(1);
});

/** The service ends each session at its first report, as it does after a lease that ran out. */
function loseSessions(): void {
  relay.handlers.set("POST /embed/v1/sessions/s1/event", (request, response) =>
    json(response, 201, eventAnswer(request.body.event ?? "", "SESSION_EVENT_SESSION_LOST_AFTER_CONNECTION")),
  );
}
const creates = (): number => relay.seen.filter(({ path }) => path.endsWith("/sessions")).length;

test.each(["visibilitychange", "resume"])(
  "asks at once whether its session still lives when the page comes back (%s)",
  async (type) => {
    const listen = vi.spyOn(page.document, "addEventListener");
    // No report comes because it is time for one.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await session.start();
    vi.runOnlyPendingTimers();
    await expect.poll(() => relay.events).toEqual(["SESSION_START"]);
    await expect.poll(() => listen.mock.calls.map(([name]) => name)).toContain(type);
    page.document.dispatchEvent(new Event(type));
    await expect.poll(() => relay.events).toEqual(["SESSION_START", "SESSION_DURING"]);
  },
);

test("ends a session in which nobody is there after the owner's idle time, and says so before", async () => {
  relay.handlers.set("GET /embed/v1/contexts/ctx_test", (_request, response) =>
    json(response, 200, { ...context, idle_timeout_sec: 180 }),
  );
  const told: unknown[] = [];
  session.on("endnotice", ({ notice }) => told.push(notice));
  await session.loadContext();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  await session.start();
  // What takes care of it is loaded a moment later.
  await vi.advanceTimersByTimeAsync(5_000);
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(165_000);
  expect(told).toContainEqual({ kind: "idle", leftSec: 20 });
  session.stay();
  expect(told.at(-1)).toBeNull();
  await vi.advanceTimersByTimeAsync(175_000);
  expect(session.state).toBe("live");
  await vi.advanceTimersByTimeAsync(10_000);
  await vi.waitFor(() => expect(states.at(-1)).toBe("ended: idle"));
});

test("delays the next start until the reset of a rate limit", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  relay.handlers.set("POST /embed/v1/sessions", (_request, response) => {
    response.setHeader("retry-after", "1");
    json(response, 429, { code: "G0005", message: "Slow down.", status: "TOO_MANY_REQUESTS" });
  });
  await expect(session.start()).rejects.toMatchObject({ code: "rate_limited" });
  relay.handlers.set("POST /embed/v1/sessions", new RelayStandIn().handlers.get("POST /embed/v1/sessions")!);
  await expect(session.start()).rejects.toMatchObject({ code: "rate_limited" });
  expect(creates()).toBe(1);
  vi.advanceTimersByTime(1_000);
  await session.start();
  expect(creates()).toBe(2);
});

test("emits no error when end() interrupts a start, and ends the session that was still created", async () => {
  let answer = (): void => undefined;
  relay.handlers.set("POST /embed/v1/sessions", (request, response) => {
    answer = () => new RelayStandIn().handlers.get("POST /embed/v1/sessions")!(request, response);
  });
  const starting = session.start();
  starting.catch(() => undefined);
  await vi.waitFor(() => expect(relay.seen.some(({ path }) => path.endsWith("/sessions"))).toBe(true));
  await session.end();
  await expect(starting).rejects.toMatchObject({ code: "connection_failed" });
  expect(states).toEqual(["connecting", "ended: ended_by_visitor"]);
  expect(errors).toEqual([]);
  answer();
  await vi.waitFor(() => expect(relay.events).toEqual(["SESSION_END"]));
});

test("begins a new conversation with a start after an end", async () => {
  await session.start();
  await session.end();
  await session.start();
  expect(lines()).toEqual(["avatar: Welcome. (final)"]);
});

test("fetches the context once, and again after a failure", async () => {
  const good = relay.handlers.get("GET /embed/v1/contexts/ctx_test")!;
  relay.handlers.set("GET /embed/v1/contexts/ctx_test", (_request, response) =>
    json(response, 404, refusal("x")),
  );
  await expect(session.loadContext()).rejects.toMatchObject({ code: "context_not_found" });
  relay.handlers.set("GET /embed/v1/contexts/ctx_test", good);
  const [first, second] = await Promise.all([session.loadContext(), session.loadContext()]);
  expect(first).toBe(second);
  expect(session.context?.greeting).toBe("Welcome.");
  expect(relay.seen.filter(({ method }) => method === "GET")).toHaveLength(2);
});

test("says the page's texts, after the greeting when the session is still connecting", async () => {
  session.say("Before any session: nothing.");
  const starting = session.start();
  session.say("Look at the oak table.");
  await starting;
  session.say("And the chairs.");
  expect(lines().map((line) => line.replace(/ \(final\)$/, ""))).toEqual([
    "avatar: Welcome.",
    "avatar: Look at the oak table.",
    "avatar: And the chairs.",
  ]);
});

/** Every way in which a session can end, in any order and number. */
const endings: Record<string, () => unknown> = {
  end: () => session.end(),
  dispose: () => session.dispose(),
  pagehide: () => page.window.dispatchEvent(new Event("pagehide")),
  terminated: () => {
    relay.handlers.set("POST /embed/v1/sessions/s1/event", (request, response) =>
      json(response, 201, eventAnswer(request.body.event ?? "", "SESSION_EVENT_GRACEFUL_TERMINATION")),
    );
    return page.document.dispatchEvent(new Event("visibilitychange"));
  },
  lost: () => {
    relay.handlers.set("POST /embed/v1/sessions/s1/llm", (_request, response) =>
      json(response, 410, refusal("not_found")),
    );
    // A send after the end would begin the next session.
    return session.state === "live" ? session.send("Are you there?") : undefined;
  },
};

test("reports at most one end, whatever ends the session and in which order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(Object.keys(endings), { minLength: 1 }),
      fc.boolean(),
      async (order, overlapping) => {
        // A relay of its own: a keepalive request of the run before may still be on its way.
        await relay.stop();
        relay = new RelayStandIn();
        await relay.start();
        session = makeSession();
        // The session reports its start a moment later. Forty such moments would be most of this file's time.
        vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
        await session.start();
        vi.runOnlyPendingTimers();
        vi.useRealTimers();
        await vi.waitFor(() => expect(relay.events).toContain("SESSION_START"), { interval: 2 });
        const running = [];
        for (const name of order) {
          const done = endings[name]!();
          if (overlapping) running.push(done);
          else await done;
        }
        await Promise.all(running);
        await session.end();
        session.dispose();
        const last = relay.events.filter((event) => event === "SESSION_END" || event === "SESSION_ERROR");
        expect(relay.events.filter((event) => event === "SESSION_START")).toHaveLength(1);
        expect(last.length).toBeLessThanOrEqual(1);
        expect(["ended", "error", "live"]).toContain(session.state);
      },
    ),
    { numRuns: 40 },
  );
});

test("reports a lost session and continues the conversation in a new one, at most once a minute", async () => {
  // The module remembers when it last began a new session. Last in this file: what is imported later has classes of its own.
  vi.resetModules();
  loseSessions();
  await session.start();
  await vi.waitFor(() => expect(states.filter((state) => state === "error: session_lost")).toHaveLength(2));
  expect(states).toEqual([
    "connecting",
    "live",
    "error: session_lost",
    "connecting",
    "live",
    "error: session_lost",
  ]);
  expect(lines()).toEqual(["avatar: Welcome. (final)"]);
  // A further session would be one of the states: it begins at once.
  await new Promise(setImmediate);
  expect(creates()).toBe(2);
});

test("a question is asked again while the relay does not reach the service, which may be restarting", async () => {
  await session.start();
  let refusals = 2;
  relay.answerWith([piece("Here again."), finish]);
  const answer = relay.handlers.get("POST /embed/v1/sessions/s1/llm")!;
  relay.handlers.set("POST /embed/v1/sessions/s1/llm", (request, response) => {
    if (refusals-- > 0) json(response, 503, refusal("engine_failed"));
    else answer(request, response);
  });
  await session.send("Are you there?");
  expect(session.transcript.at(-1)).toMatchObject({ text: "Are you there?", status: "waiting" });
  await vi.waitFor(() => expect(lines().at(-1)).toBe("avatar: Here again. (final)"));
  expect(errors).toEqual([]);
});
