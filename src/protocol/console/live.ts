import * as z from "zod";

/** The longest message of a person, in characters. */
export const personTextMaxLength = 4_000;

/** Who answers in a conversation: the avatar, the avatar while a person is waited for, a person. */
export const talkStates = ["avatar", "waiting", "person"] as const;
export type TalkState = (typeof talkStates)[number];

/** Why somebody is needed: the visitor has asked, or two answers in a row have found nothing. */
export const needs = ["asked", "not_found"] as const;
export type Need = (typeof needs)[number];

/** Who speaks in a conversation's line. `note`: what happened, as one of `talkNotes`. */
export const lineRoles = ["visitor", "avatar", "person", "whisper", "summary", "note"] as const;
export type LineRole = (typeof lineRoles)[number];

/** What a `note` tells. */
export const talkNotes = ["asked", "stopped", "joined", "left", "lost"] as const;

/** A conversation that goes on now, or is just over. */
export const liveTalkSchema = z.object({
  session_id: z.string(),
  avatar: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  state: z.enum(talkStates),
  need: z.enum(needs).nullable(),
  /** Since when it is in this state, or somebody is needed. */
  since: z.string().nullable(),
  /** Who answers; null: the avatar does. */
  person: z.object({ account: z.string(), name: z.string() }).nullable(),
  is_writing: z.boolean(),
  /** What was said last, and by whom. */
  last: z.object({ role: z.enum(lineRoles), text: z.string() }).nullable(),
  /** What the visitor looks at: the page's title and path; empty: not known. */
  page: z.string(),
  path: z.string(),
});
export type LiveTalk = z.infer<typeof liveTalkSchema>;

/** A line of the conversation that is open. Ids grow. `answered`: false for an avatar's answer that found nothing. */
export const liveLineSchema = z.object({
  id: z.number(),
  at: z.string(),
  role: z.enum(lineRoles),
  name: z.string(),
  text: z.string(),
  answered: z.boolean(),
});
export type LiveLine = z.infer<typeof liveLineSchema>;

/** Somebody who is there. `until` is null for somebody who is not. */
export const presenceSchema = z.object({
  account: z.string(),
  name: z.string(),
  until: z.string().nullable(),
});
export type Presence = z.infer<typeof presenceSchema>;

/** One event of GET /api/console/live/stream/. The first `talks` has everything, later ones what has changed. */
export const liveEventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("talks"),
    me: presenceSchema,
    people: z.array(presenceSchema),
    changed: z.array(liveTalkSchema),
    /** Ids of those that are no longer in the list. */
    gone: z.array(z.string()),
  }),
  z.object({
    type: z.literal("talk"),
    session_id: z.string(),
    lines: z.array(liveLineSchema),
    /** What the page has told of the visit. */
    variables: z.record(z.string(), z.string()),
    /** Whether a language model can use a fact; else the avatar only says words as they are. */
    takes_facts: z.boolean(),
    /** The avatar's quick answers, as its owner wrote them. */
    quick_answers: z.array(z.string()),
  }),
]);
export type LiveEvent = z.infer<typeof liveEventSchema>;

/** Query of the stream: the conversation that is open. */
export const liveQuerySchema = z.object({ session: z.string().max(100).optional() });

/** Body of PUT /api/console/live/presence/. `minutes`: for how long; 0: not there any more. */
export const presenceChangeSchema = z.object({
  minutes: z.number().int().min(0).max(1_440),
  /** As visitors read it. */
  name: z.string().trim().min(1).max(60),
});

/** Body of POST /api/console/live/{session}/take/. `from`: the account of the colleague who answers now. */
export const takeSchema = z.object({ from: z.string().max(100).optional() });

const personText = z.string().trim().min(1).max(personTextMaxLength);

/** Body of POST …/messages/. */
export const personMessageSchema = z.object({ text: personText });

/** Body of POST …/whisper/. `say`: the avatar says exactly this now; `keep`: its model uses it as a fact from now on. */
export const whisperSchema = z.object({ text: personText, how: z.enum(["say", "keep"]) });

/** Body of POST …/hand-back/: what the avatar should know of what was said; empty: nothing. */
export const handBackSchema = z.object({ summary: z.string().trim().max(personTextMaxLength).default("") });
