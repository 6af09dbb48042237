/** The session of the widget for conversations in writing, which is loaded when it is needed. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { fetchContext } from "../../src/client/context-request-later.ts";
import { BrowserSession } from "../../src/client/browser-session-later.ts";
import { PageStandIn } from "./page-stand-in.ts";
import { context, json, piece, RelayStandIn } from "./relay-stand-in.ts";

let relay: RelayStandIn;
let page: PageStandIn;
let session: BrowserSession;
let states: string[];

beforeEach(async () => {
  relay = new RelayStandIn();
  await relay.start();
  page = new PageStandIn();
  page.install();
  session = new BrowserSession({ relay: relay.origin, contextId: "ctx_test", mode: "text", locale: "en" });
  states = [];
  session.on("statechange", ({ state, reason }) => states.push(reason ? `${state}: ${reason}` : state));
});

afterEach(async () => {
  session.dispose();
  await relay.stop();
  page.remove();
});

const lines = (): string[] =>
  session.transcript.map(({ role, text, status }) => `${role}: ${text} (${status})`);

const requests = (path: string): number => relay.seen.filter((request) => request.path.endsWith(path)).length;

test("is idle and silent until it starts, and starts one session", async () => {
  expect([session.state, session.activity, session.sessionId]).toEqual(["idle", "idle", null]);
  expect([session.microphone, session.mediaElement, session.connection]).toEqual(["off", null, null]);
  expect(session.transcript).toEqual([]);
  session.say("Nobody hears this.");
  await Promise.all([session.loadContext(), session.loadContext()]);
  expect(session.context?.name).toBe("Test");
  await Promise.all([session.start(), session.start()]);
  expect(session.context?.name).toBe("Test");
  expect(states).toEqual(["connecting", "live"]);
  expect(session.sessionId).toBe("s1");
  expect(lines()).toEqual(["avatar: Welcome. (final)"]);
  expect(requests("/sessions")).toBe(1);
});

test("the context that was fetched for it serves the session too, another session fetches its own", async () => {
  const options = { relay: relay.origin, contextId: "ctx_test" };
  expect(fetchContext(options)).toBe(fetchContext(options));
  expect((await fetchContext(options)).name).toBe("Test");
  expect(requests("/contexts/ctx_test")).toBe(1);
  await fetchContext({ ...options });
  expect(requests("/contexts/ctx_test")).toBe(2);
});

test("fetches a context again that could not be fetched", async () => {
  const works = relay.handlers.get("GET /embed/v1/contexts/ctx_test");
  relay.handlers.set("GET /embed/v1/contexts/ctx_test", (_request, response) => response.destroy());
  await expect(session.loadContext()).rejects.toMatchObject({ code: "network" });
  expect(session.context).toBeNull();
  if (works) relay.handlers.set("GET /embed/v1/contexts/ctx_test", works);
  await session.start();
  expect(session.context?.name).toBe("Test");
});

test("has the page's variables, tools and settings when it starts, of each setting the last", async () => {
  const run = (): number => 3;
  session.setVariables({ plan: "silver", seats: "2" });
  session.setVariables({ plan: "gold" });
  session.registerTool({ name: "stock", description: "Pieces in stock", parameters: {}, run });
  for (const rate of [0.5, 1.25]) session.setVoiceRate(rate);
  session.volume = 0.5;
  session.mute();
  relay.answerWith([piece("Three.")]);
  await session.send("How many?");
  expect(relay.asked[0]).toMatchObject({ variables: { plan: "gold", seats: "2" }, speech_rate: 1.25 });
  expect(relay.asked[0]?.tools).toMatchObject([{ function: { name: "stock" } }]);
  expect(session.volume).toBe(0.5);
  expect(session.muted).toBe(true);
  expect(lines().at(-1)).toBe("avatar: Three. (final)");
});

test("says after the greeting what the page says while it starts", async () => {
  const started = session.start();
  session.say("We close at six.");
  await started;
  expect(lines()).toEqual(["avatar: Welcome. (final)", "avatar: We close at six. (final)"]);
});

test("ends when it is ended while it starts", async () => {
  const started = session.start().catch(() => undefined);
  await session.end();
  await started;
  expect(states.at(-1)).toBe("ended: ended_by_visitor");
});

test("starts nothing when it was disposed of while it was loading", async () => {
  const started = session.start();
  session.dispose();
  await expect(started).rejects.toMatchObject({ code: "connection_failed" });
  expect(relay.seen).toEqual([]);
});

test("speaks where another mode is wanted and the browser can draw the avatar", async () => {
  relay.handlers.set("GET /embed/v1/contexts/ctx_test", (_request, response) =>
    json(response, 200, { ...context, drawing: { character: "/characters/mina.json" } }),
  );
  const drawn = new BrowserSession({ relay: relay.origin, contextId: "ctx_test" });
  expect(drawn.mode).toBe("text");
  await drawn.loadContext();
  expect(drawn.mode).toBe("avatar");
  drawn.dispose();
});
