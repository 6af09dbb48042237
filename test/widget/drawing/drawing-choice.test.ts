import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Stage } from "../../../src/stage/index.ts";
import { chooseDrawing } from "../../../src/widget/drawing/drawing-choice.ts";

type Host = Parameters<typeof chooseDrawing>[0];
type Session = Parameters<typeof chooseDrawing>[2];

/** The characters that the page has asked for. */
const asked: string[] = [];
const url = "https://relay.example/characters/mina.json";

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal("RTCPeerConnection", vi.fn());
  vi.stubGlobal("fetch", (address: string) => {
    asked.push(address);
    return new Promise(() => undefined);
  });
});
afterEach(() => void vi.unstubAllGlobals());

interface Case {
  render?: string;
  drawer?: "local" | "remote" | "auto";
  device?: object;
  matte?: string;
}

/** What a page does before its session begins. */
function choose({ render, drawer, device = {}, matte = "packed-alpha" }: Case) {
  vi.stubGlobal("navigator", { hardwareConcurrency: 8, ...device });
  const session = {
    current: { mode: "avatar", connection: null, sessionId: null, prepare: vi.fn() },
    context: { context_id: "c", model_style: { matte }, drawing: { character: url }, render },
    snapshot: { state: "idle" },
    drawer,
    isDrawn: false,
  };
  const host = { addController: vi.fn(), removeAttribute: vi.fn(), requestUpdate: vi.fn() };
  chooseDrawing(host as unknown as Host, {} as Stage, session as unknown as Session);
  return session;
}

test.each<[string, Case, isDrawn: boolean, isLoaded: boolean]>([
  ["the owner says that the browser draws", { render: "local" }, true, true],
  ["the page says so", { render: "remote", drawer: "local" }, true, true],
  ["the page says that the service draws", { render: "local", drawer: "remote" }, false, false],
  ["nobody says anything", {}, false, false],
  ["it is to be found out", { render: "auto" }, false, true],
  [
    "the visitor wants to load little",
    { render: "auto", device: { connection: { saveData: true } } },
    false,
    false,
  ],
  ["the device has little memory", { render: "auto", device: { deviceMemory: 2 } }, false, false],
  [
    "a small device's page wants it all the same",
    { drawer: "local", device: { deviceMemory: 2 } },
    true,
    true,
  ],
  ["the picture is finished, with its background", { render: "local", matte: "none" }, false, false],
])(
  "where %s, a session begins without video, and the character is loaded, or not",
  async (_name, given, isDrawn, isLoaded) => {
    const session = choose(given);
    expect(session.isDrawn).toBe(isDrawn);
    // A trial waits until the page is idle.
    if (isLoaded) await vi.waitFor(() => expect(asked).toEqual([url]));
    else expect(asked).toEqual([]);
  },
);
