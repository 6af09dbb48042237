import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { ConnectionHost } from "../../../src/client/link/connection-host.ts";
import { HttpLink } from "../../../src/client/http-voice/http-link.ts";
import type { MediaPlayer } from "../../../src/client/link/media-player.ts";
import { SessionRelay, SessionToken } from "../../../src/client/relay/relay-client.ts";
import { TypedEvents } from "../../../src/client/typed-events.ts";
import type { ServerMessage } from "../../../src/protocol/session/data-channel.ts";
import { json, refusal, RelayStandIn } from "../relay-stand-in.ts";
import { ElementStandIn } from "./element-stand-in.ts";

let relay: RelayStandIn;
let element: ElementStandIn;
let link: HttpLink;
let told: ServerMessage[];

function openLink(mode: "avatar" | "voice" = "voice"): HttpLink {
  element = new ElementStandIn();
  const player = {
    element,
    events: new TypedEvents(),
    play: async () => {
      element.play();
      return Promise.resolve();
    },
  } as unknown as MediaPlayer;
  const host: ConnectionHost = {
    body: { mode },
    player,
    loadContext: () => Promise.reject(new Error("Nobody asks for it.")),
  };
  const made = new HttpLink(new SessionRelay(relay.origin, "s1", new SessionToken("t1")), host);
  told = [];
  made.channel.events.on("message", (message) => told.push(message));
  made.open();
  return made;
}

/** Holds the relay's answers back. Returns what lets them go. */
function holdAnswers(): () => void {
  const path = "POST /embed/v1/sessions/s1/tts";
  const speak = relay.handlers.get(path);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  relay.handlers.set(path, (request, response) => void released.then(() => speak?.(request, response)));
  return release;
}

const askedTexts = (): unknown[] =>
  relay.seen.filter(({ path }) => path.endsWith("/tts")).map(({ body }) => body);
const begun = (): unknown[] =>
  told.map(({ type, data }) =>
    "message" in data && typeof data.message === "string" ? `${type}: ${data.message}` : type,
  );
const say = (message: string): boolean => link.channel.send({ type: "ttstf", data: { message } });

const first = "The chair is made of solid oak. ";
const second = "It costs 480 euros in our shop. ";
const third = "And it can be delivered on Monday.";

beforeEach(async () => {
  relay = new RelayStandIn();
  relay.handlers.set("POST /embed/v1/sessions/s1/tts", (_request, response) =>
    json(response, 200, {
      audio: "UklGRg==",
      format: "wav",
      words: [{ text: "word", start: 0, end: 100 }],
      visemes: [{ viseme: "aa", start: 0, end: 100 }],
      accents: [],
      loudness: [1],
    }),
  );
  await relay.start();
  link = openLink();
});

afterEach(async () => {
  link.close();
  await relay.stop();
});

test("asks for one sentence ahead, and tells of each when it is heard", async () => {
  expect(say(first + second + third)).toBe(true);
  await vi.waitFor(() => expect(begun()).toEqual([`stf: ${first}`]));
  expect(told[0]?.data).toMatchObject({ duration: 500, visemes: [{ viseme: "aa" }], loudness: [1] });
  await vi.waitFor(() => expect(askedTexts()).toEqual([{ text: first.trim() }, { text: second.trim() }]));
  element.end();
  await vi.waitFor(() => expect(begun()).toEqual([`stf: ${first}`, `stf: ${second}`]));
  await vi.waitFor(() => expect(askedTexts()).toHaveLength(3));
});

test("says nothing before it is open", () => {
  const closed = new HttpLink(new SessionRelay(relay.origin, "s1", new SessionToken("t1")), {
    body: { mode: "voice" },
    player: { element: new ElementStandIn() } as unknown as MediaPlayer,
    loadContext: () => Promise.reject(new Error("Nobody asks for it.")),
  });
  expect(closed.channel.open).toBe(false);
  expect(closed.channel.send({ type: "ttstf", data: { message: first } })).toBe(false);
});

test("clear-buffer stops the present sentence and drops the rest", async () => {
  say(first + second);
  await vi.waitFor(() => expect(begun()).toHaveLength(1));
  link.channel.send({ type: "clear-buffer", data: {} });
  await vi.waitFor(() => expect(element.paused).toBe(true));
  expect(element.volume).toBe(1);
  say(third);
  await vi.waitFor(() => expect(begun()).toEqual([`stf: ${first}`, `stf: ${third}`]));
});

test("a pause lets the present sentence end, and begins no further one until it is over", async () => {
  say(first + second);
  await vi.waitFor(() => expect(begun()).toHaveLength(1));
  const pause = (speech: boolean, audio: boolean): boolean =>
    link.channel.send({ type: "pause", data: { video: speech, speech, audio } });
  pause(true, false);
  expect(element.paused).toBe(false);
  pause(true, true);
  expect(element.paused).toBe(true);
  pause(true, false);
  element.end();
  await vi.waitFor(() => expect(link.lagMs).toBe(0));
  expect(begun()).toHaveLength(1);
  pause(false, false);
  await vi.waitFor(() => expect(begun()).toEqual([`stf: ${first}`, `stf: ${second}`]));
});

test("what is held back while it is being fetched is said when the pause is over", async () => {
  const pause = (speech: boolean): boolean =>
    link.channel.send({ type: "pause", data: { video: speech, speech, audio: false } });
  const answer = holdAnswers();
  say(first);
  await vi.waitFor(() => expect(askedTexts()).toHaveLength(1));
  pause(true);
  const read = vi.spyOn(Response.prototype, "json");
  onTestFinished(() => read.mockRestore());
  answer();
  await vi.waitFor(() => expect(read).toHaveResolved());
  await new Promise(setImmediate);
  expect(begun()).toEqual([]);
  pause(false);
  await vi.waitFor(() => expect(begun()).toEqual([`stf: ${first}`]));
  expect(askedTexts()).toHaveLength(1);
});

test("a sentence whose answer breaks off is asked for again", async () => {
  const path = "POST /embed/v1/sessions/s1/tts";
  const speak = relay.handlers.get(path);
  relay.handlers.set(path, (_request, response) => {
    relay.handlers.set(path, speak!);
    response.setHeader("content-length", 1_000);
    response.write('{"audio": "UklG', () => response.destroy());
  });
  say(first);
  await vi.waitFor(() => expect(begun()).toEqual([`stf: ${first}`]));
});

test("speaks at the visitor's rate from the next sentence on", async () => {
  say(first + second);
  await vi.waitFor(() => expect(begun()).toHaveLength(1));
  link.channel.send({ type: "voice", data: { rate: 1.5 } });
  element.end();
  await vi.waitFor(() => expect(begun()).toHaveLength(2));
  expect(askedTexts().at(-1)).toEqual({ text: second.trim(), rate: 1.5 });
});

test("the first word waits until the avatar is drawn", async () => {
  link.close();
  link = openLink("avatar");
  say(first);
  await vi.waitFor(() => expect(askedTexts()).toHaveLength(1));
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun()).toEqual([]);
  link.handleDrawn();
  await vi.waitFor(() => expect(begun()).toEqual([`stf: ${first}`]));
});

test("a sentence that the service cannot speak is told, and the next one is spoken", async () => {
  const speak = relay.handlers.get("POST /embed/v1/sessions/s1/tts");
  relay.handlers.set("POST /embed/v1/sessions/s1/tts", (request, response) => {
    if (Reflect.get(request.body, "text") === first.trim()) json(response, 502, refusal("engine_failed"));
    else speak?.(request, response);
  });
  say(first + second);
  await vi.waitFor(() => expect(begun()).toEqual([`stf-error: ${first}`, `stf: ${second}`]));
});

test("where the browser cannot play it, the conversation goes on in writing", async () => {
  element.play = () => {
    element.error = { message: "Refused by the page's policy." };
    queueMicrotask(() => element.dispatchEvent(new Event("error")));
  };
  say(first + second);
  await vi.waitFor(() => expect(begun()).toEqual([`stf-error: ${first}`, `stf-error: ${second}`]));
  expect(link.isSilent).toBe(true);
  say(third);
  expect(begun().at(-1)).toBe(`stf-error: ${third}`);
});
