import { createCanvas, ImageData, loadImage, type SKRSContext2D } from "@napi-rs/canvas";
import type { SourcePicture } from "../../src/photo-making/source-picture.ts";
import { measureFace, type Face } from "../../src/photo/face.ts";
import type { PhotoCharacter } from "../../src/protocol/characters/photo-character.ts";
import { photoMina } from "../photo/photo-fixture.ts";

/** The picture that Mina's character was made from, cut out, and something drawn on it. */
export async function drawnOnMina(
  draw: (context: SKRSContext2D, face: Face) => void = () => undefined,
): Promise<{ character: PhotoCharacter; face: Face; source: SourcePicture; image: globalThis.ImageData }> {
  const character = photoMina();
  const { size } = character;
  // The maker runs in browsers. Each file that uses this gives the global scope back.
  Object.assign(globalThis, { ImageData });
  const face = measureFace(character);
  const canvas = createCanvas(size, size);
  const context = canvas.getContext("2d");
  context.drawImage(await loadImage(character.pictures.photo), 0, 0);
  draw(context, face);
  const image = new globalThis.ImageData(size, size);
  image.data.set(context.getImageData(0, 0, size, size).data);
  const landmarks = face.pixels.map(([x, y]) => [x, y] as const);
  return { character, face, image, source: { size, data: image.data, landmarks, pxPerMm: face.pxPerMm } };
}
