import { existsSync, readFileSync, statSync } from "node:fs";
import { join, normalize } from "node:path";
import { errorMessage } from "../error-message.ts";
import type { ModelStyle } from "../../protocol/catalogue.ts";
import type { WireError } from "../../protocol/error-body.ts";
import { isPhotoCharacter } from "../../protocol/photo-format.ts";
import { matteSchema } from "../../protocol/stage-settings.ts";
import { parseCharacter } from "../../puppet/index.ts";
import { Fault } from "../fault.ts";
import { photoOfPath } from "../photo-file.ts";
import type { EngineSettings } from "../store/store.ts";
import type { CheckPlace } from "./check-place.ts";
import { checkPhotoCharacter } from "./photo-character-check.ts";
import { checkNoSettings } from "./private-settings.ts";

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
