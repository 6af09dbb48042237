import { createPhotoFace, photoMotion } from "../photo/index.ts";
import type { DrawnSpeech } from "../protocol/drawn-speech.ts";
import type { PhotoCharacter } from "../protocol/photo-character.ts";
import { createPuppetBehaviour, type PuppetParams } from "../puppet/index.ts";
import type { PhotoPainter } from "./photo-painter.ts";

/** The mouth's part of the picture, in millimetres of the face; it is four to three. */
const mouthMm = 76;

/** A made character that moves as it will on a page. Times are in ms, from one clock. */
export interface LiveFace {
  /** The picture of this moment; what `pose` names replaces what the behaviour does. */
  frame(atMs: number, side: number, pose: PuppetParams, isCalm: boolean): ImageData;
  /** Pictures of the mouth, `width` pixels wide. */
  mouths(poses: readonly PuppetParams[], width: number): ImageData[];
  speak(speech: DrawnSpeech, atMs: number): void;
  hush(atMs: number): void;
}

/** Lets a character move. */
export function createLiveFace(character: PhotoCharacter, paint: PhotoPainter): LiveFace {
  const behaviour = createPuppetBehaviour(photoMotion);
  const { face } = createPhotoFace(character);
  const at = (index: number): number => character.landmarks[index] ?? 0;
  /** Between the lips. */
  const [mouthX, mouthY] = [at(3 * 13), (at(3 * 13 + 1) + at(3 * 14 + 1)) / 2];
  return {
    frame(atMs, side, pose, isCalm) {
      behaviour.setReducedMotion(isCalm);
      return paint({ ...behaviour.step(atMs), ...pose }, side);
    },
    mouths(poses, width) {
      const share = (mouthMm * face.pxPerMm) / character.size;
      const side = Math.min(1_024, Math.round(width / share));
      const height = Math.round(width * 0.75);
      const [left, top] = [Math.round(mouthX * side - width / 2), Math.round(mouthY * side - height * 0.46)];
      return poses.map((pose) => cut(paint(pose, side), left, top, width, height));
    },
    speak({ visemes = [], words = [], loudness }, atMs) {
      behaviour.speak({ visemes, words, loudness }, atMs);
    },
    hush: (atMs) => behaviour.stopSpeaking(atMs),
  };
}

/** A part of a picture. What lies outside is transparent. */
function cut(image: ImageData, left: number, top: number, width: number, height: number): ImageData {
  const part = new ImageData(width, height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = [left + x, top + y];
      if (fromX < 0 || fromY < 0 || fromX >= image.width || fromY >= image.height) continue;
      const from = 4 * (fromY * image.width + fromX);
      part.data.set(image.data.subarray(from, from + 4), 4 * (y * width + x));
    }
  return part;
}
