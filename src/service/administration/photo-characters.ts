import { randomUUID } from "node:crypto";
import { imageContentType } from "../../protocol/image-type.ts";
import type { ModelStyle } from "../../protocol/catalogue.ts";
import { photoLimits } from "../../protocol/photo-character.ts";
import { Fault } from "../fault.ts";
import { photoFileName, photoFilePath, photoFiles, photoOfPath, type PhotoFile } from "../photo-file.ts";
import { checkPictureDimensions } from "../picture-dimensions.ts";
import type { FileStore } from "../store/store.ts";
import { AdministrationError } from "./administration-error.ts";
import { namedCatalogueEntry } from "./catalogue-entries.ts";
import { putCatalogueEntry } from "./catalogue-put.ts";
import { checkOthers, type CatalogueScope } from "./catalogue-scope.ts";
import type { EngineMachine } from "./check-place.ts";
import { checkPhotoCharacter } from "./photo-character-check.ts";

/** What is stated about the person in a photograph (docs/likeness.md). */
export const consentStatements = {
  self: "The photograph shows me, and I am an adult.",
  written: "The person in the photograph is an adult, and I hold their written consent to this use.",
} as const;
export type Consent = keyof typeof consentStatements;

/** A photo character to store. */
export interface GivenPhoto {
  /** The name of its model style. */
  name: string;
  /** What people call it. */
  title: string;
  /** A file in the photo character format. */
  character: unknown;
  poster: Uint8Array;
  porthole: Uint8Array;
  consent: Consent;
  /** Who makes the statement. */
  statedBy: string;
}

type PhotoScope = CatalogueScope & { machine: EngineMachine; files: FileStore; nowMs: number };

/** The largest still picture, in bytes and pixels. */
const still = { bytes: 128 * 1_024, side: 1_024 };

function checkedStill(field: "poster" | "porthole", bytes: Uint8Array): Uint8Array {
  if (bytes.length > still.bytes)
    throw Fault.invalid("max_length", `A still picture may have at most ${still.bytes} bytes.`, field);
  if (imageContentType(bytes) !== "image/webp" && imageContentType(bytes) !== "image/png")
    throw Fault.invalid("invalid", "A still picture must be PNG or WebP.", field);
  checkPictureDimensions(bytes, { maxSidePixels: still.side, field });
  return bytes;
}

function styleOf(id: string, { name, title }: GivenPhoto): Partial<ModelStyle> {
  const config = (key: string, value: string) => ({ modelstyleconfig_id: `${id}-${key}`, key, value });
  const character = photoFilePath(id, "character");
  const poster = photoFilePath(id, "poster");
  return {
    ...{ name, model: name, style: null, platform_type: "webrtc", model_file: character, file: poster },
    model_files: [{ name: "character", file: character }],
    files: [
      { name: "character", file: character },
      { name: "poster", file: poster },
      { name: "porthole", file: photoFilePath(id, "porthole") },
    ],
    configs: [config("matte", "packed-alpha"), config("title", title), config("kind", "photograph")],
  };
}

/** The photo character of a model style; null if it is drawn from something else. */
export function photoIdOf({ files }: ModelStyle): string | null {
  const file = files.find(({ name }) => name === "character")?.file;
  return file === undefined ? null : (photoOfPath(file)?.id ?? null);
}

/** A statement, as it is kept with its character. */
export interface KeptConsent {
  statement: string;
  stated_by: string;
  stated_at: string;
  organization: string;
}

function consentOf({ organization, nowMs }: PhotoScope, given: GivenPhoto): KeptConsent {
  return {
    statement: consentStatements[given.consent],
    stated_by: given.statedBy,
    stated_at: new Date(nowMs).toISOString(),
    organization: organization.id,
  };
}

/**
 * Stores a photo character as a model style, with the statement about the person in it. Resolves with the style's name. Throws a Fault
 * that names each wrong field; then nothing is stored.
 */
export async function putPhotoCharacter(scope: PhotoScope, given: GivenPhoto): Promise<string> {
  if (given.statedBy.trim() === "")
    throw Fault.invalid("required", "Say who makes the statement about the person.", "stated_by");
  const character = new TextEncoder().encode(JSON.stringify(checkPhotoCharacter(given.character)));
  if (character.length > photoLimits.mostBytes)
    throw Fault.invalid(
      "max_length",
      `A character may have at most ${photoLimits.mostBytes} bytes.`,
      "character",
    );
  const contents: Record<PhotoFile, Uint8Array> = {
    character,
    poster: checkedStill("poster", given.poster),
    porthole: checkedStill("porthole", given.porthole),
    consent: new TextEncoder().encode(JSON.stringify(consentOf(scope, given))),
  };
  const known = await namedStyle(scope, given.name);
  const before = known && photoIdOf(known.body);
  if (known && before === null)
    throw Fault.invalid("invalid", "This is the name of a drawn character; choose another one.", "name");
  const id = randomUUID();
  for (const file of photoFiles) await scope.files.write(photoFileName(id, file), contents[file]);
  try {
    await putCatalogueEntry(scope, "model_style", { ...styleOf(id, given) });
  } catch (error) {
    await removeFiles(scope, id);
    throw error;
  }
  if (before !== null) await removeFiles(scope, before);
  return given.name;
}

async function namedStyle(scope: PhotoScope, name: string) {
  try {
    return await namedCatalogueEntry(scope, "model_style", name);
  } catch (error) {
    if (error instanceof AdministrationError && error.code === "not_found") return null;
    throw error;
  }
}

async function removeFiles({ files }: Pick<PhotoScope, "files">, id: string): Promise<void> {
  for (const file of photoFiles) await files.remove(photoFileName(id, file));
}

/** The statement about the person in a character. Throws AdministrationError `not_found`. */
export async function photoConsent(scope: PhotoScope, name: string): Promise<string> {
  const { body } = await namedCatalogueEntry(scope, "model_style", name);
  const id = photoIdOf(body);
  const bytes = id === null ? null : await scope.files.read(photoFileName(id, "consent"));
  if (bytes === null) throw new AdministrationError("not_found", `${name} is not made from a photograph.`);
  return new TextDecoder().decode(bytes);
}

/** The drawn character that takes the place of a removed one. */
const substitute = "mina";

/**
 * Removes a photo character with everything that shows the person. Its avatars show a drawn character from then on. Throws
 * AdministrationError `not_found` and `shared_entry`.
 */
export async function removePhotoCharacter(scope: PhotoScope, name: string): Promise<void> {
  const row = await namedCatalogueEntry(scope, "model_style", name);
  checkOthers(scope, "model_style", row);
  const id = photoIdOf(row.body);
  if (id === null) throw new AdministrationError("not_found", `${name} is not made from a photograph.`);
  const drawn = await namedCatalogueEntry(scope, "model_style", substitute);
  await putCatalogueEntry(scope, "model_style", { ...drawn.body, name });
  await removeFiles(scope, id);
}
