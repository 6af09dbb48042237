import type { Character, PuppetEnvironment, PuppetParams } from "../../../puppet/index.ts";
import {
  createPuppetRenderer,
  parseCharacter,
  PoseHold,
  type PuppetRenderer,
} from "../../../puppet/index.ts";
import type { Look, Painting } from "./look.ts";

const environment: PuppetEnvironment<HTMLCanvasElement> = {
  Path2D,
  createCanvas: (width, height) => Object.assign(document.createElement("canvas"), { width, height }),
};

/** Reads a drawn character. Throws a PuppetError if it cannot be drawn. */
export function readDrawn(file: unknown): Look {
  const character = parseCharacter(file);
  return { motion: character, paint: (size) => paint(character, size) };
}

function paint(character: Character, size: number): Painting {
  let renderer: PuppetRenderer<HTMLCanvasElement>;
  let hold: PoseHold;
  let last: PuppetParams = {};
  const resize = (side: number): void => {
    renderer = createPuppetRenderer(character, environment, { size: side });
    hold = new PoseHold(character, side);
    draw(last);
  };
  const draw = (params: PuppetParams): void => {
    last = params;
    renderer.draw(hold.hold(params));
  };
  resize(size);
  return {
    get canvas() {
      return renderer.canvas;
    },
    draw,
    resize,
    destroy() {
      renderer.canvas.width = renderer.canvas.height = 0;
    },
  };
}
