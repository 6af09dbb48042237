/** Landmarks by their numbers in MediaPipe's face mesh. Each line runs from left to right in the picture. */
export const lipLines = {
  upperInner: [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308],
  lowerInner: [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308],
} as const;

/** The corners of the mouth: points that belong to both lips. */
export const mouthCorners = [78, 308, 61, 291, 76, 306, 62, 292] as const;

/** An eye: the edges of its lids, its iris and the iris' rim, and its brow. */
export interface EyeLandmarks {
  readonly upper: readonly number[];
  readonly lower: readonly number[];
  readonly iris: number;
  readonly rim: readonly [number, number, number, number];
  readonly brow: readonly number[];
}

export const leftEye: EyeLandmarks = {
  upper: [33, 246, 161, 160, 159, 158, 157, 173, 133],
  lower: [33, 7, 163, 144, 145, 153, 154, 155, 133],
  iris: 468,
  rim: [469, 470, 471, 472],
  brow: [70, 63, 105, 66, 107, 46, 53, 52, 65, 55],
};

export const rightEye: EyeLandmarks = {
  upper: [362, 398, 384, 385, 386, 387, 388, 466, 263],
  lower: [362, 382, 381, 380, 374, 373, 390, 249, 263],
  iris: 473,
  rim: [474, 475, 476, 477],
  brow: [300, 293, 334, 296, 336, 276, 283, 282, 295, 285],
};

/** The outline of the face, from the middle of the forehead clockwise. */
export const faceOutline = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149,
  150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
] as const;

/** Single points. */
export const chin = 152;
export const noseBase = 2;
export const noseTip = 1;
export const forehead = 10;
export const betweenEyes = 168;
export const temples = [127, 356] as const;
/** The sides of the face, where the ears begin. */
export const cheeks = [234, 454] as const;
export const cheekMiddles = [50, 280] as const;
export const surfaceCount = 468;
