import type { PhotoCharacter } from "../protocol/characters/photo-character.ts";
import { photoFormat } from "../protocol/characters/photo-format.ts";
import { cheeks, leftEye, rightEye } from "../photo/landmarks.ts";
import type { Point } from "../photo/numbers.ts";
import { type Detector, type Landmark, startDetector } from "./detect.ts";
import { closeMouth } from "./close-mouth.ts";
import { cropOf, isCutOff, type PlacedPerson } from "./crop.ts";
import { eyeLayers, widenEyeHoles } from "./eye-layers.ts";
import { faultsOf, measurePhoto, mouthGapMm, type PhotoMeasures } from "./gates.ts";
import { findGlasses } from "./glasses.ts";
import { type Columns, keepBackground } from "./kept-background.ts";
import type { MakerStep } from "./maker-answers.ts";
import { withLargeFace } from "./large-face.ts";
import type { Framing } from "./maker-requests.ts";
import { cutOut } from "./matte.ts";
import { mouthLayer } from "./mouth-layer.ts";
import { mostClosedGapMm } from "./photo-faults.ts";
import { canvasOf, PhotoRefusal, pixelsOf, readPhotograph } from "./picture-file.ts";
import type { SourcePicture } from "./source-picture.ts";

const type = "image/webp";

/** Whether this browser writes WebP pictures. One that does not, such as Safari, writes PNG in their place. */
async function writesWebp(): Promise<boolean> {
  const canvas = new OffscreenCanvas(1, 1);
  canvas.getContext("2d");
  return (await canvas.convertToBlob({ type })).type === type;
}

/** A layer as a data: address. */
async function addressOf(image: ImageData | OffscreenCanvas, quality: number): Promise<string> {
  let canvas = image;
  if (canvas instanceof ImageData) {
    const drawn = new OffscreenCanvas(canvas.width, canvas.height);
    drawn.getContext("2d")?.putImageData(canvas, 0, 0);
    canvas = drawn;
  }
  const blob = await canvas.convertToBlob({ type, quality });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `data:${blob.type};base64,${btoa(text)}`;
}

/** A photograph that passed the gates: a character can be made of it in every way. */
export interface GatedPhotograph {
  readonly picture: HTMLCanvasElement;
  readonly person: PlacedPerson;
  readonly measures: PhotoMeasures;
}

/** What somebody chooses about a character. */
interface CharacterWishes {
  readonly keepsBackground: boolean;
  readonly framing: Framing;
  /** Whether the person wears glasses; undefined: they are looked for. */
  readonly glasses?: boolean | undefined;
}

/** Sides of a character's picture in pixels. As PNG, the layers of a larger one would not fit into a character. */
const [leastSide, mostSide, mostPngSide] = [384, 640, 384];
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

/** The only face of a picture, and its measures. */
async function onlyFace(detector: Detector, picture: HTMLCanvasElement): Promise<[Point[], PhotoMeasures]> {
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
  return [landmarks, measures];
}

/** The highest row of a person's hair, in pixels. */
function hairTopOf({ data, width, height }: ImageData, landmarks: readonly Point[]): number {
  const [left, right] = [Math.floor(landmarks[cheeks[0]]![0]), Math.ceil(landmarks[cheeks[1]]![0])];
  const wanted = hairShare * (right - left);
  for (let y = 0; y < height; y++) {
    let found = 0;
    for (let x = Math.max(0, left); x < Math.min(width, right); x++)
      if (data[4 * (y * width + x) + 3]! > 128) found++;
    if (found > wanted) return y;
  }
  return height;
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

/** Makes the layers of a square picture. Changes it. `columns` have something of the photograph. */
async function layersOf(
  detector: Detector,
  square: HTMLCanvasElement,
  columns: Columns,
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
  const background = keepsBackground ? keepBackground(photo, mask, pxPerMm, columns) : null;
  if (!background) cutOut(photo, mask, columns);
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
  const photograph = await readPhotograph(file);
  try {
    await tell("models");
    const detector = await detectorOf();
    await tell("face");
    return await gated(detector, await withLargeFace(detector, photograph));
  } finally {
    photograph.close();
  }
}

async function gated(detector: Detector, picture: HTMLCanvasElement): Promise<GatedPhotograph> {
  const [landmarks, measures] = await onlyFace(detector, picture);
  const hairTop = hairTopOf(await detector.people(picture), landmarks);
  const { width, height } = picture;
  const person: PlacedPerson = { width, height, landmarks, hairTop };
  const faults = [...faultsOf(measures), ...(isCutOff(person) ? (["cut_off"] as const) : [])];
  if (faults.length > 0) throw new PhotoRefusal(faults);
  return { picture, person, measures };
}

/** Makes a character from a photograph, in this browser: the photograph goes nowhere. Throws a PhotoRefusal. */
export async function makeCharacter(
  { picture, person }: GatedPhotograph,
  wishes: CharacterWishes,
  tell: StepTold,
): Promise<PhotoCharacter> {
  await tell("layers");
  const { x, y, side } = cropOf(person, wishes.framing, wishes.keepsBackground);
  const most = (await writesWebp()) ? mostSide : mostPngSide;
  const size = 8 * Math.round(Math.min(most, Math.max(leastSide, side)) / 8);
  const square = canvasOf(picture, [x, y, side, side], size);
  const columnOf = (px: number): number => Math.min(size, Math.max(0, ((px - x) * size) / side));
  const columns = { from: columnOf(0), to: columnOf(picture.width) };
  return layersOf(await detectorOf(), square, columns, wishes);
}
