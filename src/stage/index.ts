import { DomStage } from "./dom-stage.ts";
import type { Stage, StageOptions } from "./stage.ts";

export type { StageMatte } from "./matte.ts";
export type { StageRect } from "./stage-geometry.ts";
export type { Stage, StageOptions } from "./stage.ts";

/** Makes a stage that fills the host. The host is to be positioned, and to hide what overflows. */
export function createStage(host: HTMLElement, options: StageOptions): Stage {
  return new DomStage(host, options);
}
