import * as z from "zod/mini";
import { photoFormat } from "./photo-format.ts";

/** How many landmarks a face has: 468 of the face's surface, and 5 of each iris. */
export const landmarkCount = 478;
/** The landmarks that triangles may use: those of the face's surface. */
const surfaceCount = 468;

/** Limits of a character: its square picture's side in pixels, the side of any other layer, and the sizes in bytes. */
export const photoLimits = {
  leastSide: 256,
  mostSide: 1_024,
  mostLayerSide: 1_024,
  mostLayerBytes: 512 * 1_024,
  mostBytes: 1_024 * 1_024,
  mostTriangles: 1_200,
} as const;

/** The layers of a character. */
export const photoLayers = [
  "background",
  "photo",
  "scleraLeft",
  "scleraRight",
  "irisLeft",
  "irisRight",
  "lidLeft",
  "lidRight",
  "mouth",
  "glasses",
] as const;
export type PhotoLayer = (typeof photoLayers)[number];

/** A layer's picture within the file. */
export const pictureDataPattern = /^data:image\/(?:webp|png);base64,[A-Za-z0-9+/]+={0,2}$/;

const layerSchema = z.string().check(
  // Four characters of base64 are three bytes.
  z.maxLength(Math.ceil((photoLimits.mostLayerBytes * 4) / 3) + 32),
  z.regex(pictureDataPattern),
);

/** Shares of the picture's side. Landmarks of a cropped face may lie a little outside. */
const coordinateSchema = z.number().check(z.gte(-0.5), z.lte(1.5));
const sizeSchema = z.number().check(z.gte(1), z.lte(photoLimits.mostLayerSide));
const placeSchema = z.number().check(z.gte(-photoLimits.mostLayerSide), z.lte(photoLimits.mostLayerSide));

/** The part of the picture that a layer covers, in pixels. */
const areaSchema = z.object({ x: placeSchema, y: placeSchema, width: sizeSchema, height: sizeSchema });
export type PhotoArea = z.infer<typeof areaSchema>;

const sidesSchema = z.object({ left: areaSchema, right: areaSchema });

export const photoCharacterSchema = z.object({
  format: z.literal(photoFormat),
  version: z.literal(1),
  /** Side of the square picture in pixels. */
  size: z.int().check(z.gte(photoLimits.leastSide), z.lte(photoLimits.mostSide)),
  /** x, y and depth of each landmark, one after the other, in shares of the picture's side. */
  landmarks: z.array(coordinateSchema).check(z.minLength(3 * landmarkCount), z.maxLength(3 * landmarkCount)),
  /** Three landmarks for each triangle of the face. Eyes and mouth are holes. */
  triangles: z
    .array(z.int().check(z.gte(0), z.lte(surfaceCount - 1)))
    .check(z.minLength(3), z.maxLength(3 * photoLimits.mostTriangles)),
  /** Where the layers of eyes and lids lie. "left" is left in the picture. */
  eyes: sidesSchema,
  lids: sidesSchema,
  /** data: addresses of PNG or WebP pictures. */
  pictures: z.object({
    photo: layerSchema,
    scleraLeft: layerSchema,
    scleraRight: layerSchema,
    irisLeft: layerSchema,
    irisRight: layerSchema,
    lidLeft: layerSchema,
    lidRight: layerSchema,
    mouth: layerSchema,
    glasses: z.optional(layerSchema),
    background: z.optional(layerSchema),
  }),
  /** Where the frame of glasses lies, if the person wears any. */
  glasses: z.optional(areaSchema),
  /** How it came to be: "photograph" says that it shows a person. */
  origin: z.object({ kind: z.literal("photograph"), made_at: z.string().check(z.maxLength(40)) }),
});
export type PhotoCharacter = z.infer<typeof photoCharacterSchema>;
