import type { Stage } from "../../../stage/index.ts";
import { untilIdle } from "../until-idle.ts";
import { DrawingCost, LocalRenderer } from "./local-renderer.ts";
import { LocalAvatar, type LocalOptions } from "./local-avatar.ts";
import type { Look } from "./look.ts";

/** A character that this browser can draw. */
export class LocalCharacter {
  readonly #look: Look;
  /** Painted before anybody sees it, so that a click need not wait for its pictures. */
  #painted: LocalRenderer | null = null;
  #isWorn = false;

  /**
   * `framePx` tells how high its frame is or will be, in CSS pixels. Rejects, with `pause`, when drawing it here costs too much: that is
   * measured in pieces, and `pause` is awaited before each.
   */
  static async load(look: Look, framePx: () => number, pause?: () => Promise<void>): Promise<LocalCharacter> {
    const character = new LocalCharacter(look);
    if (!pause) void untilIdle().then(() => character.#paintAhead(framePx()));
    else if (await character.#isSlow(framePx, pause)) throw new Error("Too slow.");
    return character;
  }

  private constructor(look: Look) {
    this.#look = look;
  }

  /** An avatar with its face at rest. */
  avatar(stage: Stage, options: LocalOptions): LocalAvatar {
    const painted = this.#painted;
    this.#painted = null;
    this.#isWorn = true;
    return new LocalAvatar(this.#look, stage, options, painted);
  }

  /** Takes the place of an avatar's character, even within a word. */
  replaceIn(avatar: LocalAvatar): void {
    this.drop();
    avatar.changeLook(this.#look);
  }

  /** Frees what was painted and never shown. */
  drop(): void {
    this.#painted?.destroy();
    this.#painted = null;
    this.#isWorn = true;
  }

  /** What cannot be painted now is tried again when it is needed, and told then. */
  #paintAhead(framePx: number): void {
    try {
      if (!this.#isWorn) this.#paint(framePx);
    } catch {
      this.#painted = null;
    }
  }

  #paint(framePx: number): LocalRenderer {
    const renderer = new LocalRenderer(this.#look, framePx);
    // Its place may differ a little from `framePx`: it is painted anew then, but shown until that is done.
    renderer.show({});
    return (this.#painted = renderer);
  }

  /** Measures some frames of a moving head, which nobody sees. */
  async #isSlow(framePx: () => number, pause: () => Promise<void>): Promise<boolean> {
    await pause();
    const renderer = this.#paint(framePx());
    if (await DrawingCost.isTooMuch((turn) => renderer.show({ headTurn: turn }), pause)) {
      this.drop();
      return true;
    }
    renderer.show({});
    return false;
  }
}
