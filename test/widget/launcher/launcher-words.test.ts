import { expect, test } from "vitest";
import { launcherWords } from "../../../src/widget/launcher/launcher-words.ts";
import { emptySnapshot, type SessionSnapshot } from "../../../src/widget/session/session-snapshot.ts";
import type { Translate } from "../../../src/widget/texts/texts.ts";

const t: Translate = (key, values) => (values ? `${key} ${JSON.stringify(values)}` : key);
const said = [{ id: "m1", role: "avatar", text: "Hello.", status: "final", at: 0 }] as const;

test.each<[string, Partial<SessionSnapshot>, Partial<Parameters<typeof launcherWords>[2]>, string, string]>([
  ["nothing began yet", {}, {}, "launcher", "launcher_hint"],
  ["the conversation will be in writing", {}, { inWriting: true }, "launcher_write", "launcher_hint_written"],
  ["visitors cannot speak", {}, { ui: { voice_mode: "off" } }, "launcher", "launcher_hint_written"],
  ["only the browser may recognize speech", {}, { recognizes: false }, "launcher", "ai_assistant"],
  ["visitors cannot write", {}, { ui: { text_input: false } }, "launcher", "ai_assistant"],
  ["an earlier page's conversation", { transcript: said }, {}, "launcher_continue", "launcher_hint"],
  ["connecting", { state: "connecting" }, {}, "launcher_live", "connecting"],
  ["speaking", { state: "live", activity: "speaking" }, {}, "launcher_live", "speaking"],
  ["unread", { state: "live" }, { unread: 2 }, "launcher_live", 'launcher_unread {"count":2}'],
  [
    "speaking, with unread answers",
    { state: "live", activity: "speaking" },
    { unread: 1 },
    "launcher_live",
    'speaking · launcher_unread {"count":1}',
  ],
  [
    "sound is blocked",
    { state: "live", activity: "speaking", soundBlocked: true },
    {},
    "launcher_live",
    "launcher_hint",
  ],
  [
    "the time is nearly used up",
    { state: "live", activity: "speaking", notice: { kind: "time", leftSec: 15 } },
    { unread: 1, timeLeft: "15 seconds left" },
    "launcher_live",
    'speaking · launcher_unread {"count":1} · 15 seconds left',
  ],
  [
    "the visitor has done nothing for long",
    { state: "live", notice: { kind: "idle", leftSec: 18 } },
    { timeLeft: "Ends in 18 seconds" },
    "launcher_live",
    "Ends in 18 seconds",
  ],
  ["ended", { state: "ended", transcript: said }, {}, "launcher", "launcher_over"],
  ["lost", { state: "error" }, { inWriting: true }, "launcher_write", "launcher_over"],
])("the launcher says what a click does, and what goes on: %s", (_name, session, news, title, note) => {
  const plain = { inWriting: false, unread: 0, timeLeft: "", ui: {}, recognizes: true };
  const words = launcherWords(t, { ...emptySnapshot, ...session }, { ...plain, ...news });
  expect([words.title, words.note]).toEqual([title, note]);
});

test.each<[string, Partial<SessionSnapshot>, boolean]>([
  ["nothing began yet", {}, false],
  ["connecting, because the first frame comes before them", { state: "connecting" }, false],
  ["speaking", { state: "live", activity: "speaking" }, true],
  ["reconnecting", { state: "reconnecting" }, true],
])("the launcher loads the panel's controls for its words, or does not: %s", (_name, session, needed) => {
  const plain = { inWriting: false, unread: 0, timeLeft: "", ui: {}, recognizes: true };
  expect(launcherWords(t, { ...emptySnapshot, ...session }, plain).needsControls).toBe(needed);
});
