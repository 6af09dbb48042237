import { createCanvas } from "@napi-rs/canvas";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Matrix, PixelBox } from "../../../../src/puppet/index.ts";
import {
  type Easel,
  inverse,
  type PlacedPicture,
  PlaneCanvas,
  PlaneFrame,
} from "../../../../src/service/media/planes/plane-pictures.ts";
import { PlaneMemory } from "../../../../src/service/media/planes/plane-memory.ts";
import { type PlacedPixels, referenceFrame } from "./reference-frame.ts";

const size = 64;
const whole = { x: 0, y: 0, width: size, height: size };

function newEasel(): Easel {
  const memory = new PlaneMemory();
  memory.kernel.useScratch(memory.take(memory.kernel.scratchBytes(size)).at, size);
  return { memory, take: (width, height) => createCanvas(width, height), give: () => undefined };
}

const easel = newEasel();

/** A picture with a soft edge and an opaque middle, whose colours change slowly, so that how it is sampled makes little difference. */
interface Drawing {
  x: number;
  y: number;
  width: number;
  height: number;
  hue: number;
}

function draw({ x, y, width, height, hue }: Drawing): { canvas: PlaneCanvas; pixels: PlacedPixels } {
  const canvas = new PlaneCanvas(easel, width, height);
  const copy = createCanvas(width, height);
  for (const ctx of [canvas.getContext(), copy.getContext("2d")]) {
    const radius = Math.min(width, height) / 2;
    const fill = ctx.createRadialGradient(width / 2, height / 2, radius / 3, width / 2, height / 2, radius);
    fill.addColorStop(0, `hsl(${hue} 70% 45%)`);
    fill.addColorStop(1, `hsl(${hue} 70% 45% / 0)`);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.fillStyle = fill;
    if ("fillRect" in ctx) ctx.fillRect(0, 0, width, height);
  }
  return { canvas, pixels: { rgba: Uint8Array.from(copy.data()), width, height, x, y } };
}

/** Where a drawing is shown: turned and scaled about its middle, and shifted. */
interface Move {
  turn: number;
  scale: number;
  shiftX: number;
  shiftY: number;
}

function matrixOf({ x, y, width, height }: Drawing, { turn, scale, shiftX, shiftY }: Move): Matrix {
  const [a, b] = [scale * Math.cos(turn), scale * Math.sin(turn)];
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  return [
    a,
    b,
    -b,
    a,
    middleX + shiftX - a * middleX + b * middleY,
    middleY + shiftY - b * middleX - a * middleY,
  ];
}

const side = fc.integer({ min: 16, max: 48 });
const place = fc.integer({ min: -8, max: 40 });
const drawings = fc.record({
  x: place,
  y: place,
  width: side,
  height: side,
  hue: fc.integer({ min: 0, max: 359 }),
});
const shift = fc.double({ min: -9, max: 9, noNaN: true });
const gentle = fc.record({
  turn: fc.double({ min: -0.13, max: 0.13, noNaN: true }),
  scale: fc.double({ min: 0.9, max: 1.1, noNaN: true }),
  shiftX: shift,
  shiftY: shift,
});
const strong = fc.record({
  turn: fc.double({ min: -3.2, max: 3.2, noNaN: true }),
  scale: fc.double({ min: 0.6, max: 1.8, noNaN: true }),
  shiftX: shift,
  shiftY: shift,
});
const layers = fc.array(
  fc.record({ drawing: drawings, move: fc.oneof(fc.constant(undefined), gentle, gentle, strong) }),
  { minLength: 1, maxLength: 3 },
);

interface Layer {
  drawing: Drawing;
  move: Move | undefined;
}

function placed({ drawing, move }: Layer, area: PixelBox = whole) {
  const { canvas, pixels } = draw(drawing);
  const matrix = move && matrixOf(drawing, move);
  const { x, y, width, height } = drawing;
  return { pixels, placement: { picture: { canvas, box: { x, y, width, height } }, matrix, area } };
}

const identity: Matrix = [1, 0, 0, 1, 0, 0];

function shown(frame: PlaneFrame, some: readonly PlacedPicture[], box = whole): Uint8Array {
  frame.compose(some, box);
  return Uint8Array.from(frame.video.data);
}

test("a frame is black and transparent at first", () => {
  const { width, height, data } = new PlaneFrame(easel.memory, size).video;
  expect({ width, height }).toEqual({ width: size, height: size * 2 });
  expect(new Set(data.subarray(0, size * size * 2))).toEqual(new Set([16]));
  expect(new Set(data.subarray(size * size * 2))).toEqual(new Set([128]));
});

test("pictures are laid over each other where maps move them, as the simplest way does it", () => {
  fc.assert(
    fc.property(layers, (some) => {
      const made = some.map((layer) => placed(layer));
      const frame = new PlaneFrame(easel.memory, size);
      const seen = shown(
        frame,
        made.map(({ placement }) => placement),
      );
      const expected = referenceFrame(
        size,
        made.map(({ pixels, placement: { matrix } }) => ({
          pixels,
          back: matrix ? (inverse(matrix) ?? identity) : identity,
        })),
      );
      const differences = expected.map((value, index) => Math.abs(value - (seen[index] ?? 0)));
      frame.release();
      expect(Math.max(...differences)).toBeLessThan(9);
      expect(differences.reduce((sum, each) => sum + each, 0) / differences.length).toBeLessThan(0.6);
    }),
    { numRuns: 150 },
  );
});

test("composing a box anew makes there what composing everything makes, to a rounding, and changes nothing else", () => {
  const boxes = fc.record({
    x: fc.integer({ min: 0, max: 3 }),
    y: fc.integer({ min: 0, max: 3 }),
    width: fc.integer({ min: 1, max: 4 }),
    height: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(layers, layers, boxes, (before, after, { x, y, width, height }) => {
      const box = {
        x: 16 * x,
        y: 16 * y,
        width: Math.min(size - 16 * x, 16 * width),
        height: Math.min(size - 16 * y, 16 * height),
      };
      const [first, second] = [before, after].map((some) => some.map((layer) => placed(layer).placement));
      const partly = new PlaneFrame(easel.memory, size);
      const old = shown(partly, first ?? []);
      const now = shown(partly, second ?? [], box);
      const wholly = shown(new PlaneFrame(easel.memory, size), second ?? []);
      for (let row = 0; row < size; row++)
        for (let column = 0; column < size; column++) {
          const isInside =
            column >= box.x && column < box.x + box.width && row >= box.y && row < box.y + box.height;
          for (const at of [row * size + column, (size + row) * size + column]) {
            const expected = (isInside ? wholly : old)[at] ?? 0;
            if (Math.abs((now[at] ?? 0) - expected) > (isInside ? 2 : 0))
              throw new Error(`${column}, ${row} differs`);
          }
        }
    }),
    { numRuns: 100 },
  );
});

test("a map that leaves nothing of a picture shows nothing", () => {
  const { placement } = placed({ drawing: { x: 8, y: 8, width: 32, height: 32, hue: 20 }, move: undefined });
  const frame = new PlaneFrame(easel.memory, size);
  const seen = shown(frame, [{ ...placement, matrix: [0, 0, 0, 0, 20, 20] }]);
  expect(new Set(seen.subarray(0, size * size * 2))).toEqual(new Set([16]));
});

test("a canvas that replaces an unused one takes its memory", () => {
  const { memory } = newEasel();
  const own: Easel = { ...easel, memory };
  let canvas = new PlaneCanvas(own, 32, 32);
  canvas.getContext();
  const first = canvas.planes({ x: 0, y: 0 });
  for (let count = 0; count < 50; count++) {
    canvas = new PlaneCanvas(own, 32, 32, canvas);
    canvas.getContext();
    expect(canvas.planes({ x: count % 3, y: count % 2 })).toBe(first);
  }
});

test("a canvas on which nothing was drawn has no picture", () => {
  expect(() => new PlaneCanvas(easel, 32, 32).planes({ x: 0, y: 0 })).toThrow("Nothing was drawn");
});
