import { readFileSync } from "node:fs";
import { createCanvas, Path2D, type Canvas } from "@napi-rs/canvas";
import { createRig, parseCharacter, type PuppetParams } from "../../src/puppet/index.ts";

/** The side of a character's picture in units. */
const units = 512;

/** A drawn character as if it were photographed: face detectors take it for a person. */
export function portrait(
  name: "mina" | "tomas" | "amara" | "ingrid",
  { side = 1_024, params = {} }: { side?: number; params?: PuppetParams } = {},
): Canvas {
  const character = parseCharacter(JSON.parse(readFileSync(`public/characters/${name}.json`, "utf8")));
  const scale = side / units;
  const person = createCanvas(side, side);
  createRig(character, { Path2D }).draw(
    person.getContext("2d"),
    { smile: 0.1, options: { glasses: false }, ...params },
    { scale },
  );
  const canvas = createCanvas(side, side);
  const context = canvas.getContext("2d");
  context.fillStyle = "#c9d2da";
  context.fillRect(0, 0, side, side);
  context.drawImage(person, 0, 0);
  return canvas;
}

/** A changed copy of a picture. */
export function changed(
  source: Canvas,
  draw: (context: ReturnType<Canvas["getContext"]>, side: number) => void,
  side = source.width,
): Canvas {
  const canvas = createCanvas(side, side);
  draw(canvas.getContext("2d"), side);
  return canvas;
}
