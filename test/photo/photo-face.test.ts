import { createCanvas } from "@napi-rs/canvas";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { visemes, type PuppetParams } from "../../src/puppet/index.ts";
import { createPhotoFace, photoFaceSteps } from "../../src/photo/index.ts";
import { PhotoDrawing } from "../../src/service/media/photo/photo-drawing.ts";
import { photoMina } from "./photo-fixture.ts";

const size = 320;
const character = photoMina();
let drawing: PhotoDrawing;

beforeAll(async () => {
  drawing = await PhotoDrawing.load(character, size);
});

function draw(params: PuppetParams): Uint8Array {
  const words = new Uint32Array(size * size);
  drawing.draw(params, words);
  return new Uint8Array(words.buffer);
}

/** A landmark's pixel: its brightness and its opacity. */
function pixelAt(picture: Uint8Array, landmark: number): { light: number; alpha: number } {
  const [x = 0, y = 0] = [0, 1].map((axis) => Math.floor(character.landmarks[3 * landmark + axis]! * size));
  const at = 4 * (y * size + x);
  return { light: picture[at]! + picture[at + 1]! + picture[at + 2]!, alpha: picture[at + 3]! };
}

const [betweenLips, leftIris, leftBrow] = [14, 468, 105];

describe("a photographed face", () => {
  test("is the photograph at rest, cut out", () => {
    const rest = draw({});
    expect(pixelAt(rest, betweenLips).alpha).toBe(255);
    expect(rest[3]).toBe(0);
    const brighterThanOpaque = rest.findIndex((value, i) => value > rest[i | 3]!);
    expect(brighterThanOpaque).toBe(-1);
  });

  test("opens its mouth to speak, and closes it for p, b and m", () => {
    const closed = pixelAt(draw({}), betweenLips).light;
    const changes = (params: PuppetParams): number => {
      const [now, before] = [draw(params), draw({})];
      return now.reduce((sum, value, i) => sum + Math.abs(value - before[i]!), 0);
    };
    expect(closed).toBeGreaterThan(0);
    expect(changes({ visemeWeights: { aa: 1 } })).toBeGreaterThan(3 * changes({ visemeWeights: { PP: 1 } }));
  });

  test("every viseme has a shape of its own", () => {
    const shapes = visemes.map((viseme) =>
      Buffer.from(draw({ visemeWeights: { [viseme]: 1 } })).toString("latin1"),
    );
    expect(new Set(shapes).size).toBe(visemes.length);
  });

  test("closes its eyes, one or both", () => {
    const open = pixelAt(draw({}), leftIris).light;
    expect(pixelAt(draw({ blink: 1 }), leftIris).light).toBeGreaterThan(open + 100);
    expect(pixelAt(draw({ blinkR: 1 }), leftIris).light).toBe(open);
  });

  test("raises its brows and turns its head", () => {
    const rest = draw({});
    expect(pixelAt(draw({ browRaise: 1 }), leftBrow)).not.toEqual(pixelAt(rest, leftBrow));
    const isRest = (params: PuppetParams): boolean => Buffer.compare(draw(params), rest) === 0;
    expect(isRest({ headTurn: 1 })).toBe(false);
    expect(isRest({ headTurn: 0, visemeWeights: {} })).toBe(true);
  });

  test("is measured in steps that are all small, so that a page has its turn in between", () => {
    const exp = vi.spyOn(Math, "exp");
    const counts: number[] = [];
    const steps = photoFaceSteps(character);
    for (let done: boolean | undefined = false; !done;) {
      const before = exp.mock.calls.length;
      done = steps.next().done;
      counts.push(exp.mock.calls.length - before);
    }
    const all = exp.mock.calls.length;
    exp.mockRestore();
    expect(all).toBeGreaterThan(100_000);
    expect(Math.max(...counts)).toBeLessThan(all / 20);
  });

  test("has no vertex without a place, whatever the pose", () => {
    const face = createPhotoFace(character);
    for (const end of [-1, 1]) {
      const weights = Object.fromEntries(visemes.map((viseme) => [viseme, 1]));
      face.pose({
        ...{ headTurn: end, headNod: end, headTilt: end, gazeX: end, gazeY: end, browRaise: end },
        ...{ smile: 1, concern: 1, blink: 0.5, breath: 1, visemeWeights: weights },
      });
      for (const mesh of face.meshes) expect(mesh.positions.every(Number.isFinite)).toBe(true);
    }
  });

  test("moves before a background that was kept, which stays and is whole", async () => {
    const behind = createCanvas(character.size, character.size);
    const context = behind.getContext("2d");
    context.fillStyle = "#2040c0";
    context.fillRect(0, 0, character.size, character.size);
    const background = `data:image/png;base64,${behind.toBuffer("image/png").toString("base64")}`;
    const kept = await PhotoDrawing.load(
      { ...character, pictures: { ...character.pictures, background } },
      size,
    );
    for (const params of [{}, { headTilt: 1 }, { headTurn: -1, headNod: 1 }]) {
      const words = new Uint32Array(size * size);
      kept.draw(params, words);
      expect(words.every((word) => word >>> 24 === 255)).toBe(true);
      for (const corner of [0, size - 1]) expect(words[corner]).toBe(0xffc04020);
    }
  });
});
