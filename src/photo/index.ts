export { mouthAtlasSize } from "./mouth-atlas.ts";
export { createPhotoFace } from "./photo-face.ts";
export { photoMotion } from "./photo-motion.ts";
export { Rasteriser, type Pixels } from "./rasterise.ts";
