// @vitest-environment happy-dom
/** What visitors read and hear when something does not go as it should. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { TranscriptEntry } from "../../src/client/index.ts";
import type { dayLimitReason, EventTerminateReason } from "../../src/protocol/session/session-event.ts";
import type { UiConfig } from "../../src/protocol/settings/embed-config.ts";
import { ScriptedAvatar, settled as allSettled } from "./scripted-avatar.ts";
import { ScriptedSession, scriptedContext } from "./scripted-session.ts";

customElements.define("visavis-avatar", ScriptedAvatar);

let session: ScriptedSession;
let element: ScriptedAvatar;

const $ = (selector: string) => element.shadowRoot!.querySelector<HTMLElement>(selector);
const words = (selector: string) => $(selector)?.textContent.replace(/\s+/g, " ").trim();
const told = () => words("p[role=status]");
const buttons = () => [...element.shadowRoot!.querySelectorAll("button")];
const button = (label: string) =>
  buttons().find((found) => (found.getAttribute("aria-label") ?? found.textContent.trim()) === label);
const settled = () => allSettled(element);

async function mount(ui: UiConfig = {}): Promise<void> {
  element = new ScriptedAvatar();
  element.script = session;
  session.offered = { ...scriptedContext, ui };
  element.setAttribute("context-id", "ctx_test");
  document.body.append(element);
  await settled();
}

async function goLive(): Promise<void> {
  void element.start();
  session.become("live");
  await settled();
}

async function press(label: string): Promise<void> {
  button(label)!.click();
  await settled();
}

beforeEach(() => void (session = new ScriptedSession()));
afterEach(() => element.remove());

describe("an end that is not the visitor's own says why, to screen readers too", () => {
  type Lost = "SESSION_EVENT_SESSION_LOST_AFTER_CONNECTION" | "SESSION_EVENT_MISC_ERROR";
  type ForcedEnd = Exclude<EventTerminateReason | typeof dayLimitReason, Lost> | "idle";
  const noMore = "There can be no more conversations for now.";
  const ends: Readonly<Record<ForcedEnd, readonly [text: string, again: boolean]>> = {
    idle: ["Nobody was here for a while", true],
    SESSION_EVENT_GRACEFUL_TERMINATION: ["has ended the conversation.", true],
    SESSION_EVENT_SESSION_EXPIRED_BEFORE_CONNECTION: ["It took too long to connect.", true],
    SESSION_EVENT_MAX_ACTIVE_SESSION_QUOTA_EXCEEDED: [
      "Mara is talking with as many people as possible right now.",
      true,
    ],
    SESSION_EVENT_MAX_MIN_PER_SESSION_QUOTA_EXCEEDED: ["The time for one conversation is used up.", true],
    SESSION_EVENT_TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED: [noMore, false],
    SESSION_EVENT_INSUFFICIENT_CREDITS: [noMore, false],
    SESSION_EVENT_DAY_LIMIT_REACHED: ["Today’s time for conversations is used up.", false],
  };

  it.each(Object.entries(ends))("%s", async (reason, [text, again]) => {
    await mount();
    await goLive();
    session.become("ended", reason);
    await settled();
    expect(words("[part=page]")).toContain("The conversation has ended");
    expect(words("[part=page]")).toContain(text);
    expect(told()).toContain(text);
    expect(button("Start again") !== undefined).toBe(again);
  });

  it("a lost session may be tried again, and its page is read by itself", async () => {
    await mount();
    await goLive();
    session.emit("error", { code: "session_lost", message: "Gone." });
    session.become("error");
    await settled();
    expect(words("[role=alert]")).toContain("The conversation was lost and couldn’t be picked up again.");
    expect(told()).toBe("");
    await press("Try again");
    expect(session.calls.filter(([name]) => name === "start")).toHaveLength(2);
  });
});

describe("screen readers", () => {
  it("hear that it connects after a second, and no longer once it has failed or is over", async () => {
    await mount();
    void element.start();
    await vi.waitFor(() => expect(told()).toBe("Connecting"), { timeout: 5_000 });
    session.become("ended", "ended_by_visitor");
    await settled();
    expect(told()).toBe("Thanks for talking");
    element.remove();

    session = new ScriptedSession();
    await mount();
    void element.start();
    await vi.waitFor(() => expect(told()).toBe("Connecting"), { timeout: 5_000 });
    session.emit("error", { code: "connection_failed", message: "No way" });
    session.become("error");
    await settled();
    expect(words("[role=alert]")).toContain("Mara isn’t available right now");
    expect(told()).toBe("");
  });
});

describe("a question or an answer in trouble is told in the captions, the transcript and to screen readers", () => {
  const answer = "It is sixty-eight centimetres wide. And then";
  const failed = "couldn’t answer that";
  const unspoken = "I can only write this one.";
  it.each<[string, Partial<TranscriptEntry> & Pick<TranscriptEntry, "role">, string]>([
    ["a model that fails", { role: "visitor", status: "failed", fault: "engine_failed" }, failed],
    [
      "too many questions",
      { role: "visitor", status: "failed", fault: "rate_limited" },
      "That was a lot at once. Please ask again in a minute.",
    ],
    ["no connection", { role: "visitor", status: "waiting" }, "Waiting to be sent"],
    [
      "an answer cut off",
      { role: "avatar", text: answer, status: "cut", fault: "engine_failed" },
      "The answer was cut off.",
    ],
    [
      "a language that the voice cannot speak",
      { role: "avatar", text: "네, 폭이 68센티미터입니다.", unspoken: true },
      unspoken,
    ],
    ["a voice that fails", { role: "avatar", text: "It does fit.", unspoken: true }, unspoken],
  ])("%s", async (_name, { role, text = "Does it fit?", status = "final", ...more }, sentence) => {
    await mount({ contact_url: "mailto:help@shop.example" });
    await goLive();
    if (role === "avatar") session.write("visitor", "Does it fit?");
    session.write(role, text, status, more);
    await settled();
    const captions = words("[part~=words]");
    expect(captions).toContain(text);
    expect(captions).toContain(sentence);
    expect(told()).toContain(sentence);
    $(".vv-btn.main")!.click();
    await settled();
    expect(words("[part~=transcript]")).toContain(text);
    expect(words("[part~=transcript]")).toContain(sentence);
  });

  it("a question that could not be sent can be sent again or discarded, and what was cut off asked again", async () => {
    await mount();
    await goLive();
    session.write("visitor", "Is anybody there?", "failed", { fault: "network" });
    await settled();
    await press("Send again");
    await press("Discard");
    session.write("avatar", answer, "cut", { fault: "engine_failed" });
    await settled();
    await press("Ask again");
    const { id } = session.transcript.at(-1)!;
    const acts = session.calls.filter(([name]) => name === "retry" || name === "discard");
    expect(acts).toEqual([
      ["retry", "0"],
      ["discard", "0"],
      ["retry", id],
    ]);
  });

  it("a tool of the page is named while it runs, or only that something is looked into", async () => {
    await mount();
    element.registerTool({
      name: "stock",
      title: "Looking into the stock",
      description: "",
      parameters: {},
      run: () => null,
    });
    await goLive();
    session.write("visitor", "How many chairs?");
    session.act("thinking");
    for (const [name, sentence] of [
      ["stock", "Looking into the stock"],
      ["other", "is looking into it"],
    ] as const) {
      session.emit("toolcall", { name, arguments: {} });
      await settled();
      expect(words("[part~=words]")).toContain(sentence);
      expect(told()).toContain(sentence);
    }
  });
});

describe("the time that is left", () => {
  const note = "50 seconds left in this conversation.";

  it("is shown in the panel and told, and on the launcher while it is minimised", async () => {
    await mount();
    await goLive();
    session.emit("endnotice", { notice: { kind: "time", leftSec: 50 } });
    await settled();
    expect(words(".vv-time-left")).toBe(note);
    expect(told()).toContain(note);
    element.close();
    await vi.waitFor(() => expect(words(".vv-launch [role=status]")).toContain(note));
    expect(words(".vv-label")).toContain(note);
    session.emit("endnotice", { notice: null });
    await settled();
    expect(words(".vv-label")).not.toContain("seconds left");
  });

  it("is counted down where nobody seems to be there, until the visitor says otherwise", async () => {
    await mount();
    await goLive();
    session.emit("endnotice", { notice: { kind: "idle", leftSec: 15 } });
    await settled();
    expect(words(".vv-panel")).toContain("This conversation ends in 15 seconds.");
    await press("I’m still here");
    expect(session.calls.at(-1)).toEqual(["stay"]);
  });
});

describe("a browser without network", () => {
  it("is named in the open panel, and the conversation begins by itself when the network is back", async () => {
    await mount();
    await goLive();
    session.become("ended", "ended_by_visitor");
    await settled();
    const network = vi.spyOn(navigator, "onLine", "get");
    onTestFinished(() => network.mockRestore());
    const setOnline = (online: boolean): void => {
      network.mockReturnValue(online);
      window.dispatchEvent(new Event(online ? "online" : "offline"));
    };
    setOnline(false);
    session.onStart = () => new Promise(() => undefined);
    await press("Talk again");
    expect(words("[part~=words]")).toContain("You’re offline.");
    setOnline(true);
    await settled();
    expect(words("[part~=words]")).not.toContain("You’re offline.");
    expect(session.calls.filter(([name]) => name === "start")).toHaveLength(2);
  });
});
