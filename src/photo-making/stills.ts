import { type PhotoCharacter, type PhotoLayer, photoLayers } from "../protocol/characters/photo-character.ts";
import { createPhotoFace, layerPixels, photoMotion, type Pixels, Rasteriser } from "../photo/index.ts";
import { createPuppetBehaviour, type PuppetParams } from "../puppet/index.ts";
import type { DrawnSpeech } from "../protocol/speech/drawn-speech.ts";

/** Draws a pose of a character, `side` pixels square. */
type PhotoPainter = (params: PuppetParams, side: number) => ImageData;

/** The pixels of a picture, with premultiplied colours. */
function premultiplied({ data, width, height }: ImageData): Pixels {
  const words = new Uint32Array(width * height);
  for (let i = 0; i < words.length; i++) {
    const alpha = data[4 * i + 3]!;
    const channel = (c: number): number => Math.round((data[4 * i + c]! * alpha) / 255);
    words[i] = (channel(0) | (channel(1) << 8) | (channel(2) << 16) | (alpha << 24)) >>> 0;
  }
  return { width, height, words };
}

/** The same with colours that are not premultiplied. */
function plain({ width, height, words }: Pixels): ImageData {
  const image = new ImageData(width, height);
  words.forEach((word, i) => {
    const alpha = word >>> 24;
    const channel = (shift: number): number => (alpha === 0 ? 0 : (((word >>> shift) & 255) * 255) / alpha);
    image.data.set([channel(0), channel(8), channel(16), alpha], 4 * i);
  });
  return image;
}

async function pixelsOf(address: string): Promise<Pixels> {
  // Decoded here, because a page's policy may allow no connection to data: addresses.
  const text = atob(address.slice(address.indexOf(",") + 1));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  if (!context) throw new Error("This browser has no 2D canvas.");
  context.drawImage(bitmap, 0, 0);
  return premultiplied(context.getImageData(0, 0, bitmap.width, bitmap.height));
}

/** Draws poses of a character at any size. */
export async function createPhotoPainter(character: PhotoCharacter): Promise<PhotoPainter> {
  const layers = new Map<PhotoLayer, Pixels>();
  for (const layer of photoLayers) {
    const address = character.pictures[layer];
    if (address !== undefined) layers.set(layer, layerPixels(layer, await pixelsOf(address)));
  }
  const photo = createPhotoFace(character);
  return (params, side) => {
    const target: Pixels = { width: side, height: side, words: new Uint32Array(side * side) };
    const rasteriser = new Rasteriser(target, side / character.size);
    photo.pose(params);
    for (const mesh of photo.meshes) {
      const texture = layers.get(mesh.layer);
      if (texture && !mesh.isHidden) rasteriser.draw(mesh, texture);
    }
    return plain(target);
  };
}

/** Still pictures of a character. */
interface Stills {
  /** The whole picture. */
  readonly poster: Blob;
  /** The face, for the launcher. */
  readonly porthole: Blob;
}

const posterPx = 512;
const portholePx = 160;
/** The largest poster and porthole in bytes: the porthole is part of the launcher's record, with some metadata of the service. */
const mostBytes = { poster: 60 * 1_024, porthole: 4.5 * 1_024 };
/** The side of the porthole's part in millimetres of the face, and the share of it that is above the eyes. */
const portholeMm = 178;
const eyesShare = 0.42;

/** A part of a picture as WebP, in the best quality that fits. */
async function webp(
  image: ImageData,
  [x, y, side]: readonly [number, number, number],
  toSide: number,
  most: number,
): Promise<Blob> {
  const whole = new OffscreenCanvas(image.width, image.height);
  whole.getContext("2d")?.putImageData(image, 0, 0);
  const canvas = new OffscreenCanvas(toSide, toSide);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser has no 2D canvas.");
  context.imageSmoothingQuality = "high";
  context.drawImage(whole, x, y, side, side, 0, 0, toSide, toSide);
  let blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.9 });
  for (let quality = 0.8; blob.size > most && quality > 0.2; quality -= 0.1)
    blob = await canvas.convertToBlob({ type: "image/webp", quality });
  return blob;
}

/** Makes the still pictures of a character. */
export async function makeStills(character: PhotoCharacter, paint: PhotoPainter): Promise<Stills> {
  const side = 2 * posterPx;
  const image = paint({}, side);
  const { face } = createPhotoFace(character);
  const scale = side / character.size;
  const [x, y] = face.toPicture(0, (face.eyes[0].lower[4]![1] + face.eyes[1].lower[4]![1]) / 2);
  const part = Math.min(side, portholeMm * face.pxPerMm * scale);
  const left = Math.min(side - part, Math.max(0, x * scale - part / 2));
  const top = Math.min(side - part, Math.max(0, y * scale - part * eyesShare));
  return {
    poster: await webp(image, [0, 0, side], posterPx, mostBytes.poster),
    porthole: await webp(image, [left, top, part], portholePx, mostBytes.porthole),
  };
}

/** The mouth's part of the picture, in millimetres of the face; it is four to three. */
const mouthMm = 76;

/** A made character that moves as it will on a page. Times are in ms, from one clock. */
export interface LiveFace {
  /** The picture of this moment; what `pose` names replaces what the behaviour does. */
  frame(atMs: number, side: number, pose: PuppetParams, isCalm: boolean): ImageData;
  /** Pictures of the mouth, `width` pixels wide. */
  mouths(poses: readonly PuppetParams[], width: number): ImageData[];
  speak(speech: DrawnSpeech, atMs: number): void;
  hush(atMs: number): void;
}

/** Lets a character move. */
export function createLiveFace(character: PhotoCharacter, paint: PhotoPainter): LiveFace {
  const behaviour = createPuppetBehaviour(photoMotion);
  const { face } = createPhotoFace(character);
  const at = (index: number): number => character.landmarks[index] ?? 0;
  /** Between the lips. */
  const [mouthX, mouthY] = [at(3 * 13), (at(3 * 13 + 1) + at(3 * 14 + 1)) / 2];
  return {
    frame(atMs, side, pose, isCalm) {
      behaviour.setReducedMotion(isCalm);
      return paint({ ...behaviour.step(atMs), ...pose }, side);
    },
    mouths(poses, width) {
      const share = (mouthMm * face.pxPerMm) / character.size;
      const side = Math.min(1_024, Math.round(width / share));
      const height = Math.round(width * 0.75);
      const [left, top] = [Math.round(mouthX * side - width / 2), Math.round(mouthY * side - height * 0.46)];
      return poses.map((pose) => cut(paint(pose, side), left, top, width, height));
    },
    speak({ visemes = [], words = [], loudness }, atMs) {
      behaviour.speak({ visemes, words, loudness }, atMs);
    },
    hush: (atMs) => behaviour.stopSpeaking(atMs),
  };
}

/** A part of a picture. What lies outside is transparent. */
function cut(image: ImageData, left: number, top: number, width: number, height: number): ImageData {
  const part = new ImageData(width, height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = [left + x, top + y];
      if (fromX < 0 || fromY < 0 || fromX >= image.width || fromY >= image.height) continue;
      const from = 4 * (fromY * image.width + fromX);
      part.data.set(image.data.subarray(from, from + 4), 4 * (y * width + x));
    }
  return part;
}
