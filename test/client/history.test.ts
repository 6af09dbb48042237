import { expect, test } from "vitest";
import { chatHistory } from "../../src/client/history.ts";
import type { TranscriptEntry } from "../../src/client/avatar-session.ts";

const entry = (id: string, role: TranscriptEntry["role"], text: string): TranscriptEntry => ({
  id,
  role,
  text,
  status: "final",
  at: 0,
});

test("sends lines as they stand in the transcript, and leaves out what was never said", () => {
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

test("keeps the latest of a long conversation, beginning with a visitor's line", () => {
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
