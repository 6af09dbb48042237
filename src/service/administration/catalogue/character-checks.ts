import { imageSize } from "image-size";
import { imageContentType } from "../../../protocol/characters/image-type.ts";
import { isMovingPicture } from "../../../protocol/characters/moving-picture.ts";
import {
  type PhotoArea,
  type PhotoCharacter,
  photoCharacterSchema,
  type PhotoLayer,
  photoLayers,
  photoLimits,
} from "../../../protocol/characters/photo-character.ts";
import { mouthAtlasSize } from "../../../photo/index.ts";
import { Fault } from "../../faults/fault.ts";
import { dataUrlBytes } from "../../http/body/uploaded-picture.ts";
import { validated } from "../../http/operations/validation.ts";
import { checkPictureDimensions } from "../../pictures/picture-dimensions.ts";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, normalize } from "node:path";
import { errorMessage } from "../../faults/error-message.ts";
import type { ModelStyle } from "../../../protocol/catalogue.ts";
import type { WireError } from "../../../protocol/schema/error-body.ts";
import { isPhotoCharacter } from "../../../protocol/characters/photo-format.ts";
import { matteSchema } from "../../../protocol/settings/stage-settings.ts";
import { parseCharacter } from "../../../puppet/index.ts";
import { photoOfPath } from "../../pictures/photo-file.ts";
import type { EngineSettings } from "../../store/store.ts";
import type { CheckPlace } from "../check-place.ts";
import { checkNoSettings } from "./private-settings.ts";

/** The width and height that a layer must have, in pixels. */
function wantedSize(
  { size, eyes, lids, glasses, pictures }: PhotoCharacter,
  layer: PhotoLayer,
): Pick<PhotoArea, "width" | "height"> | undefined {
  const whole = { width: size, height: size };
  const areas = {
    background: pictures.background === undefined ? undefined : whole,
    photo: whole,
    scleraLeft: eyes.left,
    irisLeft: eyes.left,
    lidLeft: lids.left,
    scleraRight: eyes.right,
    irisRight: eyes.right,
    lidRight: lids.right,
    mouth: { width: mouthAtlasSize, height: mouthAtlasSize },
    glasses,
  };
  return areas[layer];
}

/** Checks a layer before anything decodes it: its pixels take memory, however small its file is. */
function checkLayer(character: PhotoCharacter, layer: PhotoLayer): void {
  const field = `pictures.${layer}`;
  const wanted = wantedSize(character, layer);
  const address = character.pictures[layer];
  if (address === undefined && wanted === undefined) return;
  if (address === undefined || wanted === undefined)
    throw Fault.invalid("invalid", "A layer needs a picture and a place.", field);
  const bytes = dataUrlBytes(address);
  const type = bytes && imageContentType(bytes);
  if (!bytes || (type !== "image/webp" && type !== "image/png"))
    throw Fault.invalid("invalid", "A layer must be a PNG or WebP picture in base64.", field);
  if (bytes.length > photoLimits.mostLayerBytes)
    throw Fault.invalid("max_length", `A layer may have at most ${photoLimits.mostLayerBytes} bytes.`, field);
  if (isMovingPicture(bytes)) throw Fault.invalid("invalid", "A layer may not be an animation.", field);
  checkPictureDimensions(bytes, { maxSidePixels: photoLimits.mostLayerSide, field });
  const found = imageSize(bytes);
  const { width, height } = wanted;
  if (found.width !== width || found.height !== height)
    throw Fault.invalid(
      "invalid",
      `This layer has ${found.width} × ${found.height} pixels; its place has ${width} × ${height}.`,
      field,
    );
}

/** Landmarks that stand beside each other: the pupils, and the corners of the mouth and of each eye. */
const besides = [
  { left: 468, right: 473, least: 0.05, most: 0.6 },
  { left: 78, right: 308, least: 0.02, most: 0.6 },
  { left: 33, right: 133, least: 0.01, most: 0.3 },
  { left: 362, right: 263, least: 0.01, most: 0.3 },
] as const;
/** The triangles of a face cover a part of the picture. Drawing more of them would take seconds for each frame. */
const mostPictures = 1;

/** The landmarks must be a face: eyes and mouth in their order, the nose between them, and the chin below. */
function checkFace({ landmarks, triangles }: PhotoCharacter): void {
  const at = (i: number): [number, number] => [landmarks[3 * i] ?? 0, landmarks[3 * i + 1] ?? 0];
  const [left, right, nose, mouth, chin] = [at(468), at(473), at(2), at(13), at(152)];
  const downwards = [Math.max(left[1], right[1]), nose[1], mouth[1], chin[1]];
  const isFace =
    downwards.every((y, i) => i === 0 || y > (downwards[i - 1] ?? 0)) &&
    besides.every((pair) => {
      const distance = at(pair.right)[0] - at(pair.left)[0];
      return distance >= pair.least && distance <= pair.most;
    });
  if (!isFace)
    throw Fault.invalid("invalid", "These landmarks are not those of an upright face.", "landmarks");
  let covered = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const corner = (k: number): [number, number] => at(triangles[i + k] ?? 0);
    const [[ax, ay], [bx, by], [cx, cy]] = [corner(0), corner(1), corner(2)];
    covered += Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2;
  }
  if (covered > mostPictures)
    throw Fault.invalid("invalid", "Together these triangles are larger than the picture.", "triangles");
}

/** Checks a file in the photo character format before it is stored or drawn. Throws a Fault that names each wrong field. */
export function checkPhotoCharacter(value: unknown): PhotoCharacter {
  const character = validated(photoCharacterSchema, value);
  if (character.triangles.length % 3 !== 0)
    throw Fault.invalid("invalid", "Each triangle must have three landmarks.", "triangles");
  checkFace(character);
  for (const layer of photoLayers) checkLayer(character, layer);
  return character;
}

const invalid = (attr: string, detail: string): WireError => ({ code: "invalid", attr, detail });

/** The path on this machine of a file that the server serves; null for a file elsewhere. */
function servedPath(file: string, publicFolder: string): string | null {
  // `normalize` of an absolute path cannot climb above its root, so the result stays in the folder.
  return /^\/(?![/\\])/.test(file) ? join(publicFolder, normalize(file)) : null;
}

/** The error in a file's location; null if the file can be loaded. */
function placeFault(attr: string, file: string, publicFolder: string): WireError | null {
  // It was checked when it was stored.
  if (photoOfPath(file)) return null;
  const path = servedPath(file, publicFolder);
  if (path !== null)
    return existsSync(path) && statSync(path).isFile()
      ? null
      : invalid(attr, `The server has no file "${file}"; put it under ${publicFolder}.`);
  if (URL.canParse(file) && new URL(file).protocol === "https:") return null;
  return invalid(attr, "Set an https address, or a path of this server that begins with /.");
}

/** Every file of a style, with the field that names it. */
function namedFiles(style: ModelStyle): [attr: string, file: string][] {
  const single = ["model_file", "file"] as const;
  const lists = ["files", "model_files"] as const;
  return [
    ...lists.flatMap((list) =>
      style[list].map(({ file }, index): [string, string] => [`${list}.${index}.file`, file]),
    ),
    ...single.flatMap((field): [string, string][] => {
      const file = style[field];
      return file === null ? [] : [[field, file]];
    }),
  ];
}

/** Why a character's file cannot be drawn; null if it can. */
function characterFault(attr: string, path: string): WireError | null {
  try {
    const character: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isPhotoCharacter(character)) checkPhotoCharacter(character);
    else parseCharacter(character);
    return null;
  } catch (error) {
    const reason = errorMessage(error);
    return invalid(attr, `This character cannot be drawn: ${reason}`);
  }
}

/** Errors in the character: a style is drawn from it, so its file must exist here and be valid. */
function drawingFaults({ files, platform_type }: ModelStyle, publicFolder: string): WireError[] {
  if (platform_type !== "webrtc") return [];
  const index = files.findIndex(({ name }) => name === "character");
  const file = files[index]?.file;
  if (file === undefined) {
    const detail =
      'A webrtc style is drawn from its character: add {"name": "character", "file": "/characters/….json"}.';
    return [{ code: "required", attr: "files", detail }];
  }
  const attr = `files.${index}.file`;
  if (photoOfPath(file)) return [];
  const path = servedPath(file, publicFolder);
  if (path === null)
    return [
      invalid(attr, "The server draws only characters that it serves itself; set a path that begins with /."),
    ];
  const fault = placeFault(attr, file, publicFolder) ?? characterFault(attr, path);
  return fault ? [fault] : [];
}

function matteFaults({ configs }: ModelStyle): WireError[] {
  return configs.flatMap(({ key, value }, index) =>
    key !== "matte" || matteSchema.safeParse(value).success
      ? []
      : [invalid(`configs.${index}.value`, "A matte is none, packed-alpha or chroma:#rrggbb.")],
  );
}

/**
 * Checks that a style has what its avatar needs: a character that can be drawn, and files that exist at the given paths. Returns
 * notes on what pages would lack. Throws a Fault with one entry for each wrong field.
 */
export function checkModelStyle(
  style: ModelStyle,
  engine: EngineSettings | null,
  { machine: { publicFolder } }: CheckPlace,
): string[] {
  const drawing = drawingFaults(style, publicFolder);
  const places = namedFiles(style)
    .filter(([attr]) => drawing.every((fault) => fault.attr !== attr))
    .map(([attr, file]) => placeFault(attr, file, publicFolder));
  const faults = [...drawing, ...places.filter((fault) => fault !== null), ...matteFaults(style)];
  if (faults.length > 0) throw Fault.validation(faults);
  const missing = ["poster", "porthole"].filter((name) => !style.files.some((file) => file.name === name));
  const notes = missing.map((name) => `It has no ${name}, so pages show no still picture there.`);
  return [...checkNoSettings(engine, "A model style"), ...(style.platform_type === "webrtc" ? notes : [])];
}
