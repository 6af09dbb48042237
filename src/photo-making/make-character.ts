import type { PhotoCharacter } from "../protocol/photo-character.ts";
import { photoFormat } from "../protocol/photo-format.ts";
import { chin, forehead, leftEye, rightEye } from "../photo/landmarks.ts";
import type { Point } from "../photo/numbers.ts";
import { startDetector, type Detector, type Landmark } from "./detect.ts";
import { closeMouth } from "./close-mouth.ts";
import { widenEyeHoles } from "./eye-holes.ts";
import { eyeLayers } from "./eye-layers.ts";
import { faultsOf, measurePhoto, mouthGapMm, type PhotoMeasures } from "./gates.ts";
import { findGlasses } from "./glasses.ts";
import { keepBackground } from "./kept-background.ts";
import { addressOf, writesWebp } from "./layer-address.ts";
import type { MakerStep } from "./maker-answers.ts";
import type { Framing } from "./maker-requests.ts";
import { cutOut } from "./matte.ts";
import { mouthLayer } from "./mouth-layer.ts";
import { mostClosedGapMm } from "./photo-faults.ts";
import { canvasOf, PhotoRefusal, pixelsOf, readPhotograph } from "./picture-file.ts";
import type { SourcePicture } from "./source-picture.ts";

/** A photograph that passed the gates. */
export interface GatedPhotograph {
  readonly picture: HTMLCanvasElement;
  /** In pixels. */
  readonly landmarks: readonly Point[];
  readonly measures: PhotoMeasures;
  /** The highest row of the hair, in pixels. */
  readonly hairTop: number;
}

/** What somebody chooses about a character. */
export interface CharacterWishes {
  readonly keepsBackground: boolean;
  readonly framing: Framing;
  /** Whether the person wears glasses; undefined: they are looked for. */
  readonly glasses?: boolean | undefined;
}

/** Sides of a character's picture in pixels. As PNG, the layers of a larger one would not fit into a character. */
const [leastSide, mostSide, mostPngSide] = [384, 640, 384];
/** The square around a face, in heights of the face: its side, and the room above the forehead and above the hair. */
const crops: Readonly<Record<Framing, { side: number; above: number; aboveHair: number }>> = {
  close: { side: 1.75, above: 0.42, aboveHair: 0.05 },
  usual: { side: 2.05, above: 0.52, aboveHair: 0.08 },
  wide: { side: 2.5, above: 0.66, aboveHair: 0.16 },
};
/** With less, the neck is cut off. */
const leastCropSide = 1.7;
/** The head is nowhere cut off, so its hair needs a little room: above the forehead, and above the hair itself. */
const leastAbove = 0.15;
const leastAboveHair = 0.015;
/** So much of a row must be a person's for it to be a part of the head. */
const hairShare = 0.08;

let started: Promise<Detector> | undefined;

/** The models are loaded once. A failure is not kept: the server may answer the next time. */
function detectorOf(): Promise<Detector> {
  started ??= startDetector().catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  return started;
}

function inPixels(landmarks: readonly Landmark[], { width, height }: HTMLCanvasElement): Point[] {
  return landmarks.map(([x, y]) => [x * width, y * height]);
}

function mirrorOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const { width, height } = canvas;
  const mirrored = Object.assign(document.createElement("canvas"), { width, height });
  const context = mirrored.getContext("2d");
  if (!context) throw new Error("This browser has no 2D canvas.");
  context.setTransform(-1, 0, 0, 1, width, 0);
  context.drawImage(canvas, 0, 0);
  return mirrored;
}

/** The only face of a picture, if it passes the gates. */
async function gatedFace(detector: Detector, picture: HTMLCanvasElement): Promise<[Point[], PhotoMeasures]> {
  const faces = await detector.faces(picture);
  const [first] = faces;
  if (!first) throw new PhotoRefusal(["no_face"]);
  if (faces.length > 1) throw new PhotoRefusal(["several_faces"]);
  const [mirrored] = await detector.faces(mirrorOf(picture));
  const landmarks = inPixels(first, picture);
  const { data, width, height } = pixelsOf(picture);
  const measures = measurePhoto({
    ...{ data, width, height, landmarks },
    mirrored: mirrored ? inPixels(mirrored, picture).map(([x, y]): Point => [width - x, y]) : null,
  });
  const faults = faultsOf(measures);
  if (faults.length > 0) throw new PhotoRefusal(faults);
  return [landmarks, measures];
}

/** The highest row of a person's hair, in pixels. */
function hairTopOf({ data, width, height }: ImageData, landmarks: readonly Point[]): number {
  const [left, right] = [Math.floor(landmarks[234]![0]), Math.ceil(landmarks[454]![0])];
  const wanted = hairShare * (right - left);
  for (let y = 0; y < height; y++) {
    let found = 0;
    for (let x = Math.max(0, left); x < Math.min(width, right); x++)
      if (data[4 * (y * width + x) + 3]! > 128) found++;
    if (found > wanted) return y;
  }
  return height;
}

/** The square of the picture that becomes the character. Throws a PhotoRefusal if head or neck are cut off. */
function cropOf(
  { landmarks, picture: { width, height }, hairTop }: GatedPhotograph,
  { framing, keepsBackground }: CharacterWishes,
): [x: number, y: number, side: number] {
  const [top, bottom] = [landmarks[forehead]![1], landmarks[chin]![1]];
  const face = bottom - top;
  // A head that moves would show its flat upper edge.
  if (top < leastAbove * face || hairTop < leastAboveHair * face) throw new PhotoRefusal(["cut_off"]);
  const crop = crops[framing];
  const wanted = Math.min(top - crop.above * face, hairTop - crop.aboveHair * face);
  const y = keepsBackground ? Math.max(0, wanted) : wanted;
  // Below the picture there is nothing: the bust must reach the lower edge.
  const most = Math.min(crop.side * face + (top - crop.above * face - wanted), height - y);
  const least = leastCropSide * face;
  if (most < least) throw new PhotoRefusal(["cut_off"]);
  // A background ends where the photograph does, unless that is too narrow.
  const side = keepsBackground && width >= least ? Math.min(most, width) : most;
  const middle = (landmarks[234]![0] + landmarks[454]![0]) / 2;
  const x = middle - side / 2;
  return [keepsBackground && side <= width ? Math.min(Math.max(0, x), width - side) : x, y, side];
}

const rounded = (value: number): number => Math.round(value * 1e5) / 1e5;

/** The landmarks of the face in a square picture. A mouth that shows teeth is closed there. */
async function closedFace(detector: Detector, square: HTMLCanvasElement): Promise<readonly Landmark[]> {
  const [landmarks] = await detector.faces(square);
  if (!landmarks) throw new PhotoRefusal(["no_face"]);
  if (mouthGapMm(inPixels(landmarks, square)) <= mostClosedGapMm) return landmarks;
  square.getContext("2d")?.putImageData(closeMouth(pixelsOf(square), landmarks), 0, 0);
  const [closed] = await detector.faces(square);
  if (!closed) throw new PhotoRefusal(["mouth_open"]);
  return closed;
}

/** Makes the layers of a square picture. Changes it. */
async function layersOf(
  detector: Detector,
  square: HTMLCanvasElement,
  { keepsBackground, glasses: hasGlasses }: CharacterWishes,
): Promise<PhotoCharacter> {
  const landmarks = await closedFace(detector, square);
  const size = square.width;
  const points = inPixels(landmarks, square);
  const [left, right] = [points[leftEye.iris]!, points[rightEye.iris]!];
  const pxPerMm = Math.hypot(right[0] - left[0], right[1] - left[1]) / 63;
  const seen: SourcePicture = { size, data: pixelsOf(square).data, landmarks: points, pxPerMm };
  const glasses = hasGlasses === false ? null : findGlasses(seen, hasGlasses === true);
  if (glasses) square.getContext("2d")?.putImageData(glasses.behind, glasses.area.x, glasses.area.y);
  const photo = pixelsOf(square);
  const source: SourcePicture = { ...seen, data: photo.data.slice() };
  const { data: mask } = await detector.people(square);
  const background = keepsBackground ? keepBackground(photo, mask, pxPerMm) : null;
  if (!keepsBackground) cutOut(photo, mask);
  const eyes = [eyeLayers(source, leftEye), eyeLayers(source, rightEye)] as const;
  const mouth = mouthLayer(source, [eyes[0].white, eyes[1].white]);
  widenEyeHoles(points, pxPerMm);
  return {
    ...{ format: photoFormat, version: 1, size },
    landmarks: points.flatMap(([x, y], i) => [x / size, y / size, landmarks[i]?.[2] ?? 0]).map(rounded),
    triangles: [...detector.triangles],
    eyes: { left: eyes[0].eye, right: eyes[1].eye },
    lids: { left: eyes[0].lidArea, right: eyes[1].lidArea },
    ...(glasses && { glasses: glasses.area }),
    pictures: {
      ...(background && { background: await addressOf(background, 0.85) }),
      photo: await addressOf(photo, 0.88),
      scleraLeft: await addressOf(eyes[0].sclera, 0.88),
      scleraRight: await addressOf(eyes[1].sclera, 0.88),
      irisLeft: await addressOf(eyes[0].iris, 0.88),
      irisRight: await addressOf(eyes[1].iris, 0.88),
      lidLeft: await addressOf(eyes[0].lid, 0.85),
      lidRight: await addressOf(eyes[1].lid, 0.85),
      mouth: await addressOf(mouth, 0.85),
      ...(glasses && { glasses: await addressOf(glasses.frame, 0.88) }),
    },
    origin: { kind: "photograph", made_at: new Date().toISOString() },
  };
}

/** Told what is being done; resolves when the page has had time to show it. */
export type StepTold = (step: MakerStep) => Promise<void>;

/** Reads a photograph and looks at it. Throws a PhotoRefusal with what is wrong with it. */
export async function gatePhotograph(file: Blob, tell: StepTold): Promise<GatedPhotograph> {
  const picture = await readPhotograph(file);
  await tell("models");
  const detector = await detectorOf();
  await tell("face");
  const [landmarks, measures] = await gatedFace(detector, picture);
  const hairTop = hairTopOf(await detector.people(picture), landmarks);
  return { picture, landmarks, measures, hairTop };
}

/** Makes a character from a photograph, in this browser: the photograph goes nowhere. Throws a PhotoRefusal. */
export async function makeCharacter(
  photograph: GatedPhotograph,
  wishes: CharacterWishes,
  tell: StepTold,
): Promise<PhotoCharacter> {
  await tell("layers");
  const [x, y, side] = cropOf(photograph, wishes);
  const most = (await writesWebp()) ? mostSide : mostPngSide;
  const size = 8 * Math.round(Math.min(most, Math.max(leastSide, side)) / 8);
  const square = canvasOf(photograph.picture, [x, y, side, side], size);
  return layersOf(await detectorOf(), square, wishes);
}
