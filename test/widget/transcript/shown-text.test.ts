import { describe, expect, it, vi } from "vitest";
import type { TranscriptEntry } from "../../../src/client/index.ts";
import { shownLengths } from "../../../src/widget/transcript/answer-row.ts";

const entry = (id: string, role: TranscriptEntry["role"], text: string): TranscriptEntry => ({
  id,
  role,
  text,
  status: "final",
  at: 0,
});

const transcript = [
  entry("q", "visitor", "What is it?"),
  entry("a", "avatar", "One here. Two here. Three here."),
  entry("b", "avatar", "Next one. And more."),
];

const shown = (place: Parameters<typeof shownLengths>[1]): string[] => {
  const lengthOf = shownLengths(transcript, place);
  return transcript.map((each) => each.text.slice(0, lengthOf(each)).trim());
};

describe("what is shown of an answer", () => {
  it("is all of it when nothing is spoken", () => {
    expect(shown(null)).toEqual(transcript.map(({ text }) => text));
  });

  it("is its first sentence before the voice begins", () => {
    expect(shown({ entryId: "a", from: 0, to: 0 })).toEqual(["What is it?", "One here.", ""]);
  });

  it("is nothing while a wait for it is filled", () => {
    expect(shown({ entryId: "", from: 0, to: 0 })).toEqual(["What is it?", "", ""]);
  });

  it("is one sentence more than what is spoken", () => {
    expect(shown({ entryId: "a", from: 0, to: 9 })).toEqual(["What is it?", "One here. Two here.", ""]);
  });

  it("is the first sentence of the next text during the last sentence of the one before", () => {
    expect(shown({ entryId: "a", from: 20, to: 31 })).toEqual([
      "What is it?",
      "One here. Two here. Three here.",
      "Next one.",
    ]);
  });

  it("is all of the text that is spoken where the browser cannot tell sentences apart", async () => {
    vi.resetModules();
    vi.stubGlobal("Intl", { DateTimeFormat: Intl.DateTimeFormat, NumberFormat: Intl.NumberFormat });
    const old = await import("../../../src/widget/transcript/answer-row.ts");
    vi.unstubAllGlobals();
    const lengthOf = old.shownLengths(transcript, { entryId: "a", from: 0, to: 0 });
    expect(transcript.map(lengthOf)).toEqual([11, 31, 0]);
  });
});
