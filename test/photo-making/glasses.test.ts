import type { SKRSContext2D } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { findGlasses } from "../../src/photo-making/glasses.ts";
import type { Face } from "../../src/photo/face.ts";
import { drawnOnMina } from "./source-fixture.ts";

const radiusMm = 21;

/** Draws a round frame with a bridge. */
const wear =
  (colour: string, widthMm: number) =>
  (context: SKRSContext2D, { eyes, pxPerMm, toPicture }: Face): void => {
    context.strokeStyle = colour;
    context.lineWidth = widthMm * pxPerMm;
    const middles = eyes.map((eye) => [eye.middleX, (eye.upper[4]?.[1] ?? 0) + 6] as const);
    context.beginPath();
    for (const [x, y] of middles) {
      const [px, py] = toPicture(x, y);
      context.moveTo(px + radiusMm * pxPerMm, py);
      context.arc(px, py, radiusMm * pxPerMm, 0, 2 * Math.PI);
    }
    const [left, right] = [middles[0]?.[0] ?? 0, middles[1]?.[0] ?? 0];
    context.moveTo(...toPicture(left + radiusMm, middles[0]?.[1] ?? 0));
    context.lineTo(...toPicture(right - radiusMm, middles[1]?.[1] ?? 0));
    context.stroke();
  };

describe("glasses in a photograph", () => {
  test("are found, as a layer that has their frame and nothing of the eyes", async () => {
    const { source, face } = await drawnOnMina(wear("#2a1f1a", 2.2));
    const found = findGlasses(source, false);
    expect(found).not.toBeNull();
    const opacityAt = (x: number, y: number): number => {
      const [px, py] = face.toPicture(x, y).map(Math.floor);
      const { area, frame } = found!;
      return frame.data[4 * ((py! - area.y) * area.width + px! - area.x) + 3]!;
    };
    for (const eye of face.eyes) {
      const y = (eye.upper[4]?.[1] ?? 0) + 6;
      expect(opacityAt(eye.middleX, y)).toBe(0);
      expect(opacityAt(eye.middleX, y + radiusMm)).toBeGreaterThan(200);
    }
  });

  test("leave skin behind them", async () => {
    const { source, face } = await drawnOnMina(wear("#101010", 2.2));
    const { area, behind } = findGlasses(source, false)!;
    const eye = face.eyes[0];
    const [px, py] = face.toPicture(eye.middleX, (eye.upper[4]?.[1] ?? 0) + 6 + radiusMm).map(Math.floor);
    const at = 4 * ((py! - area.y) * area.width + px! - area.x);
    expect(Math.min(...behind.data.slice(at, at + 3))).toBeGreaterThan(90);
  });

  test("are not seen in a face without any", async () => {
    const { source } = await drawnOnMina();
    expect(findGlasses(source, false)).toBeNull();
    expect(findGlasses(source, true)).toBeNull();
  });

  test("with a frame near the skin's colour are found where somebody says so", async () => {
    const { source } = await drawnOnMina(wear("#d6a88f", 2.2));
    expect(findGlasses(source, false)).toBeNull();
    expect(findGlasses(source, true)).not.toBeNull();
  });

  test("are no bar over the eyes", async () => {
    const { source } = await drawnOnMina((context, { eyes, toPicture, pxPerMm }) => {
      const [x, y] = toPicture(eyes[0].from, eyes[0].browY);
      context.fillStyle = "#101010";
      context.fillRect(x, y, 110 * pxPerMm, 40 * pxPerMm);
    });
    expect(findGlasses(source, false)).toBeNull();
  });
});
