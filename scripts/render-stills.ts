import { readFileSync, writeFileSync } from "node:fs";
import type { Canvas, Image } from "@napi-rs/canvas";
import { createCanvas, loadImage, Path2D } from "@napi-rs/canvas";
import type { Character } from "../src/puppet/index.ts";
import { createRig, parseCharacter } from "../src/puppet/index.ts";

/** The side of the picture of a character at rest; in units, and also in pixels. */
const size = 512;

/** The side of the porthole in pixels. It has 58 CSS pixels on the page, so it is sharp at a device pixel ratio of 2 and more. */
const portholeSize = 160;

/** The side of the square around the face that the porthole shows, in units; eyes are at 40 % of its height. */
const cropSide = 336;
const eyesShare = 0.4;

const portholeBytes = 5 * 1024;
const posterBytes = 40 * 1024;

const characters = ["mina", "tomas", "amara", "ingrid"];
const backgrounds = ["room", "calm"];

const file = (path: string): URL => new URL(`../public/${path}`, import.meta.url);

/** Draws a character at rest, larger than it is shown, so that scaling it down smooths the edges. */
function drawAtRest(character: Character, scale: number): Canvas {
  const canvas = createCanvas(size * scale, size * scale);
  createRig(character, { Path2D }).draw(canvas.getContext("2d"), { smile: 0.25 }, { scale });
  return canvas;
}

/** The midpoint between the eyes, in units. */
function eyesOf(character: Character): { x: number; y: number } {
  const rig = createRig(character, { Path2D });
  const centres = ["l", "r"].map((side) => centreOf(rig.points(`eye-${side}-white#0`)));
  const [left, right] = centres as [{ x: number; y: number }, { x: number; y: number }];
  return { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 };
}

function centreOf(points: Float32Array): { x: number; y: number } {
  const xs = points.filter((_, i) => i % 2 === 0);
  const ys = points.filter((_, i) => i % 2 === 1);
  return { x: (Math.min(...xs) + Math.max(...xs)) / 2, y: (Math.min(...ys) + Math.max(...ys)) / 2 };
}

/** The face in front of a background that covers the whole picture, cropped for the porthole. */
function porthole(character: Character, background: Image): Canvas {
  const canvas = createCanvas(portholeSize, portholeSize);
  const ctx = canvas.getContext("2d");
  ctx.imageSmoothingQuality = "high";
  const eyes = eyesOf(character);
  const left = eyes.x - cropSide / 2;
  const top = eyes.y - cropSide * eyesShare;
  const part = Math.min(background.width, background.height) / size;
  const [offsetX, offsetY] = [(background.width - size * part) / 2, (background.height - size * part) / 2];
  const side = cropSide * part;
  ctx.drawImage(
    background,
    offsetX + left * part,
    offsetY + top * part,
    side,
    side,
    0,
    0,
    portholeSize,
    portholeSize,
  );
  const rest = drawAtRest(character, 2);
  ctx.drawImage(rest, left * 2, top * 2, cropSide * 2, cropSide * 2, 0, 0, portholeSize, portholeSize);
  return canvas;
}

/** Writes the picture in the best quality that has at most `mostBytes`. */
async function write(path: string, canvas: Canvas, mostBytes: number): Promise<void> {
  for (let quality = 92; quality >= 50; quality -= 3) {
    const bytes = await canvas.encode("webp", quality);
    if (bytes.length > mostBytes) continue;
    writeFileSync(file(path), bytes);
    console.log(`public/${path} ${bytes.length} bytes, quality ${quality}`);
    return;
  }
  throw new Error(`${path} does not fit into ${mostBytes} bytes`);
}

/** Renders the stills of one character: the porthole on each background (room is the default) and the poster. */
async function renderStills(name: string): Promise<void> {
  const character = parseCharacter(JSON.parse(readFileSync(file(`characters/${name}.json`), "utf8")));
  for (const background of backgrounds) {
    const image = await loadImage(readFileSync(file(`backgrounds/${background}.webp`)));
    const suffix = background === "room" ? "" : `-${background}`;
    await write(`characters/${name}-porthole${suffix}.webp`, porthole(character, image), portholeBytes);
  }
  await write(`characters/${name}-poster.webp`, drawAtRest(character, 1), posterBytes);
}

for (const name of characters) await renderStills(name);
