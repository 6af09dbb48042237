import type { SKRSContext2D } from "@napi-rs/canvas";
import { beforeAll, describe, expect, test } from "vitest";
import { findGlasses } from "../../src/photo-making/glasses.ts";
import type { Face } from "../../src/photo/face.ts";
import { drawnOnMina } from "./source-fixture.ts";

const radiusMm = 21;

type Eye = Face["eyes"][number];

/** So many millimetres right of the middle of an eye's lens and below it, in the face. */
const inLens = (eye: Eye, dx = 0, dy = 0): [number, number] => [
  eye.middleX + dx,
  (eye.upper[4]?.[1] ?? 0) + 6 + dy,
];

/** Draws a round frame with a bridge. */
const wear =
  (colour: string) =>
  (context: SKRSContext2D, { eyes, pxPerMm, toPicture }: Face): void => {
    context.strokeStyle = colour;
    context.lineWidth = 2.2 * pxPerMm;
    context.beginPath();
    for (const eye of eyes) {
      context.moveTo(...toPicture(...inLens(eye, radiusMm)));
      context.arc(...toPicture(...inLens(eye)), radiusMm * pxPerMm, 0, 2 * Math.PI);
    }
    context.moveTo(...toPicture(...inLens(eyes[0], radiusMm)));
    context.lineTo(...toPicture(...inLens(eyes[1], -radiusMm)));
    context.stroke();
  };

/** Draws round lenses that hide the eyes, with a reflection on each. */
const wearDark =
  (colour: string) =>
  (context: SKRSContext2D, face: Face): void => {
    wear(colour)(context, face);
    const { eyes, pxPerMm, toPicture } = face;
    for (const eye of eyes) {
      const [x, y] = toPicture(...inLens(eye));
      context.beginPath();
      context.arc(x, y, radiusMm * pxPerMm, 0, 2 * Math.PI);
      context.fillStyle = colour;
      context.fill();
      context.fillStyle = "#e8f0ff";
      context.fillRect(x - 9 * pxPerMm, y - 9 * pxPerMm, 4 * pxPerMm, 5 * pxPerMm);
    }
  };

type Found = NonNullable<ReturnType<typeof findGlasses>>;

/** The place of the pixels' bytes for a point of the face, in what was found. */
function placeIn({ area }: Found, { toPicture }: Face, point: [number, number]): number {
  const [px, py] = toPicture(...point).map(Math.floor);
  return 4 * ((py! - area.y) * area.width + px! - area.x);
}

describe("glasses in a photograph", () => {
  /** Mina in a dark frame, and what is found of it. */
  let dark: Awaited<ReturnType<typeof drawnOnMina>> & { found: Found | null };

  beforeAll(async () => {
    const drawn = await drawnOnMina(wear("#2a1f1a"));
    dark = { ...drawn, found: findGlasses(drawn.source, false) };
  });

  test("that hide the eyes lie before them wholly, with the light on their lenses, and skin is behind", async () => {
    const { source, face } = await drawnOnMina(wearDark("#17120f"));
    const found = findGlasses(source, false);
    expect(found).not.toBeNull();
    const { frame, behind } = found!;
    for (const eye of face.eyes) {
      for (const [dx, dy] of [
        [0, 0],
        [0, -6],
        [-7, -7],
        [12, 8],
      ] as const) {
        const i = placeIn(found!, face, inLens(eye, dx, dy));
        expect(frame.data[i + 3]).toBe(255);
        expect(Math.min(...behind.data.slice(i, i + 3))).toBeGreaterThan(90);
      }
      expect(frame.data[placeIn(found!, face, inLens(eye, 0, radiusMm + 5)) + 3]).toBe(0);
    }
  });

  test("are not there where an eye is black around", async () => {
    const { source } = await drawnOnMina((context, { eyes, pxPerMm, toPicture }) => {
      for (const eye of eyes) {
        const [x, y] = toPicture(...inLens(eye, 0, -3));
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
    const { frame, behind } = found!;
    for (const eye of face.eyes) {
      expect(frame.data[placeIn(found!, face, inLens(eye)) + 3]).toBe(0);
      const onFrame = placeIn(found!, face, inLens(eye, 0, radiusMm));
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
    const { source } = await drawnOnMina(wear("#d6a88f"));
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
      wear("#2a1f1a")(context, drawn);
      const { eyes, pxPerMm, toPicture } = drawn;
      const [x, y] = toPicture(eyes[0].middleX - 6, eyes[0].browY - 1);
      // A bar from the ring upwards.
      context.fillStyle = "#2a1f1a";
      context.fillRect(x, y, 12 * pxPerMm, 3 * pxPerMm);
      context.fillRect(x, y - 6 * pxPerMm, 3 * pxPerMm, 9 * pxPerMm);
    });
    const found = findGlasses(source, false)!;
    const onBrow = placeIn(found, face, [face.eyes[0].middleX, face.eyes[0].browY + 0.5]);
    expect(found.frame.data[onBrow + 3]).toBeGreaterThan(200);
  });

  test("have the light on their lenses, but not that in the eyes", async () => {
    const { source, face } = await drawnOnMina((context, drawn) => {
      wear("#2a1f1a")(context, drawn);
      const { eyes, pxPerMm, toPicture } = drawn;
      context.fillStyle = "#ffffff";
      for (const dy of [9, -2]) {
        const [x, y] = toPicture(...inLens(eyes[0], 0, dy));
        context.fillRect(x - pxPerMm, y - pxPerMm, 2 * pxPerMm, 2 * pxPerMm);
      }
    });
    const found = findGlasses(source, false)!;
    const opacityAt = (dy: number): number =>
      found.frame.data[placeIn(found, face, inLens(face.eyes[0], 0, dy)) + 3]!;
    expect(opacityAt(9)).toBeGreaterThan(200);
    expect(opacityAt(-2)).toBe(0);
  });
});
