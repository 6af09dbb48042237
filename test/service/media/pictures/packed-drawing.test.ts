import { expect, test } from "vitest";
import { createPuppetBehaviour, type PuppetParams } from "../../../../src/puppet/index.ts";
import { CharacterPictures } from "../../../../src/service/media/pictures/character-pictures.ts";
import { HeldPose } from "../../../../src/service/media/pictures/held-pose.ts";
import { packedDrawing, PackedFrame } from "../../../../src/service/media/pictures/packed-drawing.ts";
import type { PixelPatch } from "../../../../src/service/media/pictures/pixel-patch.ts";
import { oftenDrawn } from "../../../puppet/load-character.ts";
import { longUtterance } from "../../../puppet/speech-sample.ts";
import { characterFile } from "../media-stand.ts";
import { referenceFrame } from "../planes/reference-frame.ts";

const size = 256;
const frames = 30;
const pictures = new CharacterPictures();

/** Lets native buffers be freed, which happens only when the event loop turns. */
const eventLoopTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The poses of a character that speaks, and then poses far from rest. */
function* poses(file: string): Generator<PuppetParams> {
  const behaviour = createPuppetBehaviour(pictures.character(file), { seed: 3 });
  behaviour.speak(longUtterance(), 0);
  for (let frame = 0; frame < frames; frame++) yield behaviour.step(frame * 40);
  yield { headTurn: 1, headNod: -1, headTilt: 1 };
  yield { headTurn: -1, headNod: 1, headTilt: -1, blink: 1, smile: 1 };
  yield { visemeWeights: { aa: 1 }, browRaise: 1 };
}

/** The mean and the largest difference of two frames. */
function difference(some: Uint8Array, others: Uint8Array): { mean: number; largest: number } {
  let [sum, largest] = [0, 0];
  for (let at = 0; at < some.length; at++) {
    const each = Math.abs((some[at] ?? 0) - (others[at] ?? 0));
    sum += each;
    largest = Math.max(largest, each);
  }
  return { mean: sum / some.length, largest };
}

test.each(oftenDrawn)(
  "%s: frames composed of planes are those that are converted from drawn pixels, while it speaks and moves",
  async (name) => {
    const file = characterFile(name);
    const drawing = packedDrawing(pictures, file, size);
    const picture = pictures.take(file, size);
    const converted = new PackedFrame(size);
    const hold = new HeldPose(pictures.character(file), size);
    for (const params of poses(file)) {
      const frame = drawing.draw(params);
      const patch = picture.draw(hold.hold(params));
      if (patch) converted.pack(patch);
      expect(frame).toMatchObject({ width: size, height: 2 * size });
      const { mean, largest } = difference(frame!.data, converted.video.data);
      expect(mean).toBeLessThan(0.25);
      expect(largest).toBeLessThanOrEqual(24);
      await eventLoopTurn();
    }
    drawing.release();
    picture.release();
  },
);

test("a frame of the same pose is still, and is the same", () => {
  const drawing = packedDrawing(pictures, characterFile("mina"), size);
  const first = Uint8Array.from(drawing.draw({})!.data);
  expect(drawing.isStill).toBe(false);
  drawing.draw({});
  expect(Uint8Array.from(drawing.draw({})!.data)).toEqual(first);
  expect(drawing.isStill).toBe(true);
  drawing.release();
});

test("sessions that share pictures have frames of their own", () => {
  const [one, two] = [1, 2].map(() => packedDrawing(pictures, characterFile("mina"), size));
  const before = Uint8Array.from(one!.draw({})!.data);
  two!.draw({ headTurn: 1, visemeWeights: { aa: 1 } });
  expect(Uint8Array.from(one!.draw({})!.data)).toEqual(before);
  for (const each of [one!, two!]) each.release();
});

test("a size that planes cannot have is converted from drawn pixels", () => {
  const drawing = packedDrawing(pictures, characterFile("mina"), 264);
  expect(drawing.draw({})).toMatchObject({ width: 264, height: 528 });
  drawing.release();
});

test("a picture is ready after it was drawn once with that matte", () => {
  const own = new CharacterPictures();
  for (const matte of ["packed-alpha", "none"] as const) {
    expect(own.isReady(characterFile("mina"), 272, matte)).toBe(false);
    own.warm(characterFile("mina"), 272, matte);
    expect(own.isReady(characterFile("mina"), 272, matte)).toBe(true);
  }
});

/** The side of a picture of which every pixel is looked at. */
const small = 32;

/** Premultiplied pixels of different colours: opaque, transparent and in between. */
function picture(seed: number, width: number, height: number): Uint8Array {
  const rgba = new Uint8Array(width * height * 4);
  let state = seed;
  const next = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  // Blocks of 2 × 2 share a colour, because the chroma planes have one value for each.
  for (let y = 0; y < height; y += 2)
    for (let x = 0; x < width; x += 2) {
      const alpha = [0, 255, Math.floor(next() * 256)][Math.floor(next() * 3)]!;
      const colour = [next(), next(), next()].map((part) => Math.floor(part * alpha));
      for (const at of [y * width + x, y * width + x + 1, (y + 1) * width + x, (y + 1) * width + x + 1])
        rgba.set([...colour, alpha], at * 4);
    }
  return rgba;
}

function whole(rgba: Uint8Array): PixelPatch {
  const sides = { width: small, height: small };
  return { rgba, ...sides, box: { x: 0, y: 0, ...sides } };
}

function packed(...patches: PixelPatch[]): Uint8Array {
  const frame = new PackedFrame(small);
  for (const patch of patches) frame.pack(patch);
  return frame.video.data;
}

test("a frame is twice as high as wide, and is black and transparent at first", () => {
  const { width, height, data } = new PackedFrame(small).video;
  expect([width, height, data.length]).toEqual([small, small * 2, small * small * 3]);
  expect(new Set(data.subarray(0, small * small * 2))).toEqual(new Set([16]));
  expect(new Set(data.subarray(small * small * 2))).toEqual(new Set([128]));
});

test("the upper half has the colours in BT.601, the lower half the matte in grey", () => {
  const rgba = picture(1, small, small);
  const pixels = { rgba, width: small, height: small, x: 0, y: 0 };
  const expected = referenceFrame(small, [{ pixels, back: [1, 0, 0, 1, 0, 0] }]);
  const data = packed(whole(rgba));
  const count = small * small;
  /** How far a value may be off: the matte is exact, and has no colour of its own. */
  const most = (at: number): number =>
    at < count ? 2 : at < 2 * count ? 0.5 : (at / count) % 0.5 < 0.25 ? 2.5 : 0;
  expected.forEach((value, at) => expect(Math.abs(data[at]! - value)).toBeLessThanOrEqual(most(at)));
});

test.each([
  { x: 8, y: 16, width: 16, height: 8 },
  { x: 0, y: 0, width: 8, height: 8 },
  { x: 24, y: 24, width: 8, height: 8 },
  { x: 0, y: 8, width: 32, height: 16 },
])("a patch at $x, $y of $width × $height makes what the whole picture would have made", (box) => {
  const before = picture(2, small, small);
  // Its rows are longer than the box. The rest of a row is unused.
  const width = 40;
  const patch: PixelPatch = { rgba: picture(3, width, 32), width, height: 32, box };
  const after = before.slice();
  for (let row = 0; row < box.height; row++) {
    const [from, to] = [row * width * 4, ((box.y + row) * small + box.x) * 4];
    after.set(patch.rgba.subarray(from, from + box.width * 4), to);
  }
  expect(packed(whole(before), patch)).toEqual(packed(whole(after)));
});
