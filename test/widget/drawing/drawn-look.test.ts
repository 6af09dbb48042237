import { readFileSync } from "node:fs";
import { Canvas, createCanvas, Path2D } from "@napi-rs/canvas";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readDrawn } from "../../../src/widget/drawing/local/drawn-look.ts";

const mina: unknown = JSON.parse(readFileSync("public/characters/mina.json", "utf8"));

let canvases: Canvas[];
const bytes = (): number => canvases.reduce((sum, { width, height }) => sum + width * height * 4, 0);

beforeEach(() => {
  canvases = [];
  vi.stubGlobal("Path2D", Path2D);
  vi.stubGlobal("HTMLCanvasElement", Canvas);
  vi.stubGlobal("document", {
    createElement: () => {
      const canvas = createCanvas(300, 150);
      canvases.push(canvas);
      return canvas;
    },
  });
});

afterEach(() => vi.unstubAllGlobals());

it("holds no canvas of another size, and none once it is ended", () => {
  const painting = readDrawn(mina).paint(512, () => undefined);
  for (let i = 0; i < 20; i++) painting.draw({ headTurn: i / 20, visemeWeights: { aa: i / 20 } });
  const [before, count] = [bytes(), canvases.length];
  expect(before).toBeGreaterThan(4e6);
  painting.resize(256);
  expect(canvases.length).toBeGreaterThan(count);
  expect(bytes()).toBeLessThan(before / 4);
  expect(painting.canvas.width).toBe(256);
  painting.destroy();
  expect(bytes()).toBe(0);
});
