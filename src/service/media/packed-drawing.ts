import type { CharacterPictures } from "./character-pictures.ts";
import type { Drawing } from "./drawing.ts";
import { HeldPose } from "./held-pose.ts";
import { PackedFrame } from "./packed-frame.ts";
import type { PlanePicture } from "./planes/plane-pictures.ts";

/** Draws frames with packed alpha, `size` pixels wide. Throws MediaError `invalid_character`. */
export function packedDrawing(pictures: CharacterPictures, characterFile: string, size: number): Drawing {
  const hold = new HeldPose(pictures.character(characterFile), size);
  const composed = pictures.takePacked(characterFile, size);
  return composed ? composedDrawing(composed, hold) : convertedDrawing(pictures, characterFile, size, hold);
}

/** The frames are composed of planes. */
function composedDrawing(picture: PlanePicture, hold: HeldPose): Drawing {
  let isStill = false;
  return {
    aheadMs: 0,
    get isStill() {
      return isStill;
    },
    draw(params) {
      isStill = !picture.draw(hold.hold(params));
      return picture.video;
    },
    release: () => picture.release(),
  };
}

/** What changes in the picture is converted for each frame. */
function convertedDrawing(
  pictures: CharacterPictures,
  characterFile: string,
  size: number,
  hold: HeldPose,
): Drawing {
  const picture = pictures.take(characterFile, size);
  const frame = new PackedFrame(size);
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
