import { expect, test } from "vitest";
import { createPuppetBehaviour, type PuppetParams } from "../../../../src/puppet/index.ts";
import { CharacterPictures } from "../../../../src/service/media/pictures/character-pictures.ts";
import { HeldPose } from "../../../../src/service/media/pictures/held-pose.ts";
import { packedDrawing, PackedFrame } from "../../../../src/service/media/pictures/packed-drawing.ts";
import { oftenDrawn } from "../../../puppet/load-character.ts";
import { longUtterance } from "../../../puppet/speech-sample.ts";
import { characterFile } from "../media-stand.ts";

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
      const { mean, largest } = difference(frame?.data ?? new Uint8Array(), converted.video.data);
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
  const first = Uint8Array.from(drawing.draw({})?.data ?? []);
  expect(drawing.isStill).toBe(false);
  drawing.draw({});
  const second = drawing.draw({})?.data ?? new Uint8Array();
  expect(drawing.isStill).toBe(true);
  expect(difference(first, second).largest).toBe(0);
  drawing.release();
});

test("sessions that share pictures have frames of their own", () => {
  const [one, two] = [0, 1].map(() => packedDrawing(pictures, characterFile("mina"), size));
  const before = Uint8Array.from(one?.draw({})?.data ?? []);
  two?.draw({ headTurn: 1, visemeWeights: { aa: 1 } });
  expect(difference(before, one?.draw({})?.data ?? new Uint8Array()).largest).toBe(0);
  one?.release();
  two?.release();
});

test("a size that planes cannot have is converted from drawn pixels", () => {
  const drawing = packedDrawing(pictures, characterFile("mina"), 264);
  expect(drawing.draw({})).toMatchObject({ width: 264, height: 528 });
  drawing.release();
});

test("a picture is ready after it was drawn once with that matte", () => {
  const own = new CharacterPictures();
  const file = characterFile("mina");
  expect(own.isReady(file, 272, "packed-alpha")).toBe(false);
  own.warm(file, 272, "packed-alpha");
  expect(own.isReady(file, 272, "packed-alpha")).toBe(true);
  expect(own.isReady(file, 272, "none")).toBe(false);
  own.warm(file, 272, "none");
  expect(own.isReady(file, 272, "none")).toBe(true);
});
