import * as z from "zod/mini";

/** The position of the avatar in its frame (product contract, The stage), in fractions of the frame's width and height. */
export const paddingsSchema = z.object({
  /** Offset of the avatar's centre from the middle, −1 to 1 frame widths; negative is left. */
  padding_left: z.number().check(z.gte(-1), z.lte(1)),
  /** Its top edge, 0 to 1 frame heights from the top. */
  padding_top: z.number().check(z.gte(0), z.lte(1)),
  /** Scale, 0 to 5; with 1, the avatar is as high as the frame. */
  padding_height: z.number().check(z.gte(0), z.lte(5)),
});
export type Paddings = z.infer<typeof paddingsSchema>;

export const mattePattern = /^(none|packed-alpha|chroma:#[0-9a-fA-F]{6})$/;

/** How a video frame carries the avatar's transparency: `none`, `packed-alpha` or `chroma:#rrggbb`. */
export const matteSchema = z.string().check(z.regex(mattePattern));
export type Matte = "none" | "packed-alpha" | `chroma:#${string}`;

/** Default paddings: centred, at the top, as high as the frame. */
export const defaultPaddings: Paddings = { padding_left: 0, padding_top: 0, padding_height: 1 };
