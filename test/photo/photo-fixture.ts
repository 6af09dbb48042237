import { readFileSync } from "node:fs";
import { createCanvas } from "@napi-rs/canvas";
import { measureFace } from "../../src/photo/face.ts";
import { photoCharacterSchema, type PhotoCharacter } from "../../src/protocol/characters/photo-character.ts";

/** The path of a character that `scripts/make-photo-fixture.ts` made from a picture of Mina, a drawn character. */
export const photoFile = new URL("./mina.json", import.meta.url);

/** That character. */
export const photoMina = (): PhotoCharacter =>
  photoCharacterSchema.parse(JSON.parse(readFileSync(photoFile, "utf8")));

/** The same with round glasses. */
export function photoMinaInGlasses(): PhotoCharacter {
  const character = photoMina();
  const { eyes, pxPerMm, toPicture } = measureFace(character);
  const [left, top] = toPicture(eyes[0].from - 16, eyes[0].browY);
  const [right, bottom] = toPicture(eyes[1].to + 16, eyes[1].browY + 44);
  const area = {
    x: Math.round(left),
    y: Math.round(top),
    width: Math.round(right - left),
    height: Math.round(bottom - top),
  };
  const canvas = createCanvas(area.width, area.height);
  const context = canvas.getContext("2d");
  context.lineWidth = 2.4 * pxPerMm;
  context.strokeStyle = "#221814";
  for (const eye of eyes) {
    const [x, y] = toPicture(eye.middleX, eye.upper[4]?.[1] ?? 0);
    context.beginPath();
    context.arc(x - area.x, y - area.y + 4 * pxPerMm, 21 * pxPerMm, 0, 2 * Math.PI);
    context.stroke();
  }
  const glasses = `data:image/png;base64,${canvas.toBuffer("image/png").toString("base64")}`;
  return { ...character, glasses: area, pictures: { ...character.pictures, glasses } };
}

/** The same before a wall of tiles: a background that was kept. */
export function photoMinaBeforeTiles(): PhotoCharacter {
  const character = photoMina();
  const side = character.size;
  const canvas = createCanvas(side, side);
  const context = canvas.getContext("2d");
  const tile = side / 8;
  for (let row = 0; row < 8; row++)
    for (let column = 0; column < 8; column++) {
      context.fillStyle = `hsl(${(row * 8 + column) * 5} 40% ${40 + ((row + column) % 2) * 20}%)`;
      context.fillRect(column * tile, row * tile, tile, tile);
    }
  const background = `data:image/png;base64,${canvas.toBuffer("image/png").toString("base64")}`;
  return { ...character, pictures: { ...character.pictures, background } };
}
