import { expect, test } from "vitest";
import { chatHistory } from "../../../src/client/conversation/history.ts";
import type { TranscriptEntry } from "../../../src/client/conversation/transcript-entry.ts";

const entry = (id: string, role: TranscriptEntry["role"], text: string): TranscriptEntry => ({
  id,
  role,
  text,
  status: "final",
  at: 0,
});

test("sends entries as the transcript shows them, and leaves out what was never said", () => {
  const entries = [
    entry("1", "visitor", "Which?"),
    entry("2", "avatar", "Oak, and"),
    entry("3", "avatar", ""),
  ];
  expect(
    chatHistory([{ entryId: "1" }, { entryId: "2" }, { entryId: "3" }, { entryId: "gone" }], (id) =>
      entries.find((one) => one.id === id),
    ),
  ).toEqual([
    { role: "user", content: "Which?" },
    { role: "assistant", content: "Oak, and" },
  ]);
});

test("keeps the latest part of a long conversation, beginning with a visitor's entry", () => {
  const entries = Array.from({ length: 301 }, (_, index) =>
    entry(String(index), index % 2 ? "avatar" : "visitor", `line ${index}`),
  );
  const messages = chatHistory(
    entries.map(({ id }) => ({ entryId: id })),
    (id) => entries[Number(id)],
  );
  expect(messages.length).toBeLessThanOrEqual(200);
  expect(messages[0]?.role).toBe("user");
  expect(messages.at(-1)?.content).toBe("line 300");
});

test("names a question's files to the session that has them, and tells any other that they are gone", () => {
  const asked = {
    ...entry("1", "visitor", "What is this?"),
    attachments: [
      { id: "a1", name: "chair.png", type: "image/png", bytes: 1, at: { session: "first", id: "f1" } },
    ],
  };
  const historyFor = (session: string) => chatHistory([{ entryId: "1" }], () => asked, session);
  expect(historyFor("first")).toEqual([{ role: "user", content: "What is this?", attachments: ["f1"] }]);
  expect(historyFor("second")).toEqual([
    { role: "user", content: "What is this?\n\n[Attached earlier and no longer available: chair.png]" },
  ]);
});

test("tells what the visitor has not heard of an interrupted answer, until it is said after all", () => {
  const spoken = { ...entry("1", "avatar", "We deliver to Austria"), rest: " and Germany." };
  const contentOf = (one: TranscriptEntry) => chatHistory([{ entryId: "1" }], () => one)[0]?.content;
  expect(contentOf({ ...spoken, status: "interrupted" })).toBe(
    "We deliver to Austria\n\n[The visitor interrupted here and has not heard the rest: and Germany.]",
  );
  expect(contentOf({ ...spoken, status: "interrupted", rest: "" })).toBe("We deliver to Austria");
  expect(contentOf(spoken)).toBe("We deliver to Austria");
  const long = contentOf({ ...spoken, status: "interrupted", rest: "word ".repeat(1_000) });
  expect(long?.length).toBeLessThan(1_200);
  expect(contentOf({ ...spoken, status: "interrupted", text: "" })).toBeUndefined();
});
