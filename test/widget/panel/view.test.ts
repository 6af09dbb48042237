import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { AvatarSession, SessionEvents } from "../../../src/client/index.ts";
import { TypedEvents } from "../../../src/client/typed-events.ts";
import {
  emptySnapshot,
  observeSession,
  type SessionSnapshot,
} from "../../../src/widget/session/session-snapshot.ts";
import { canRetry, errorText } from "../../../src/widget/texts/error-texts.ts";
import { captionBarOf } from "../../../src/widget/panel/live/caption-content.ts";
import { badgeOf } from "../../../src/widget/panel/controls/badge-of.ts";
import { viewOf as plainViewOf, type ViewOptions } from "../../../src/widget/panel/view.ts";
import { pageTexts } from "../../../src/widget/texts/page-texts.ts";
import { visavisErrorCodes } from "../../../src/protocol/visavis-error-code.ts";

const options: ViewOptions = {
  starting: false,
  moreOpen: false,
  captions: true,
  textInput: true,
  suggestions: false,
  beginOnPicture: false,
  offline: false,
};
/** The view with its badge, which comes with the controls. */
function viewOf(session: SessionSnapshot, given: ViewOptions) {
  const view = plainViewOf(session, given);
  return { ...view, badge: badgeOf(session, view) };
}

const live: SessionSnapshot = { ...emptySnapshot, state: "live" };
const entry = (role: "visitor" | "avatar", text: string) => ({
  id: text,
  role,
  text,
  status: "final" as const,
  at: 0,
});

describe("the view of a session", () => {
  it.each(["ended", "error"] as const)("does not say that a session connects when it is %s", (state) => {
    expect(viewOf({ ...emptySnapshot, state }, options).badge).toMatchObject({ text: "ai_assistant" });
  });

  it("shows the page before the start until the visitor starts", () => {
    expect(viewOf(emptySnapshot, options)).toMatchObject({
      page: "start",
      ring: "idle",
      badge: { kind: "status", text: "ai_assistant" },
    });
    expect(viewOf(emptySnapshot, { ...options, beginOnPicture: true }).badge).toEqual({ kind: "begin" });
  });

  it("shows connecting after the visitor's click, and closes the ring step by step", () => {
    const asked = viewOf(emptySnapshot, { ...options, starting: true });
    expect(asked).toMatchObject({ page: "conversation", ring: "connecting", badge: { text: "connecting" } });
    const parts = [null, "room", "avatar", "sound"] as const;
    const closed = parts.map(
      (step) => viewOf({ ...emptySnapshot, state: "connecting", step }, options).ringPercent,
    );
    expect(closed).toEqual([...closed].sort((a, b) => a - b));
    expect(closed.at(-1)).toBe(100);
  });

  it("hides the ring while a countdown runs", () => {
    const left = [20, 10, 1].map(
      (leftSec) => viewOf({ ...live, step: "sound", notice: { kind: "idle", leftSec } }, options).ringPercent,
    );
    expect(left).toEqual([100, 50, 5]);
  });

  it("names a bad connection, and says what it means while the avatar is silent", () => {
    const badge = (session: SessionSnapshot) => badgeOf(session, plainViewOf(session, options));
    const poor: SessionSnapshot = { ...live, quality: "poor" };
    expect(badge(poor)).toMatchObject({ text: "link_poor", interrupt: false });
    expect(badge({ ...poor, activity: "speaking" })).toMatchObject({ text: "link_poor", interrupt: true });
    expect(badge({ ...live, quality: "lost" })).toMatchObject({ text: "link_lost" });
    expect(badge({ ...poor, soundBlocked: true })).toEqual({ kind: "sound" });
    expect(badge({ ...poor, state: "reconnecting" })).toMatchObject({ text: "reconnecting" });
    const talk = { kind: "status", text: "listening", sign: "meter", interrupt: false } as const;
    expect(badgeOf({ ...poor, activity: "listening" }, plainViewOf(poor, options), talk)).toBe(talk);
    expect(captionBarOf(poor, options)).toEqual({ kind: "link", quality: "poor" });
    const caption = { text: "Hello there.", index: 1 };
    expect(captionBarOf({ ...poor, activity: "speaking", caption }, options).kind).toBe("caption");
    const asked = { ...poor, transcript: [{ ...entry("visitor", "a"), status: "failed" as const }] };
    expect(captionBarOf(asked, options).kind).toBe("question");
  });

  it("shows ready, thinking and speaking in ring and badge alike, and Interrupt only while speaking", () => {
    const looks = (["idle", "thinking", "speaking"] as const).map((activity) =>
      viewOf({ ...live, activity }, options),
    );
    expect(looks.map(({ ring }) => ring)).toEqual(["idle", "thinking", "speaking"]);
    expect(looks.map(({ badge }) => badge)).toMatchObject([
      { text: "ready", interrupt: false },
      { text: "thinking", interrupt: false },
      { text: "speaking", interrupt: true },
    ]);
  });

  it("asks for a tap when the browser blocks sound", () => {
    expect(viewOf({ ...live, soundBlocked: true }, options).badge).toEqual({ kind: "sound" });
  });

  it("keeps a message that went wrong until the next one, also without captions", () => {
    const failed = {
      ...entry("visitor", "Does it fit?"),
      status: "failed" as const,
      fault: "network" as const,
    };
    const question = { kind: "question", entry: failed, tool: null, thinking: false };
    const snapshot: SessionSnapshot = { ...live, transcript: [failed] };
    expect(captionBarOf(snapshot, options)).toEqual(question);
    expect(captionBarOf(snapshot, { ...options, captions: false })).toEqual(question);
    const next = entry("visitor", "And this?");
    expect(captionBarOf({ ...snapshot, transcript: [failed, next] }, options)).toEqual({
      kind: "question",
      entry: next,
      tool: null,
      thinking: false,
    });
  });

  it.each([{ status: "cut" as const }, { unspoken: true }])(
    "shows an answer with %j as a whole, also what was not spoken",
    (trouble) => {
      const answer = { ...entry("avatar", "It does. It is 68 cm wide."), ...trouble };
      const snapshot = { ...live, lastWords: "It does.", transcript: [answer] };
      expect(captionBarOf(snapshot, options)).toEqual({
        kind: "answer",
        text: answer.text,
        hint: false,
        trouble: answer,
      });
    },
  );

  it("shows the question while thinking, the captions while speaking, the last words after", () => {
    const asked = { ...live, transcript: [entry("visitor", "Does it fit?")] };
    expect(captionBarOf({ ...asked, activity: "thinking" }, options)).toEqual({
      kind: "question",
      entry: asked.transcript[0],
      tool: null,
      thinking: true,
    });
    const caption = { text: "It does.", index: 1 };
    expect(captionBarOf({ ...asked, activity: "speaking", caption }, options)).toMatchObject({
      kind: "caption",
      ...caption,
    });
    const answered = {
      ...live,
      lastWords: "It does.",
      transcript: [...asked.transcript, entry("avatar", "It does.")],
    };
    expect(captionBarOf(answered, options)).toEqual({
      kind: "answer",
      text: "It does.",
      hint: false,
      trouble: null,
    });
  });

  it("shows an answer that was not spoken as text", () => {
    const snapshot = {
      ...live,
      lastWords: "Hello.",
      transcript: [entry("avatar", "Hello."), entry("visitor", "안녕?"), entry("avatar", "안녕하세요.")],
    };
    expect(captionBarOf(snapshot, options)).toMatchObject({ kind: "answer", text: "안녕하세요." });
  });

  it("offers suggestions until the visitor has asked something", () => {
    const greeted = { ...live, transcript: [entry("avatar", "Hello.")] };
    expect(captionBarOf(greeted, { ...options, suggestions: true }).kind).toBe("suggestions");
    const asked = { ...live, transcript: [entry("avatar", "Hello."), entry("visitor", "Hi")] };
    expect(captionBarOf(asked, { ...options, suggestions: true }).kind).toBe("question");
  });

  it("gives the caption bar's space to the picture when captions are off", () => {
    expect(
      captionBarOf({ ...live, caption: { text: "a", index: 0 } }, { ...options, captions: false }),
    ).toEqual({ kind: "none" });
  });

  it("keeps showing the conversation while reconnecting, and a page of its own after the end", () => {
    expect(viewOf({ ...live, state: "reconnecting" }, options)).toMatchObject({
      page: "conversation",
      ring: "reconnecting",
      badge: { text: "reconnecting" },
    });
    expect(captionBarOf({ ...live, state: "reconnecting" }, options)).toMatchObject({
      key: "reconnecting_words",
    });
    expect(viewOf({ ...live, state: "ended" }, options).page).toBe("ended");
    expect(viewOf({ ...live, state: "error" }, options).page).toBe("error");
    expect(viewOf({ ...live, state: "error" }, { ...options, starting: true }).page).toBe("conversation");
  });

  it("has a message for every error, and offers a retry where it can help", () => {
    for (const code of visavisErrorCodes) expect(pageTexts).toHaveProperty(errorText(code));
    expect(visavisErrorCodes.filter((code) => !canRetry(code))).toEqual([
      "context_not_found",
      "origin_not_allowed",
      "media_unsupported",
    ]);
  });
});

describe("a session snapshot", () => {
  /** A session, what its widget knows of it, and a way to let it emit an event. */
  function observed() {
    const events = new TypedEvents<SessionEvents>();
    const session = {
      ...{ state: "idle", activity: "idle", transcript: [] },
      on: events.on.bind(events),
    } as unknown as AvatarSession;
    let snapshot = emptySnapshot;
    const stop = observeSession(session, (next) => (snapshot = next));
    return { emit: events.emit.bind(events), stop, now: () => snapshot };
  }

  it("measures the conversation's duration from live to end, including reconnections", () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { emit, now } = observed();
    const become = (state: SessionSnapshot["state"], previous: SessionSnapshot["state"], nowMs: number) => {
      vi.setSystemTime(nowMs);
      emit("statechange", { state, previous });
    };
    become("connecting", "idle", 0);
    become("live", "connecting", 1_000);
    become("reconnecting", "live", 5_000);
    become("live", "reconnecting", 6_000);
    become("ended", "live", 61_000);
    expect(now()).toMatchObject({ liveSinceMs: 1_000, endedAtMs: 61_000, state: "ended" });
  });

  it("keeps the last spoken text when its caption ends", () => {
    const { emit, now } = observed();
    emit("caption", { text: "It does.", index: 1 } as SessionEvents["caption"]);
    expect(now().caption).toEqual({ text: "It does.", index: 1 });
    emit("captionend", { text: "It does." });
    expect(now()).toMatchObject({ caption: null, lastWords: "It does." });
  });

  it("forgets all but the transcript when a session connects, and hears nothing more once it is stopped", () => {
    const { emit, now, stop } = observed();
    emit("toolcall", { name: "search", arguments: {} });
    emit("soundblocked", { blocked: true });
    expect(now()).toMatchObject({ tool: "search", soundBlocked: true });
    emit("statechange", { state: "connecting", previous: "ended" });
    expect(now()).toEqual({ ...emptySnapshot, state: "connecting" });
    stop();
    emit("soundblocked", { blocked: true });
    expect(now().soundBlocked).toBe(false);
  });
});
