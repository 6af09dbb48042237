export { chooseAccents } from "./behaviour/accents.ts";
export {
  counterGaze,
  createPuppetBehaviour,
  type Behaviour,
  type BehaviourOptions,
} from "./behaviour/behaviour.ts";
export { expressions, type Expression } from "./behaviour/expressions.ts";
export { speechLoudness } from "./behaviour/loudness.ts";
export { isQuestion } from "./behaviour/mood.ts";
export { moods, type Mood } from "./behaviour/mood.ts";
export type { Activity } from "./behaviour/poses.ts";
export type { SpeechTimeline, TimedAccent, TimedViseme, TimedWord } from "./behaviour/speech-timeline.ts";
export type {
  Canvas2D,
  CanvasLike,
  GradientLike,
  PathEnvironment,
  PathLike,
  PuppetEnvironment,
} from "./canvas.ts";
export type { Matrix } from "./pictures/affine.ts";
export type { Character, MovingCharacter } from "./format/character.ts";
export { swayDefaults } from "./format/rig-settings.ts";
export { parseCharacter } from "./format/parse-character.ts";
export type { PuppetParams } from "./params.ts";
export { createPatchRenderer, type PatchRenderer, type PicturePatch } from "./pictures/patch-renderer.ts";
export { overlap, steppedBox, type PixelBox } from "./pictures/pixel-box.ts";
export { placedPictures, type PlacedPictures } from "./pictures/placed-pictures.ts";
export type { Placement } from "./pictures/placement.ts";
export { PoseHold } from "./pictures/pose-hold.ts";
export { createPuppetRenderer, type PuppetRenderer } from "./pictures/renderer.ts";
export { PuppetError, type PuppetErrorCode } from "./puppet-error.ts";
export type { FrameState } from "./rig/frame-state.ts";
export { createRig, type Rig } from "./rig/rig.ts";
export { visemes, type Viseme } from "./viseme.ts";
