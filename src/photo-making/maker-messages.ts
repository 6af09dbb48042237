import * as z from "zod";
import { photoCharacterSchema, type PhotoCharacter } from "../protocol/photo-character.ts";
import type { PuppetParams } from "../puppet/index.ts";
import type { PhotoFault, PhotoMeasures } from "./gates.ts";

/** What the maker's page is asked for: a character from a photograph, or pictures of poses of a character. */
export const makerRequestSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("make"), photo: z.instanceof(Blob), keepsBackground: z.boolean() }),
  z.object({
    type: z.literal("paint"),
    character: photoCharacterSchema,
    poses: z.array(z.custom<PuppetParams>((value) => typeof value === "object" && value !== null)),
    side: z.int().min(16).max(1_024),
  }),
]);

/** What the maker's page says. */
export type MakerAnswer = { source: "visavis-photo-maker" } & (
  | { type: "ready" }
  | { type: "made"; character: PhotoCharacter; measures: PhotoMeasures; poster: Blob; porthole: Blob }
  | { type: "refused"; faults: PhotoFault[]; advice: string[] }
  | { type: "failed"; detail: string }
  | { type: "painted"; pictures: ImageData[] }
);
