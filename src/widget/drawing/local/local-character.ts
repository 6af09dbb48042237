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

  /**
   * Rejects, with `pause`, when drawing it here costs too much: that is measured in pieces, and `pause` is awaited before each.
   */
  static async load(look: Look, pause?: () => Promise<void>): Promise<LocalCharacter> {
    if (pause && (await isSlow(look, pause))) throw new Error("Too slow.");
    return new LocalCharacter(look);
  }

  private constructor(look: Look) {
    this.#look = look;
  }

  /** An avatar with its face at rest. */
  avatar(stage: Stage, options: LocalOptions): LocalAvatar {
    return new LocalAvatar(this.#look, stage, options);
  }

  /** Takes the place of an avatar's character, even within a word. */
  replaceIn(avatar: LocalAvatar): void {
    avatar.changeLook(this.#look);
  }
}

/** Measures some frames of a moving head, which nobody sees. */
async function isSlow(look: Look, pause: () => Promise<void>): Promise<boolean> {
  await pause();
  const renderer = new LocalRenderer(look, usualFramePx);
  try {
    return await DrawingCost.isTooMuch((turn) => renderer.show({ headTurn: turn }), pause);
  } finally {
    renderer.destroy();
  }
}
