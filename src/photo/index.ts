export { mouthAtlasSize } from "./mouth-atlas.ts";
export { createPhotoFace, type PhotoFace, photoFaceSteps } from "./photo-face.ts";
export { photoMotion } from "./photo-motion.ts";
export { layerPixels, type Pixels } from "./pixels.ts";
export { Rasteriser } from "./rasterise.ts";
export { finish, type Steps } from "./steps.ts";
