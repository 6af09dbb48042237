import type { Stage } from "../../../stage/index.ts";
import { DrawingCost } from "./drawing-cost.ts";
import { LocalAvatar, type LocalOptions } from "./local-avatar.ts";
import { LocalRenderer } from "./local-renderer.ts";
import type { Look } from "./look.ts";

/** The height of the frame in which its cost is measured before there is one, in CSS pixels. */
const usualFramePx = 480;

/** A character that this browser can draw. */
export class LocalCharacter {
  readonly #look: Look;

  /** Throws when drawing it here costs too much, unless it may be slow. */
  constructor(look: Look, mayBeSlow: boolean) {
    if (!mayBeSlow && isSlow(look)) throw new Error("This browser draws too slowly.");
    this.#look = look;
  }

  /** An avatar with its face at rest. */
  avatar(stage: Stage, options: LocalOptions): LocalAvatar {
    return new LocalAvatar(this.#look, stage, options);
  }
}

/** Measures some frames of a moving head, which nobody sees. */
function isSlow(look: Look): boolean {
  const renderer = new LocalRenderer(look, usualFramePx);
  try {
    return DrawingCost.isTooMuch((turn) => renderer.show({ headTurn: turn }));
  } finally {
    renderer.destroy();
  }
}
