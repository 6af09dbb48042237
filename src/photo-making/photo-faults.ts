/** What can be wrong with a photograph. */
export const photoFaults = [
  "not_a_picture",
  "animated",
  "too_many_pixels",
  "no_face",
  "several_faces",
  "too_small",
  "cut_off",
  "mouth_open",
  "eyes_closed",
  "tilted",
  "turned",
  "covered",
  "blurred",
  "dark",
  "bright",
] as const;
export type PhotoFault = (typeof photoFaults)[number];
