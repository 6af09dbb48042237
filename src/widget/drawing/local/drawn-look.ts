import type { Character, PuppetEnvironment, PuppetParams } from "../../../puppet/index.ts";
import {
  createPuppetRenderer,
  parseCharacter,
  PoseHold,
  type PuppetRenderer,
} from "../../../puppet/index.ts";
import type { Look, Painting } from "./look.ts";

/** Reads a drawn character. Throws a PuppetError if it cannot be drawn. */
export function readDrawn(file: unknown): Look {
  const character = parseCharacter(file);
  return { motion: character, paint: (size) => paint(character, size) };
}

function paint(character: Character, size: number): Painting {
  const canvases = new Set<HTMLCanvasElement>();
  const environment: PuppetEnvironment<HTMLCanvasElement> = {
    Path2D,
    createCanvas: (width, height, unused) => {
      const canvas = unused instanceof HTMLCanvasElement ? unused : document.createElement("canvas");
      canvases.add(canvas);
      return Object.assign(canvas, { width, height });
    },
  };
  /** Frees the memory of all canvases: browsers collect what is not used any more only when they need to. */
  const free = (): void => {
    for (const canvas of canvases) canvas.width = canvas.height = 0;
    canvases.clear();
  };
  let renderer: PuppetRenderer<HTMLCanvasElement>;
  let hold: PoseHold;
  let last: PuppetParams = {};
  const resize = (side: number): void => {
    free();
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
    destroy: free,
  };
}
