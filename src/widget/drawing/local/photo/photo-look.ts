import {
  finish,
  layerPixels,
  photoFaceSteps,
  photoMotion,
  type Pixels,
  type Steps,
} from "../../../../photo/index.ts";
import { photoCharacterSchema, type PhotoLayer } from "../../../../protocol/characters/photo-character.ts";
import type { Look } from "../look.ts";
import { decodeLayers, pixelsOf } from "./photo-layers.ts";
import { PhotoPainting, type PhotoSource } from "./photo-painting.ts";
import { findGpu } from "./webgl-pictures.ts";

/** The page has its turn after so much work, in ms. */
const sliceMs = 10;

/** Reads a character from a photograph. Rejects if it is not valid, or this browser cannot decode its pictures. */
export async function readPhoto(file: unknown): Promise<Look> {
  const { data: character } = photoCharacterSchema.safeParse(file);
  if (!character) throw new Error("The character from a photograph is not valid.");
  const layers = await decodeLayers(character);
  const face = await inSlices(photoFaceSteps(character));
  const pixels = new Map<PhotoLayer, Pixels>();
  const readPixels = function* (): Steps<typeof pixels> {
    for (const [layer, bitmap] of layers) {
      yield;
      if (!pixels.has(layer)) pixels.set(layer, layerPixels(layer, pixelsOf(bitmap)));
    }
    return pixels;
  };
  if (!findGpu()) await inSlices(readPixels());
  const source: PhotoSource = { face, layers, pixels: () => finish(readPixels()) };
  return {
    motion: photoMotion,
    paint: (size, handleCanvas) => new PhotoPainting(source, size, handleCanvas),
  };
}

/** What would freeze the page for up to half a second at once. */
async function inSlices<T>(steps: Steps<T>): Promise<T> {
  let startMs = performance.now();
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - startMs < sliceMs) continue;
    await new Promise((resolve) => setTimeout(resolve));
    startMs = performance.now();
  }
}
