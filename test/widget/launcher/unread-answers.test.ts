import { expect, test } from "vitest";
import { UnreadAnswers } from "../../../src/widget/launcher/launcher-extras.ts";
import { emptySnapshot, type SessionSnapshot } from "../../../src/widget/session/session-snapshot.ts";

const entry = (id: string, text: string, status: "final" | "streaming" = "final") =>
  ({ id, role: "avatar", text, status, at: 0 }) as const;
const live = (more: Partial<SessionSnapshot>): SessionSnapshot => ({
  ...emptySnapshot,
  state: "live",
  ...more,
});
const ids = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

test("answers that come while the panel is away are unread until it is shown", () => {
  const unread = new UnreadAnswers();
  unread.update(live({ transcript: [entry("m1", "Hello.")] }), true);
  const transcript = [entry("m1", "Hello."), entry("m2", "One."), entry("m3", "T", "streaming")];
  expect(ids(unread.update(live({ transcript }), false))).toEqual(["m2"]);
  expect(unread.update(live({ transcript }), true)).toEqual([]);
  expect(unread.update(live({ transcript }), false)).toEqual([]);
});

test("an answer under way when the panel was left is unread, unless it was heard to its end", () => {
  const transcript = [entry("m1", "One sentence. And another one.")];
  const at = (from: number, to: number) => ({ entryId: "m1", from, to });
  const left = new UnreadAnswers();
  left.update(live({ transcript, voice: at(0, 13) }), true);
  expect(left.update(live({ transcript, voice: at(0, 13) }), false)).toEqual([]);
  expect(ids(left.update(live({ transcript }), false))).toEqual(["m1"]);
  const heard = new UnreadAnswers();
  heard.update(live({ transcript, voice: at(14, 30) }), true);
  expect(heard.update(live({ transcript }), false)).toEqual([]);
});

test("the conversation of an earlier page is not unread", () => {
  const unread = new UnreadAnswers();
  expect(unread.update({ ...emptySnapshot, transcript: [entry("m1", "Hello.")] }, false)).toEqual([]);
});
