import * as z from "zod/mini";

/** How a visitor stands to the people behind an avatar. `away`: nobody is there; `here`: somebody could join. */
export const personStates = ["away", "here", "waiting", "joined"] as const;
export type PersonState = (typeof personStates)[number];

/** One event of a session's stream about people (GET …/person/), an addition of ours. */
export const personEventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("state"),
    state: z.enum(personStates),
    /** Who has joined; empty: nobody. */
    name: z.string(),
    /** Who is there. */
    people: z.array(z.string()),
    organization: z.string(),
    /** The place in the line of those who wait, from 1; 0: not in it. */
    place: z.number(),
    /** How long waits take; null: that is not known. */
    wait_sec: z.nullable(z.number()),
    is_writing: z.boolean(),
    /** The person's line is lost: in so many seconds the avatar goes on. Null: it is not. */
    lost_sec: z.nullable(z.number()),
  }),
  /** A person's words. Ids grow. */
  z.object({ type: z.literal("line"), id: z.number(), name: z.string(), text: z.string() }),
  /** What the avatar is to say, exactly. */
  z.object({ type: z.literal("say"), id: z.number(), text: z.string() }),
]);
export type PersonEvent = z.infer<typeof personEventSchema>;
export type PersonView = Extract<PersonEvent, { type: "state" }>;

/** Body of POST …/person/: the visitor asks for a person, or stops waiting. `page`: what the visitor looks at. */
export const personRequestSchema = z.object({ wanted: z.boolean() });
