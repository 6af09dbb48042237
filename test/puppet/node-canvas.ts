import type { Canvas } from "@napi-rs/canvas";
import { createCanvas, Path2D } from "@napi-rs/canvas";
import type { PuppetEnvironment } from "../../src/puppet/index.ts";

/** The puppet's environment in Node. */
export const nodeCanvas: PuppetEnvironment<Canvas> = {
  Path2D,
  createCanvas: (width, height) => createCanvas(width, height),
};
