import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CharacterPictures } from "../../../../src/service/media/pictures/character-pictures.ts";
import type { CharacterPicture } from "../../../../src/service/media/pictures/drawing.ts";
import type { PixelPatch } from "../../../../src/service/media/pictures/pixel-patch.ts";
import type { PuppetParams } from "../../../../src/puppet/index.ts";
import { until } from "../../../patience.ts";
import { bundleEntry, type BundledEntry } from "../../bundle-entry.ts";
import { photoFile } from "../../../photo/photo-fixture.ts";

const file = fileURLToPath(photoFile);
const size = 128;
let worker: BundledEntry;
let pictures: CharacterPictures;
const faults: string[] = [];

beforeAll(async () => {
  worker = await bundleEntry("src/service/media/photo/photo-worker.ts");
  pictures = new CharacterPictures({ photoWorkerUrl: worker.url, onFault: (detail) => faults.push(detail) });
});
afterAll(() => worker.remove());

/** Asks for a pose until its thread has drawn it. */
function drawn(picture: CharacterPicture, params: PuppetParams): Promise<PixelPatch> {
  return until("the thread's picture", () => {
    if (faults.length > 0) throw new Error(faults.join(" "));
    return picture.draw(params);
  });
}

describe("pictures of a photo character", () => {
  test("are drawn in another thread, first the whole, then what changes", async () => {
    const picture = pictures.take(file, size);
    expect(picture.isAwaited).toBe(true);
    const whole = await drawn(picture, {});
    expect(picture.isAwaited).toBe(false);
    expect(whole.box).toEqual({ x: 0, y: 0, width: size, height: size });
    const mouth = await drawn(picture, { visemeWeights: { aa: 1 } });
    expect(mouth.box.y).toBeGreaterThan(size / 3);
    expect(mouth.rgba).toHaveLength(4 * mouth.box.width * mouth.box.height);
    picture.release();
  });

  test("each session has its own, and a painted one has the same pixels", async () => {
    const [one, two] = [pictures.take(file, size), pictures.take(file, size)];
    const [first, second] = [await drawn(one, {}), await drawn(two, {})];
    expect(second.rgba).toEqual(first.rgba);
    const painted = await until("the picture", () => one.paint({ visemeWeights: { aa: 1 } }));
    expect(painted.canvas.width).toBe(painted.box.width);
    one.release();
    two.release();
  });

  test("the behaviour knows its head", () => {
    expect(pictures.character(file).rig.head.maxYaw).toBeGreaterThan(0);
  });
});
