/** A conversation over the page loads of its tab. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createAvatarSession, type AvatarSession } from "../../src/client/index.ts";
import { PageStandIn } from "./page-stand-in.ts";
import { eventAnswer, json, piece, RelayStandIn } from "./relay-stand-in.ts";

let relay: RelayStandIn;
let page: PageStandIn;
const stored = new Map<string, string>();
const key = "visavis-kept:ctx_test";

/** A page of the tab, with its session. */
function openPage(persist: "tab" | "off"): AvatarSession {
  page = new PageStandIn();
  page.install();
  return createAvatarSession({ relay: relay.origin, contextId: "ctx_test", mode: "text", persist });
}

/** The tab leaves the page, whose script is gone then. */
async function leave(): Promise<void> {
  page.window.dispatchEvent(new Event("pagehide"));
  await vi.dynamicImportSettled();
  page.remove();
}

/** A conversation with one answer, whose modules for the next page are there. */
async function converse(session: AvatarSession): Promise<void> {
  relay.answerWith([piece("It does.")], [piece("Yes.")]);
  await session.start();
  await session.send("Does it fit?");
  await session.show({ cards: [{ title: "Alder chair" }] });
  await vi.dynamicImportSettled();
  await vi.waitFor(() => expect(relay.events).toEqual(["SESSION_START"]));
}

const sessions = (): number => relay.seen.filter(({ path }) => path.endsWith("/sessions")).length;
const texts = ({ transcript }: AvatarSession): string[] => transcript.map(({ text }) => text);
const lastQuestions = () => relay.asked.at(-1)?.messages as { role: string; content: string }[];

beforeEach(async () => {
  relay = new RelayStandIn();
  relay.handlers.set("POST /embed/v1/sessions/s1/leave", (_request, response) => json(response, 200, {}));
  await relay.start();
  stored.clear();
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  });
});

afterEach(async () => {
  vi.unstubAllGlobals();
  await relay.stop();
  page.remove();
});

test("the tab's next page goes on in the same session, with all that was said and shown, and alone", async () => {
  const first = openPage("tab");
  await converse(first);
  const before = first.transcript;
  await leave();
  await vi.waitFor(() => expect(relay.seen.some(({ path }) => path.endsWith("/leave"))).toBe(true));
  const next = openPage("tab");
  expect(await next.resume()).toEqual({});
  // A duplicated tab, which copies the storage of this one, has nothing to take up.
  expect(stored.has(key)).toBe(false);
  await vi.waitFor(() => expect(next.state).toBe("live"));
  expect([next.sessionId, sessions()]).toEqual(["s1", 1]);
  expect(next.transcript).toEqual(before);
  await next.send("And this?");
  expect(lastQuestions()).toEqual(expect.arrayContaining([{ role: "user", content: "Does it fit?" }]));
  expect(relay.events.filter((event) => event !== "SESSION_DURING")).toEqual(["SESSION_START"]);
  next.dispose();
});

test("a session that ended meanwhile leaves its transcript, and the next question begins a session that knows it", async () => {
  const first = openPage("tab");
  await converse(first);
  await leave();
  relay.handlers.set("POST /embed/v1/sessions/s1/event", (request, response) =>
    json(response, 201, eventAnswer(request.body.event ?? "", "SESSION_EVENT_GRACEFUL_TERMINATION")),
  );
  const next = openPage("tab");
  await next.resume();
  await vi.waitFor(() => expect(next.state).toBe("idle"));
  expect(texts(next)).toEqual(texts(first));
  relay.handlers.set("POST /embed/v1/sessions/s1/event", (request, response) =>
    json(response, 201, eventAnswer(request.body.event ?? "")),
  );
  await next.send("And this?");
  expect(sessions()).toBe(2);
  expect(texts(next).slice(-2)).toEqual(["And this?", "Yes."]);
  expect(lastQuestions()).toEqual(expect.arrayContaining([{ role: "user", content: "Does it fit?" }]));
  next.dispose();
});

test("where the owner does not want it kept, leaving the page ends the session at once, and nothing is stored", async () => {
  await converse(openPage("off"));
  await leave();
  await vi.waitFor(() => expect(relay.events).toEqual(["SESSION_START", "SESSION_END"]));
  expect(stored.has(key)).toBe(false);
  const next = openPage("off");
  expect(await next.resume()).toBeNull();
  next.dispose();
});
