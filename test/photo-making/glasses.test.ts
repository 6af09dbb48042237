import type { SKRSContext2D } from "@napi-rs/canvas";
import { beforeAll, describe, expect, test } from "vitest";
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

/** Draws round lenses that hide the eyes, with a reflection on each. */
const wearDark =
  (colour: string) =>
  (context: SKRSContext2D, face: Face): void => {
    wear(colour, 2.2)(context, face);
    const { eyes, pxPerMm, toPicture } = face;
    for (const eye of eyes) {
      const [x, y] = toPicture(eye.middleX, (eye.upper[4]?.[1] ?? 0) + 6);
      context.beginPath();
      context.arc(x, y, radiusMm * pxPerMm, 0, 2 * Math.PI);
      context.fillStyle = colour;
      context.fill();
      context.fillStyle = "#e8f0ff";
      context.fillRect(x - 9 * pxPerMm, y - 9 * pxPerMm, 4 * pxPerMm, 5 * pxPerMm);
    }
  };

describe("glasses in a photograph", () => {
  /** Mina in a dark frame, and what is found of it. */
  let dark: Awaited<ReturnType<typeof drawnOnMina>> & { found: ReturnType<typeof findGlasses> };

  beforeAll(async () => {
    const drawn = await drawnOnMina(wear("#2a1f1a", 2.2));
    dark = { ...drawn, found: findGlasses(drawn.source, false) };
  });

  test("that hide the eyes lie before them wholly, with the light on their lenses, and skin is behind", async () => {
    const { source, face } = await drawnOnMina(wearDark("#17120f"));
    const found = findGlasses(source, false);
    expect(found).not.toBeNull();
    const { area, frame, behind } = found!;
    const at = (x: number, y: number): number => {
      const [px, py] = face.toPicture(x, y).map(Math.floor);
      return 4 * ((py! - area.y) * area.width + px! - area.x);
    };
    for (const eye of face.eyes) {
      const y = (eye.upper[4]?.[1] ?? 0) + 6;
      for (const [dx, dy] of [
        [0, 0],
        [0, -6],
        [-7, -7],
        [12, 8],
      ] as const) {
        const i = at(eye.middleX + dx, y + dy);
        expect(frame.data[i + 3]).toBe(255);
        expect(Math.min(...behind.data.slice(i, i + 3))).toBeGreaterThan(90);
      }
      expect(frame.data[at(eye.middleX, y + radiusMm + 5) + 3]).toBe(0);
    }
  });

  test("are not there where an eye is black around", async () => {
    const { source } = await drawnOnMina((context, { eyes, pxPerMm, toPicture }) => {
      for (const eye of eyes) {
        const [x, y] = toPicture(eye.middleX, (eye.upper[4]?.[1] ?? 0) + 3);
        context.beginPath();
        context.ellipse(x, y, 20 * pxPerMm, 11 * pxPerMm, 0, 0, 2 * Math.PI);
        context.lineWidth = 5 * pxPerMm;
        context.strokeStyle = "#101010";
        context.stroke();
      }
    });
    expect(findGlasses(source, false)).toBeNull();
  });

  test("are found, as a layer that has their frame and nothing of the eyes, with skin behind it", () => {
    const { face, found } = dark;
    expect(found).not.toBeNull();
    const { area, frame, behind } = found!;
    const at = (x: number, y: number): number => {
      const [px, py] = face.toPicture(x, y).map(Math.floor);
      return 4 * ((py! - area.y) * area.width + px! - area.x);
    };
    for (const eye of face.eyes) {
      const y = (eye.upper[4]?.[1] ?? 0) + 6;
      expect(frame.data[at(eye.middleX, y) + 3]).toBe(0);
      const onFrame = at(eye.middleX, y + radiusMm);
      expect(frame.data[onFrame + 3]).toBeGreaterThan(200);
      expect(Math.min(...behind.data.slice(onFrame, onFrame + 3))).toBeGreaterThan(90);
    }
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

  test("are the photograph's own pixels wherever skin is filled in below them", () => {
    const { source } = dark;
    const { area, frame, behind } = dark.found!;
    let farthest = 0;
    for (let i = 0; i < area.width * area.height; i++) {
      const share = frame.data[4 * i + 3]! / 255;
      const [x, y] = [area.x + (i % area.width), area.y + Math.floor(i / area.width)];
      for (let c = 0; c < 3; c++) {
        const seen = frame.data[4 * i + c]! * share + behind.data[4 * i + c]! * (1 - share);
        const own = source.data[4 * (y * source.size + x) + c]!;
        farthest = Math.max(farthest, Math.abs(seen - own));
      }
    }
    expect(farthest).toBeLessThanOrEqual(1);
  });

  test("have what of their frame lies over a brow", async () => {
    const { source, face } = await drawnOnMina((context, drawn) => {
      wear("#2a1f1a", 2.2)(context, drawn);
      const { eyes, pxPerMm, toPicture } = drawn;
      const [x, y] = toPicture(eyes[0].middleX - 6, eyes[0].browY - 1);
      // A bar from the ring upwards.
      context.fillStyle = "#2a1f1a";
      context.fillRect(x, y, 12 * pxPerMm, 3 * pxPerMm);
      context.fillRect(x, y - 6 * pxPerMm, 3 * pxPerMm, 9 * pxPerMm);
    });
    const { area, frame } = findGlasses(source, false)!;
    const [px, py] = face.toPicture(face.eyes[0].middleX, face.eyes[0].browY + 0.5).map(Math.floor);
    expect(frame.data[4 * ((py! - area.y) * area.width + px! - area.x) + 3]).toBeGreaterThan(200);
  });

  test("have the light on their lenses, but not that in the eyes", async () => {
    const light = { x: 0, y: 15 };
    const { source, face } = await drawnOnMina((context, drawn) => {
      wear("#2a1f1a", 2.2)(context, drawn);
      const { eyes, pxPerMm, toPicture } = drawn;
      context.fillStyle = "#ffffff";
      const eyeY = eyes[0].upper[4]?.[1] ?? 0;
      for (const [dx, dy] of [
        [light.x, light.y],
        [0, 4],
      ] as const) {
        const [x, y] = toPicture(eyes[0].middleX + dx, eyeY + dy);
        context.fillRect(x - pxPerMm, y - pxPerMm, 2 * pxPerMm, 2 * pxPerMm);
      }
    });
    const { area, frame } = findGlasses(source, false)!;
    const opacityAt = (dx: number, dy: number): number => {
      const eye = face.eyes[0];
      const [px, py] = face.toPicture(eye.middleX + dx, (eye.upper[4]?.[1] ?? 0) + dy).map(Math.floor);
      return frame.data[4 * ((py! - area.y) * area.width + px! - area.x) + 3]!;
    };
    expect(opacityAt(light.x, light.y)).toBeGreaterThan(200);
    expect(opacityAt(0, 4)).toBe(0);
  });
});
