import { createCanvas, type Canvas } from "@napi-rs/canvas";
import { Path2D } from "@napi-rs/canvas";
import { expect, it } from "vitest";
import { createPuppetBehaviour, createPuppetRenderer } from "../../src/puppet/index.ts";
import { loadCharacter, oftenDrawn } from "./load-character.ts";
import { longUtterance } from "./speech-sample.ts";

const fps = 20;

it.each(oftenDrawn)("%s speaks with 48 MB of canvases at most, and makes no more of them", async (name) => {
  const canvases = new Set<Canvas>();
  let resized = 0;
  const createOne = (width: number, height: number, unused?: object): Canvas => {
    // As browsers do: a canvas of another size is the same canvas.
    const reused = [...canvases].find((canvas) => canvas === unused);
    if (reused) resized++;
    const canvas = reused ? Object.assign(reused, { width, height }) : createCanvas(width, height);
    canvases.add(canvas);
    return canvas;
  };
  const character = loadCharacter(name);
  const renderer = createPuppetRenderer(character, { Path2D, createCanvas: createOne }, { size: 1_024 });
  const behaviour = createPuppetBehaviour(character, { seed: 7 });
  const speakFor = async (from: number, seconds: number): Promise<void> => {
    behaviour.speak(longUtterance(), from * 1_000 + 100);
    for (let frame = from * fps; frame < (from + seconds) * fps; frame++) {
      renderer.draw(behaviour.step((frame * 1_000) / fps));
      // Native buffers are freed only when the event loop turns.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await speakFor(0, 4);
  const before = { made: canvases.size, resized };
  await speakFor(4, 2);
  const bytes = [...canvases].reduce((sum, { width, height }) => sum + width * height * 4, 0);
  expect(bytes).toBeLessThan(48e6);
  // A run that settles for the first time still takes one.
  expect(canvases.size - before.made).toBeLessThan(8);
  // Each is memory that is allocated anew. Where only equal sizes are used again, it is two or three a frame.
  expect(resized - before.resized).toBeLessThan(2 * fps);
});
