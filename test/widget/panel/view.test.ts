import { describe, expect, it } from "vitest";
import {
  emptySnapshot,
  snapshotAfter,
  type SessionSnapshot,
} from "../../../src/widget/session/session-snapshot.ts";
import { canRetry, errorText } from "../../../src/widget/texts/error-texts.ts";
import { viewOf, type ViewOptions } from "../../../src/widget/panel/view.ts";
import { pageTexts } from "../../../src/widget/texts/page-texts.ts";
import { visavisErrorCodes } from "../../../src/protocol/visavis-error-code.ts";

const options: ViewOptions = {
  starting: false,
  moreOpen: false,
  captions: true,
  textInput: true,
  suggestions: false,
  beginOnPicture: false,
};
const live: SessionSnapshot = { ...emptySnapshot, state: "live" };
const entry = (role: "visitor" | "avatar", text: string) => ({
  id: text,
  role,
  text,
  status: "final" as const,
  at: 0,
});

describe("the view of a session", () => {
  it("is the page before the start until the visitor asks to begin", () => {
    expect(viewOf(emptySnapshot, options)).toMatchObject({
      page: "start",
      ring: "idle",
      badge: { kind: "status", text: "ai_assistant" },
    });
    expect(viewOf(emptySnapshot, { ...options, beginOnPicture: true }).badge).toEqual({ kind: "begin" });
  });

  it("connects from the gesture on, and closes the ring step by step", () => {
    const asked = viewOf(emptySnapshot, { ...options, starting: true });
    expect(asked).toMatchObject({ page: "conversation", ring: "connecting", badge: { text: "connecting" } });
    const parts = [null, "room", "avatar", "sound"] as const;
    const closed = parts.map(
      (step) => viewOf({ ...emptySnapshot, state: "connecting", step }, options).ringPercent,
    );
    expect(closed).toEqual([...closed].sort((a, b) => a - b));
    expect(closed.at(-1)).toBe(100);
  });

  it("says ready, thinking and speaking in ring and badge together, with Interrupt only while speaking", () => {
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

  it("keeps a question that got no answer, and says so until the next one, also without captions", () => {
    const failed: SessionSnapshot = {
      ...live,
      transcript: [{ ...entry("visitor", "Does it fit?"), at: 5 }],
      error: { code: "rate_limited", atMs: 6 },
    };
    const question = { kind: "question", text: "Does it fit?", fault: "rate_limited" };
    expect(viewOf(failed, options).captionBar).toEqual(question);
    expect(viewOf(failed, { ...options, captions: false }).captionBar).toEqual(question);
    expect(viewOf({ ...failed, activity: "thinking" }, options).captionBar).toMatchObject({ fault: null });
    const next = [...failed.transcript, { ...entry("visitor", "And this?"), at: 7 }];
    expect(viewOf({ ...failed, transcript: next }, options).captionBar).toMatchObject({
      text: "And this?",
      fault: null,
    });
  });

  it("shows the question while thinking, the captions while speaking, the last words after", () => {
    const asked = { ...live, transcript: [entry("visitor", "Does it fit?")] };
    expect(viewOf({ ...asked, activity: "thinking" }, options).captionBar).toEqual({
      kind: "question",
      text: "Does it fit?",
      fault: null,
    });
    const caption = { text: "It does.", index: 1 };
    expect(viewOf({ ...asked, activity: "speaking", caption }, options).captionBar).toMatchObject({
      kind: "caption",
      ...caption,
    });
    const answered = {
      ...live,
      lastWords: "It does.",
      transcript: [...asked.transcript, entry("avatar", "It does.")],
    };
    expect(viewOf(answered, options).captionBar).toEqual({ kind: "answer", text: "It does.", hint: false });
  });

  it("shows an answer that was not spoken as text", () => {
    const snapshot = {
      ...live,
      lastWords: "Hello.",
      transcript: [entry("avatar", "Hello."), entry("visitor", "안녕?"), entry("avatar", "안녕하세요.")],
    };
    expect(viewOf(snapshot, options).captionBar).toMatchObject({ kind: "answer", text: "안녕하세요." });
  });

  it("offers suggestions until the visitor has asked something", () => {
    const greeted = { ...live, transcript: [entry("avatar", "Hello.")] };
    expect(viewOf(greeted, { ...options, suggestions: true }).captionBar.kind).toBe("suggestions");
    const asked = { ...live, transcript: [entry("avatar", "Hello."), entry("visitor", "Hi")] };
    expect(viewOf(asked, { ...options, suggestions: true }).captionBar.kind).toBe("question");
  });

  it("gives the caption bar's room to the picture when captions are off", () => {
    expect(
      viewOf({ ...live, caption: { text: "a", index: 0 } }, { ...options, captions: false }).captionBar,
    ).toEqual({ kind: "none" });
  });

  it("keeps the place while reconnecting, and ends on a page of its own", () => {
    expect(viewOf({ ...live, state: "reconnecting" }, options)).toMatchObject({
      page: "conversation",
      ring: "reconnecting",
      badge: { text: "reconnecting" },
      captionBar: { key: "reconnecting_words" },
    });
    expect(viewOf({ ...live, state: "ended" }, options).page).toBe("ended");
    expect(viewOf({ ...live, state: "error" }, options).page).toBe("error");
    expect(viewOf({ ...live, state: "error" }, { ...options, starting: true }).page).toBe("conversation");
  });

  it("has plain words for every error, and offers a retry where one can help", () => {
    for (const code of visavisErrorCodes) expect(pageTexts).toHaveProperty(errorText(code));
    expect(visavisErrorCodes.filter((code) => !canRetry(code))).toEqual([
      "context_not_found",
      "origin_not_allowed",
      "media_unsupported",
    ]);
  });
});

describe("a session snapshot", () => {
  it("measures its length from live to end, across a reconnection", () => {
    let snapshot = emptySnapshot;
    const become = (state: SessionSnapshot["state"], previous: SessionSnapshot["state"], nowMs: number) => {
      snapshot = snapshotAfter(snapshot, { type: "statechange", detail: { state, previous } }, [], nowMs);
    };
    become("connecting", "idle", 0);
    become("live", "connecting", 1_000);
    become("reconnecting", "live", 5_000);
    become("live", "reconnecting", 6_000);
    become("ended", "live", 61_000);
    expect(snapshot).toMatchObject({ liveSinceMs: 1_000, endedAtMs: 61_000, state: "ended" });
  });

  it("keeps what was spoken last when its caption ends", () => {
    const speaking = { ...live, caption: { text: "It does.", index: 1 } };
    const ended = snapshotAfter(speaking, { type: "captionend", detail: { text: "It does." } }, [], 0);
    expect(ended).toMatchObject({ caption: null, lastWords: "It does." });
  });
});
