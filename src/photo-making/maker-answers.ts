import * as z from "zod";
import { photoFaults } from "./photo-faults.ts";

/** What the maker is doing. */
const makerSteps = ["models", "face", "layers"] as const;
export type MakerStep = (typeof makerSteps)[number];

const source = z.literal("visavis-photo-maker");
/** Of the request. */
const id = z.int();

/** What the maker's page says. */
export const makerAnswerSchema = z.discriminatedUnion("type", [
  z.object({ source, type: z.literal("ready") }),
  z.object({ source, type: z.literal("progress"), step: z.enum(makerSteps) }),
  z.object({
    source,
    id,
    type: z.literal("made"),
    /** In the photo character format. The server checks it. */
    character: z.unknown(),
    /** Whether the frame of glasses is a layer of it. */
    hasGlasses: z.boolean(),
    measures: z.record(z.string(), z.number()),
    poster: z.instanceof(Blob),
    porthole: z.instanceof(Blob),
  }),
  z.object({
    source,
    id,
    type: z.literal("refused"),
    faults: z.array(z.enum(photoFaults)),
    /** In English, a line for each fault. */
    advice: z.array(z.string()),
  }),
  z.object({ source, id, type: z.literal("failed"), detail: z.string() }),
  z.object({ source, type: z.literal("mouths"), pictures: z.array(z.instanceof(ImageData)) }),
  z.object({ source, type: z.literal("frame"), picture: z.instanceof(ImageData) }),
]);
export type MakerAnswer = z.infer<typeof makerAnswerSchema>;
