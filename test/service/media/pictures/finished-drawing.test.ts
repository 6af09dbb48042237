import { createCanvas, loadImage, Path2D } from "@napi-rs/canvas";
import { afterEach, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { createPuppetRenderer, parseCharacter, type PuppetParams } from "../../../../src/puppet/index.ts";
import { avatarPlace } from "../../../../src/service/media/pictures/avatar-place.ts";
import { Backdrops } from "../../../../src/service/media/pictures/backdrops.ts";
import { CharacterPictures } from "../../../../src/service/media/pictures/character-pictures.ts";
import type { Drawing } from "../../../../src/service/media/pictures/drawing.ts";
import { finishedDrawing } from "../../../../src/service/media/pictures/finished-drawing.ts";
import { HeldPose } from "../../../../src/service/media/pictures/held-pose.ts";
import { MediaClock } from "../../../../src/service/media/media-clock.ts";
import { toI420 } from "../../../../src/service/media/pictures/pixel-patch.ts";
import type { Paddings } from "../../../../src/protocol/settings/stage-settings.ts";
import { characterFile } from "../media-stand.ts";

const mina = characterFile("mina");
const pictures = new CharacterPictures();
const backdrops = new Backdrops(new MediaClock());

/** Poses that each differ from the previous one by more than the pose hold filters out. */
const poses: PuppetParams[] = [
  {},
  { headTurn: 0.8, blink: 1 },
  { headTurn: -0.6, headNod: 0.5, visemeWeights: { aa: 1 } },
  { headTurn: -0.6, headNod: 0.5, blink: 1 },
];

async function background(name: string) {
  const canvas = createCanvas(300, 200);
  const ctx = canvas.getContext("2d");
  const colours = ctx.createLinearGradient(0, 0, 300, 200);
  colours.addColorStop(0, "#203040");
  colours.addColorStop(1, "#e0c090");
  ctx.fillStyle = colours;
  ctx.fillRect(0, 0, 300, 200);
  const bytes = canvas.toBuffer("image/png");
  return { bytes, loaded: await backdrops.load(name, bytes) };
}

const drawings: Drawing[] = [];
afterEach(() => {
  for (const drawing of drawings.splice(0)) drawing.release();
});

async function drawing(size: { width: number; height: number }, paddings: Paddings): Promise<Drawing> {
  const { loaded } = await background("gradient");
  const backdrop = backdrops.backdrop("gradient", loaded, size);
  const made = finishedDrawing(pictures, mina, backdrop, avatarPlace(size, paddings));
  drawings.push(made);
  return made;
}

const at = (padding_left: number, padding_top: number, padding_height: number): Paddings => ({
  ...{ padding_left, padding_top, padding_height },
});

const wide = { width: 480, height: 270 };
const layouts = [
  { name: "as high as the frame", size: wide, paddings: at(0, 0, 1), isScaled: false },
  { name: "cut at the sides", size: { width: 242, height: 430 }, paddings: at(0, 0, 1), isScaled: false },
  { name: "half outside", size: wide, paddings: at(-0.45, 0.5, 0.9), isScaled: false },
  { name: "larger than it is drawn", size: wide, paddings: at(0.1, 0, 4.5), isScaled: true },
  { name: "smaller than it is drawn", size: wide, paddings: at(0.3, 0.2, 0.1), isScaled: true },
];

/** Mean difference of two frames. */
function difference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, index) => sum + Math.abs(value - b[index]!), 0) / a.length;
}

/** A complete picture of the avatar, composed of the patches that a renderer with the same history draws. */
function wholeAvatar(drawn: number, side: number) {
  const picture = pictures.take(mina, drawn);
  const hold = new HeldPose(pictures.character(mina), side);
  const canvas = createCanvas(drawn, drawn);
  return (pose: PuppetParams) => {
    const patch = picture.paint(hold.hold(pose));
    if (patch) {
      const { x, y, width, height } = patch.box;
      canvas.getContext("2d").clearRect(x, y, width, height);
      canvas.getContext("2d").drawImage(patch.canvas, 0, 0, width, height, x, y, width, height);
    }
    return canvas;
  };
}

test.each(layouts)(
  "a frame is the avatar composed over the backdrop, without seams, when poses are drawn one after the other: $name",
  async ({ size, paddings, isScaled }) => {
    const { loaded } = await background("gradient");
    const kept = await drawing(size, paddings);
    const { left, top, side, drawn } = avatarPlace(size, paddings);
    expect(drawn !== side).toBe(isScaled);
    const avatar = wholeAvatar(drawn, side);
    for (const pose of poses) {
      const canvas = createCanvas(size.width, size.height);
      const ctx = canvas.getContext("2d");
      ctx.imageSmoothingQuality = side > drawn ? "medium" : "high";
      ctx.drawImage(backdrops.backdrop("gradient", loaded, size).canvas, 0, 0);
      ctx.drawImage(avatar(pose), left, top, side, side);
      const expected = Uint8Array.from(toI420({ rgba: canvas.data(), ...size }));
      expect(difference(kept.draw(pose)!.data, expected)).toBeLessThan(0.05);
    }
  },
);

test.each(layouts)(
  "the picture is the avatar composed over the background: $name",
  async ({ size, paddings }) => {
    const { width, height } = size;
    const { bytes } = await background("reference");
    const canvas = createCanvas(width, height);
    const ctx = canvas.getContext("2d");
    ctx.imageSmoothingQuality = "high";
    const cover = Math.max(width / 300, height / 200);
    const [w, h] = [300 * cover, 200 * cover];
    ctx.drawImage(await loadImage(bytes), (width - w) / 2, (height - h) / 2, w, h);
    const side = paddings.padding_height * height;
    const avatar = createPuppetRenderer(
      parseCharacter(JSON.parse(readFileSync(mina, "utf8"))),
      { Path2D, createCanvas: (x: number, y: number) => createCanvas(x, y) },
      { size: Math.ceil(side) },
    ).draw(poses[2]);
    const left = (0.5 + paddings.padding_left) * width - side / 2;
    ctx.drawImage(avatar, left, paddings.padding_top * height, side, side);
    const expected = Uint8Array.from(toI420({ rgba: canvas.data(), width, height }));
    const frame = (await drawing(size, paddings)).draw(poses[2]!)!.data;
    // The avatar's position is rounded to even pixels, so edges may be off by a pixel or two.
    expect(difference(frame, expected)).toBeLessThan(4);
  },
);

test("sessions that are drawn on the same canvases do not affect each other", async () => {
  const [one, other] = [await drawing(wide, at(0, 0, 1)), await drawing(wide, at(0.2, 0, 1))];
  one.draw(poses[0]!);
  other.draw(poses[1]!);
  const alone = await drawing(wide, at(0, 0, 1));
  alone.draw(poses[0]!);
  const frame = Uint8Array.from(one.draw(poses[2]!)!.data);
  expect(difference(frame, alone.draw(poses[2]!)!.data)).toBe(0);
});
