import { DomStage } from "./dom-stage.ts";
import type { Stage, StageOptions } from "./stage.ts";

export type { FrameRenderer } from "./frame-renderer.ts";
export type { StageMatte } from "./matte.ts";
export type { Size, StageRect } from "./stage-geometry.ts";
export type { Stage, StageOptions } from "./stage.ts";

/** Creates a stage that fills the host. The host must be positioned and hide its overflow. */
export function createStage(host: HTMLElement, options: StageOptions): Stage {
  return new DomStage(host, options);
}
