import { parseCharacter, type Character } from "../../../puppet/index.ts";
import type { Stage } from "../../../stage/index.ts";
import { DrawingCost } from "./drawing-cost.ts";
import { LocalAvatar, type LocalOptions } from "./local-avatar.ts";
import { LocalRenderer } from "./local-renderer.ts";

/** The height of the frame in which its cost is measured before there is one, in CSS pixels. */
const usualFramePx = 480;

/** A character that this browser can draw. */
export class LocalCharacter {
  readonly #character: Character;

  /** Reads a character. Rejects when it cannot be read or, unless it may be slow, when drawing it here costs too much. */
  static async load(response: Response, mayBeSlow: boolean): Promise<LocalCharacter> {
    if (!response.ok) throw new Error(`The character could not be loaded: ${response.status}`);
    const character = parseCharacter(await response.json());
    if (!mayBeSlow && isSlow(character)) throw new Error("This browser draws too slowly.");
    return new LocalCharacter(character);
  }

  private constructor(character: Character) {
    this.#character = character;
  }

  /** An avatar with its face at rest. */
  avatar(stage: Stage, options: LocalOptions): LocalAvatar {
    return new LocalAvatar(this.#character, stage, options);
  }
}

/** Measures some frames of a moving head, which nobody sees. */
function isSlow(character: Character): boolean {
  const renderer = new LocalRenderer(character, usualFramePx);
  try {
    return DrawingCost.isTooMuch((turn) => renderer.show({ headTurn: turn }));
  } finally {
    renderer.destroy();
  }
}
