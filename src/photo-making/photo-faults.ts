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

/** Faults that make it hard to see a face: whether something covers it is not known then. */
export const unclearFaults: ReadonlySet<PhotoFault> = new Set(["too_small", "dark", "bright", "blurred"]);

/** Lips up to this far apart are together, in millimetres. Up to a few more, they are closed in the picture. */
export const mostClosedGapMm = 2.6;
