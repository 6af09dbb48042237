import { chin, forehead, leftEye, noseTip, rightEye } from "../photo/landmarks.ts";
import type { Point } from "../photo/numbers.ts";
import { unclearFaults, type PhotoFault } from "./photo-faults.ts";
import { brightnessOf } from "./source-picture.ts";

/** What to do about each fault. */
export const photoAdvice: Readonly<Record<PhotoFault, string>> = {
  not_a_picture: "This file is not a picture that can be read. Choose a JPEG, PNG or WebP photograph.",
  animated: "This picture moves. Choose a photograph.",
  too_many_pixels: "This picture has too many pixels. Choose one with at most 6000 on each side.",
  no_face: "No face was found. Look straight into the camera, with your whole face in the picture.",
  several_faces: "There is more than one face in the picture. Choose one that shows only one person.",
  too_small: "Come closer, or choose a picture with more pixels.",
  cut_off: "Leave some room around the head, and show the neck and the shoulders.",
  mouth_open: "Close your mouth.",
  eyes_closed: "Open your eyes.",
  tilted: "Hold your head straight.",
  turned: "Look straight into the camera.",
  covered:
    "Something covers a part of your face. Take away hands, masks, dark glasses, and hair before the eyes.",
  blurred: "The face is blurred. Hold the camera still, and let it focus on your face.",
  dark: "More light from the front.",
  bright: "Less light: parts of the face are white.",
};

/** What the gates look at: landmarks in pixels, also those of the mirrored picture (mirrored back), and the picture itself. */
export interface GatedPicture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
  readonly landmarks: readonly Point[];
  /** Null: no face was found in the mirrored picture. */
  readonly mirrored: readonly Point[] | null;
}

/** What was measured, for those who look for the reason of a refusal. */
export interface PhotoMeasures {
  readonly pupilPx: number;
  readonly rollDeg: number;
  readonly yaw: number;
  readonly mouthGapMm: number;
  readonly eyesOpen: number;
  readonly mirrorError: number;
  readonly sharpness: number;
  readonly brightness: number;
  readonly burnt: number;
}

const limits = {
  pupilPx: 56,
  rollDeg: 8,
  yaw: 0.1,
  // A smile that shows teeth can be closed (`closeMouth`), an open mouth cannot.
  mouthGapMm: 11.5,
  eyesOpen: 0.12,
  mirrorError: 0.06,
  sharpness: 12,
  dark: 55,
  burnt: 0.35,
} as const;

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(ax - bx, ay - by);

/** Landmarks that change places in a mirrored picture. */
const mirrorPairs: readonly (readonly [number, number])[] = [
  ...([
    [33, 263],
    [133, 362],
    [61, 291],
    [105, 334],
    [234, 454],
    [159, 386],
    [145, 374],
    [172, 397],
  ] as const),
  ...([
    [1, 1],
    [152, 152],
    [13, 13],
    [14, 14],
    [0, 0],
    [17, 17],
  ] as const),
];

function mirrorErrorOf(
  landmarks: readonly Point[],
  mirrored: readonly Point[] | null,
  pupils: number,
): number {
  if (mirrored === null) return 1;
  const errors = mirrorPairs.flatMap(([a, b]) => [
    distance(landmarks[a]!, mirrored[b]!),
    distance(landmarks[b]!, mirrored[a]!),
  ]);
  return Math.max(...errors) / pupils;
}

/** The mean brightness for which the least sharpness holds, and below which contrasts count no more. */
const usualBrightness = 128;
const darkest = 30;

/** Sharpness (variance of the Laplacian, at a size where faces compare), mean brightness, and the share of white pixels of the face. */
function lightOf({ width, height, data, landmarks }: GatedPicture, pupils: number) {
  const step = Math.max(1, Math.round(pupils / 110));
  const left = Math.max(step, Math.floor(landmarks[234]![0]));
  const right = Math.min(width - 1 - step, Math.ceil(landmarks[454]![0]));
  const top = Math.max(step, Math.floor(landmarks[forehead]![1]));
  const bottom = Math.min(height - 1 - step, Math.ceil(landmarks[chin]![1]));
  const light = (x: number, y: number): number => {
    const i = 4 * (y * width + x);
    return brightnessOf(data[i]!, data[i + 1]!, data[i + 2]!);
  };
  let [count, squares, sum, burnt] = [0, 0, 0, 0];
  for (let y = top; y < bottom; y += step)
    for (let x = left; x < right; x += step) {
      const here = light(x, y);
      const edge =
        4 * here - light(x - step, y) - light(x + step, y) - light(x, y - step) - light(x, y + step);
      squares += edge * edge;
      sum += here;
      if (here > 250) burnt++;
      count++;
    }
  const share = 1 / Math.max(1, count);
  const brightness = sum * share;
  // Dark skin, or little light, has less contrast than the same face in more light: it is not blurred.
  const gain = Math.max(1, usualBrightness / Math.max(darkest, brightness));
  return { sharpness: squares * share * gain ** 2, brightness, burnt: burnt * share };
}

/** The largest gap between the lips, by landmarks in pixels. */
export function mouthGapMm(landmarks: readonly Point[]): number {
  const pairs = [
    [81, 178],
    [82, 87],
    [13, 14],
    [312, 317],
    [311, 402],
  ] as const;
  const gaps = pairs.map(([a, b]) => distance(landmarks[a]!, landmarks[b]!));
  const pupils = distance(landmarks[leftEye.iris]!, landmarks[rightEye.iris]!);
  return (Math.max(...gaps) * 63) / Math.max(1, pupils);
}

/** Measures a face that was found. */
export function measurePhoto(picture: GatedPicture): PhotoMeasures {
  const { landmarks, mirrored } = picture;
  const at = (i: number): Point => landmarks[i]!;
  const [left, right] = [at(leftEye.iris), at(rightEye.iris)];
  const pupilPx = Math.max(1, distance(left, right));
  const [toLeft, toRight] = [distance(at(noseTip), at(234)), distance(at(noseTip), at(454))];
  const open = [
    [159, 145, 33, 133],
    [386, 374, 362, 263],
  ].map(([a, b, c, d]) => distance(at(a!), at(b!)) / distance(at(c!), at(d!)));
  return {
    pupilPx,
    rollDeg: (Math.atan2(right[1] - left[1], right[0] - left[0]) * 180) / Math.PI,
    yaw: (toLeft - toRight) / (toLeft + toRight),
    mouthGapMm: mouthGapMm(landmarks),
    eyesOpen: Math.min(...open),
    mirrorError: mirrorErrorOf(landmarks, mirrored, pupilPx),
    ...lightOf(picture, pupilPx),
  };
}

/** What is wrong with a photograph, by its measures, the most important first. */
export function faultsOf(measures: PhotoMeasures): PhotoFault[] {
  const found: readonly [PhotoFault, boolean][] = [
    ["too_small", measures.pupilPx < limits.pupilPx],
    ["dark", measures.brightness < limits.dark],
    ["bright", measures.burnt > limits.burnt],
    ["blurred", measures.sharpness < limits.sharpness],
    ["tilted", Math.abs(measures.rollDeg) > limits.rollDeg],
    ["turned", Math.abs(measures.yaw) > limits.yaw],
    ["eyes_closed", measures.eyesOpen < limits.eyesOpen],
    ["mouth_open", measures.mouthGapMm > limits.mouthGapMm],
    ["covered", measures.mirrorError > limits.mirrorError],
  ];
  const faults = found.flatMap(([fault, isFound]) => (isFound ? [fault] : []));
  // In an unclear picture the landmarks differ from those of its mirror image, even if nothing covers the face.
  return faults.some((fault) => unclearFaults.has(fault))
    ? faults.filter((fault) => fault !== "covered")
    : faults;
}
