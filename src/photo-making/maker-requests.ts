import * as z from "zod";
import { drawnSpeechSchema } from "../protocol/speech/drawn-speech.ts";
import type { PuppetParams } from "../puppet/index.ts";

/** How much of the photograph becomes the picture: the head, head and shoulders, or more room around them. */
export const framings = ["close", "usual", "wide"] as const;
export type Framing = (typeof framings)[number];

const poseSchema = z.custom<PuppetParams>((value) => typeof value === "object" && value !== null);
const sideSchema = z.int().min(16).max(1_024);

/** What the maker's page is asked for. All but `make` are about the character that was made last. Times are those of the asking page. */
export const makerRequestSchema = z.discriminatedUnion("type", [
  /** A character from a photograph. Without one: from the one before, made in another way. */
  z.object({
    type: z.literal("make"),
    /** Comes back with the answer. */
    id: z.int().default(0),
    photo: z.instanceof(Blob).optional(),
    keepsBackground: z.boolean(),
    framing: z.enum(framings).default("usual"),
    /** Whether the person wears glasses. Without it, they are looked for. */
    glasses: z.boolean().optional(),
  }),
  /** Pictures of the mouth in some poses. */
  z.object({ type: z.literal("mouths"), poses: z.array(poseSchema).max(40), side: sideSchema }),
  /** The picture of this moment. What `pose` names replaces what the behaviour does. */
  z.object({
    type: z.literal("frame"),
    atMs: z.number(),
    side: sideSchema,
    pose: poseSchema,
    isCalm: z.boolean(),
  }),
  /** A speech whose sound begins at this time. */
  z.object({ type: z.literal("speak"), atMs: z.number(), speech: drawnSpeechSchema }),
  z.object({ type: z.literal("hush"), atMs: z.number() }),
]);
export type MakerRequest = z.input<typeof makerRequestSchema>;
