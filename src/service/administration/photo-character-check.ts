import { imageSize } from "image-size";
import { imageContentType } from "../../protocol/image-type.ts";
import { isMovingPicture } from "../../protocol/moving-picture.ts";
import {
  photoCharacterSchema,
  photoLayers,
  photoLimits,
  type PhotoArea,
  type PhotoCharacter,
  type PhotoLayer,
} from "../../protocol/photo-character.ts";
import { mouthAtlasSize } from "../../photo/index.ts";
import { Fault } from "../fault.ts";
import { dataUrlBytes } from "../http/body/data-url.ts";
import { validated } from "../http/operations/validation.ts";
import { checkPictureDimensions } from "../picture-dimensions.ts";

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
