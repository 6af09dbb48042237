export type {
  Canvas2D,
  CanvasLike,
  GradientLike,
  PathEnvironment,
  PathLike,
  PuppetEnvironment,
} from "./canvas.ts";
export type { Character } from "./character.ts";
export type { FrameState } from "./frame-state.ts";
export { parseCharacter } from "./parse-character.ts";
export type { PuppetParams } from "./params.ts";
export { PuppetError, type PuppetErrorCode } from "./puppet-error.ts";
export { createPuppetRenderer, type PuppetRenderer } from "./renderer.ts";
export { createRig, type Rig } from "./rig.ts";
export { visemes, type Viseme } from "./viseme.ts";
