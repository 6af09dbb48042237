/** The 15 mouth shapes of speech (the OVR set). `sil` is the resting mouth. */
export const visemes = [
  "sil",
  "PP",
  "FF",
  "TH",
  "DD",
  "kk",
  "CH",
  "SS",
  "nn",
  "RR",
  "aa",
  "E",
  "ih",
  "oh",
  "ou",
] as const;

/** The name of one of the 15 mouth shapes. */
export type Viseme = (typeof visemes)[number];
