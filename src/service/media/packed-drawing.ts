import type { CharacterPictures } from "./character-pictures.ts";
import type { Drawing } from "./drawing.ts";
import { HeldPose } from "./held-pose.ts";
import { PackedFrame } from "./packed-frame.ts";

/** Draws frames with packed alpha, `size` pixels wide. Throws MediaError `invalid_character`. */
export function packedDrawing(pictures: CharacterPictures, characterFile: string, size: number): Drawing {
  const picture = pictures.take(characterFile, size);
  const frame = new PackedFrame(size);
  const hold = new HeldPose(pictures.character(characterFile), size);
  let isStill = false;
  return {
    aheadMs: picture.aheadMs,
    get isStill() {
      return isStill;
    },
    draw(params) {
      const patch = picture.draw(hold.hold(params));
      isStill = patch === undefined;
      if (patch) frame.pack(patch);
      return picture.isAwaited ? undefined : frame.video;
    },
    release: () => picture.release(),
  };
}
