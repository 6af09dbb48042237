import type { Shape } from "../format/character.ts";
import type { FrameState } from "./frame-state.ts";
import { driverValue } from "./frame-state.ts";
import { clamp } from "../math.ts";

/** How opaque a shape is in this frame; 0 when it is too faint to draw (character format §3, Drivers). */
export function shapeOpacity({ opacity, opacityBy, visibleBy }: Shape, state: FrameState): number {
  let sum = opacity;
  for (const [driver, gain] of opacityBy) sum += gain * driverValue(driver, state);
  if (visibleBy) sum *= driverValue(visibleBy, state);
  return sum <= 0.003 ? 0 : clamp(sum);
}
