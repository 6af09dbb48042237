import { beforeAll, expect, test } from "vitest";
import { closeMouth } from "../../src/photo-making/close-mouth.ts";
import type { Landmark } from "../../src/photo-making/detect.ts";
import { lipLines } from "../../src/photo/landmarks.ts";
import { drawnOnMina } from "./source-fixture.ts";

/** How far the lower lip is down, in millimetres. */
const openMm = 7;
const teeth = "#00ff00";

/** Mina with teeth between her lips, in a colour that nothing else has. */
async function smiling() {
  const lowered = new Map<number, number>(
    lipLines.lowerInner.map((i, at) => [i, openMm * Math.sin((Math.PI * at) / 10)]),
  );
  const drawn = await drawnOnMina((context, { points, toPicture }) => {
    context.fillStyle = teeth;
    context.beginPath();
    for (const i of lipLines.upperInner) context.lineTo(...toPicture(points[i]![0], points[i]![1]));
    for (const i of lipLines.lowerInner.toReversed())
      context.lineTo(...toPicture(points[i]![0], points[i]![1] + (lowered.get(i) ?? 0)));
    context.fill();
  });
  const { face, character } = drawn;
  const landmarks = face.points.map(([x, y], i): Landmark => {
    const [px, py] = face.toPicture(x, y + (lowered.get(i) ?? 0));
    return [px / character.size, py / character.size, character.landmarks[3 * i + 2]!];
  });
  return { ...drawn, landmarks };
}

const isTeeth = (data: Uint8ClampedArray, i: number): boolean =>
  data[i + 1]! > 150 && data[i]! < 110 && data[i + 2]! < 110;

function teethIn({ data }: ImageData): number {
  let count = 0;
  for (let i = 0; i < data.length; i += 4) if (isTeeth(data, i)) count++;
  return count;
}

let smile: Awaited<ReturnType<typeof smiling>>;
let closed: ImageData;

beforeAll(async () => {
  smile = await smiling();
  closed = closeMouth(smile.image, smile.landmarks);
});

test("the lips of a smile are closed, and nothing of the teeth is left", () => {
  const before = teethIn(smile.image);
  expect(before).toBeGreaterThan(500);
  expect(teethIn(closed)).toBeLessThan(before * 0.02);
});

test("eyes and all above the nose stay as they are", () => {
  const { image, face } = smile;
  const [, above] = face.toPicture(0, face.noseY - 12);
  const bytes = 4 * image.width * Math.floor(above);
  const changedAt = closed.data.subarray(0, bytes).findIndex((value, i) => value !== image.data[i]);
  expect(changedAt).toBe(-1);
});
