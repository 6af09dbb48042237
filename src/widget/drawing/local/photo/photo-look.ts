import { photoMotion } from "../../../../photo/index.ts";
import { photoCharacterSchema } from "../../../../protocol/photo-character.ts";
import type { Look } from "../look.ts";
import { decodeLayers } from "./photo-layers.ts";
import { PhotoPainting } from "./photo-painting.ts";

/** Reads a character from a photograph. Rejects if it is not valid, or this browser cannot decode its pictures. */
export async function readPhoto(file: unknown): Promise<Look> {
  const { data: character } = photoCharacterSchema.safeParse(file);
  if (!character) throw new Error("The character from a photograph is not valid.");
  const layers = await decodeLayers(character);
  return {
    motion: photoMotion,
    paint: (size, handleCanvas) => new PhotoPainting(character, layers, size, handleCanvas),
  };
}
