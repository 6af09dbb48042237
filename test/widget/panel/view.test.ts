import { describe, expect, it } from "vitest";
import { after, emptyConversation, type Conversation } from "../../../src/widget/session/session-snapshot.ts";
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
const live: Conversation = { ...emptyConversation, state: "live" };
const entry = (role: "visitor" | "avatar", text: string) => ({
  id: text,
  role,
  text,
  status: "final" as const,
  at: 0,
});

describe("the view of a conversation", () => {
  it("is the page before the start until the visitor asks to begin", () => {
    expect(viewOf(emptyConversation, options)).toMatchObject({
      page: "start",
      ring: "idle",
      plate: { kind: "status", word: "ai_assistant" },
    });
    expect(viewOf(emptyConversation, { ...options, beginOnPicture: true }).plate).toEqual({ kind: "begin" });
  });

  it("connects from the gesture on, and closes the ring step by step", () => {
    const asked = viewOf(emptyConversation, { ...options, starting: true });
    expect(asked).toMatchObject({ page: "conversation", ring: "connecting", plate: { word: "connecting" } });
    const parts = [null, "room", "avatar", "sound"] as const;
    const closed = parts.map(
      (step) => viewOf({ ...emptyConversation, state: "connecting", step }, options).ringPart,
    );
    expect(closed).toEqual([...closed].sort((a, b) => a - b));
    expect(closed.at(-1)).toBe(100);
  });

  it("says ready, thinking and speaking in ring and word together, with Interrupt only while speaking", () => {
    const looks = (["idle", "thinking", "speaking"] as const).map((activity) =>
      viewOf({ ...live, activity }, options),
    );
    expect(looks.map(({ ring }) => ring)).toEqual(["idle", "thinking", "speaking"]);
    expect(looks.map(({ plate }) => plate)).toMatchObject([
      { word: "ready", interrupt: false },
      { word: "thinking", interrupt: false },
      { word: "speaking", interrupt: true },
    ]);
  });

  it("asks for a tap when the browser blocks sound", () => {
    expect(viewOf({ ...live, soundBlocked: true }, options).plate).toEqual({ kind: "hear" });
  });

  it("shows the question while thinking, the captions while speaking, the last words after", () => {
    const asked = { ...live, transcript: [entry("visitor", "Does it fit?")] };
    expect(viewOf({ ...asked, activity: "thinking" }, options).words).toEqual({
      kind: "question",
      text: "Does it fit?",
    });
    const caption = { text: "It does.", index: 1 };
    expect(viewOf({ ...asked, activity: "speaking", caption }, options).words).toMatchObject({
      kind: "caption",
      ...caption,
    });
    const answered = {
      ...live,
      lastWords: "It does.",
      transcript: [...asked.transcript, entry("avatar", "It does.")],
    };
    expect(viewOf(answered, options).words).toEqual({ kind: "answer", text: "It does.", hint: false });
  });

  it("shows an answer that was not spoken as text", () => {
    const conversation = {
      ...live,
      lastWords: "Hello.",
      transcript: [entry("avatar", "Hello."), entry("visitor", "안녕?"), entry("avatar", "안녕하세요.")],
    };
    expect(viewOf(conversation, options).words).toMatchObject({ kind: "answer", text: "안녕하세요." });
  });

  it("offers suggestions until the visitor has asked something", () => {
    const greeted = { ...live, transcript: [entry("avatar", "Hello.")] };
    expect(viewOf(greeted, { ...options, suggestions: true }).words.kind).toBe("suggestions");
    const asked = { ...live, transcript: [entry("avatar", "Hello."), entry("visitor", "Hi")] };
    expect(viewOf(asked, { ...options, suggestions: true }).words.kind).toBe("question");
  });

  it("gives the words' room to the picture when captions are off", () => {
    expect(
      viewOf({ ...live, caption: { text: "a", index: 0 } }, { ...options, captions: false }).words,
    ).toEqual({ kind: "none" });
  });

  it("keeps the place while reconnecting, and ends on a page of its own", () => {
    expect(viewOf({ ...live, state: "reconnecting" }, options)).toMatchObject({
      page: "conversation",
      ring: "reconnecting",
      plate: { word: "reconnecting" },
      words: { key: "reconnecting_words" },
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

describe("a conversation", () => {
  it("measures its length from live to end, across a reconnection", () => {
    let conversation = emptyConversation;
    const become = (state: Conversation["state"], previous: Conversation["state"], nowMs: number) => {
      conversation = after(conversation, { type: "statechange", detail: { state, previous } }, [], nowMs);
    };
    become("connecting", "idle", 0);
    become("live", "connecting", 1_000);
    become("reconnecting", "live", 5_000);
    become("live", "reconnecting", 6_000);
    become("ended", "live", 61_000);
    expect(conversation).toMatchObject({ liveSinceMs: 1_000, endedAtMs: 61_000, state: "ended" });
  });

  it("keeps what was spoken last when its caption ends", () => {
    const speaking = { ...live, caption: { text: "It does.", index: 1 } };
    const ended = after(speaking, { type: "captionend", detail: { text: "It does." } }, [], 0);
    expect(ended).toMatchObject({ caption: null, lastWords: "It does." });
  });
});
