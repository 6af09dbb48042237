/**
 * Draws a contact sheet of a photo character:
 * `npx tsx scripts/render-photo-sheet.ts character.json sheet.png [visemes|mouth|eyes|head] [background]`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createCanvas, ImageData } from "@napi-rs/canvas";
import { photoCharacterSchema } from "../src/protocol/characters/photo-character.ts";
import { visemes, type PuppetParams } from "../src/puppet/index.ts";
import { PhotoDrawing } from "../src/service/media/photo/photo-drawing.ts";

const [file = "", target = "sheet.png", part = "visemes", background = "#eceef1"] = process.argv.slice(2);
const side = 1_024;
const cell = 360;

const one = (name: string, params: PuppetParams): [string, PuppetParams] => [name, params];
const speech = visemes.map((viseme) => one(viseme, { visemeWeights: { [viseme]: 1 } }));
const sheets: Record<string, { poses: [string, PuppetParams][]; view: [number, number, number] }> = {
  visemes: { poses: speech, view: [0.2, 0.2, 0.6] },
  mouth: { poses: speech, view: [0.34, 0.5, 0.32] },
  eyes: {
    poses: [
      ...[0, 0.15, 0.3, 0.5, 0.75, 1].map((blink) => one(`blink ${blink}`, { blink })),
      ...[-1, 1].map((gazeX) => one(`gaze x ${gazeX}`, { gazeX })),
      ...[-1, 1].map((gazeY) => one(`gaze y ${gazeY}`, { gazeY })),
      one("brows", { browRaise: 1 }),
      one("concern", { browConcern: 1 }),
    ],
    view: [0.28, 0.3, 0.44],
  },
  head: {
    poses: [
      one("neutral", {}),
      ...[-1, 1].map((headTurn) => one(`turn ${headTurn}`, { headTurn })),
      ...[-1, 1].map((headNod) => one(`nod ${headNod}`, { headNod })),
      ...[-1, 1].map((headTilt) => one(`tilt ${headTilt}`, { headTilt })),
      one("smile", { smile: 1 }),
      one("breath", { breath: 1 }),
      one("aa, turned", { headTurn: 0.8, visemeWeights: { aa: 0.8 } }),
    ],
    view: [0, 0, 1],
  },
};

const { poses, view } = sheets[part] ?? sheets["visemes"]!;
const drawing = await PhotoDrawing.load(
  photoCharacterSchema.parse(JSON.parse(readFileSync(file, "utf8"))),
  side,
);
const columns = 5;
const sheet = createCanvas(columns * cell, Math.ceil(poses.length / columns) * cell);
const context = sheet.getContext("2d");
context.imageSmoothingQuality = "high";
context.fillStyle = background;
context.fillRect(0, 0, sheet.width, sheet.height);
poses.forEach(([name, params], i) => {
  const words = new Uint32Array(side * side);
  drawing.draw(params, words);
  const bytes = new Uint8ClampedArray(words.buffer);
  for (let at = 0; at < bytes.length; at += 4) {
    const alpha = bytes[at + 3]!;
    for (let c = 0; c < 3 && alpha > 0; c++) bytes[at + c] = (bytes[at + c]! * 255) / alpha;
  }
  const canvas = createCanvas(side, side);
  canvas.getContext("2d").putImageData(new ImageData(bytes, side, side), 0, 0);
  const [x, y] = [(i % columns) * cell, Math.floor(i / columns) * cell];
  const [left, top, part] = view.map((share) => share * side) as [number, number, number];
  context.drawImage(canvas, left, top, part, part, x, y, cell, cell);
  context.fillStyle = "#888";
  context.font = "16px sans-serif";
  context.fillText(name, x + 6, y + 18);
});
writeFileSync(target, sheet.toBuffer("image/png"));
