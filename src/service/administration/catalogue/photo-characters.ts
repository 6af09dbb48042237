import { randomUUID } from "node:crypto";
import { imageContentType } from "../../../protocol/characters/image-type.ts";
import { isMovingPicture } from "../../../protocol/characters/moving-picture.ts";
import type { ModelStyle } from "../../../protocol/catalogue.ts";
import {
  type ConsentKind,
  consentKinds,
  type PhotoCharacterView,
} from "../../../protocol/console/photo-characters.ts";
import { photoLimits } from "../../../protocol/characters/photo-character.ts";
import { Fault } from "../../faults/fault.ts";
import {
  type PhotoFile,
  photoFileName,
  photoFilePath,
  photoFiles,
  photoOfPath,
} from "../../pictures/photo-file.ts";
import { checkPictureDimensions } from "../../pictures/picture-dimensions.ts";
import { withProvenance } from "../../pictures/picture-provenance.ts";
import type { CatalogueRow, FileStore } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";
import {
  type CatalogueScope,
  checkOthers,
  listCatalogueEntries,
  namedCatalogueEntry,
  ownerOf,
  removeCatalogueEntry,
} from "./catalogue-entries.ts";
import { putCatalogueEntry } from "./catalogue-put.ts";
import type { EngineMachine } from "../check-place.ts";
import { checkPhotoCharacter } from "./character-checks.ts";
import * as z from "zod";

/** What is stated about the person in a photograph (docs/photo-characters.md). */
export const consentStatements: Readonly<Record<ConsentKind, string>> = {
  self: "The photograph shows me, and I am an adult.",
  written: "The person in the photograph is an adult, and I hold their written consent to this use.",
};

/** A photo character to store. */
interface GivenPhoto {
  /** The name of its model style. */
  name: string;
  /** What people call it. */
  title: string;
  /** A file in the photo character format. */
  character: unknown;
  poster: Uint8Array;
  porthole: Uint8Array;
  consent: ConsentKind;
  /** Who makes the statement. */
  statedBy: string;
  /** The account that is signed in; null: a command. */
  account: string | null;
}

/** Whose characters are changed, and with what. */
export type PhotoScope = CatalogueScope & { machine: EngineMachine; files: FileStore; nowMs: number };

/** The kinds of model styles that have to do with photographs, in their setting `kind`. */
const kinds = { photograph: "photograph", removed: "removed-photograph" } as const;

/** The largest still picture, in bytes. */
export const stillMaxBytes = 128 * 1_024;
/** Its longest side, in pixels. */
const stillMaxPixels = 1_024;

function checkedStill(field: "poster" | "porthole", bytes: Uint8Array): Uint8Array {
  if (bytes.length > stillMaxBytes)
    throw Fault.invalid("max_length", `A still picture may have at most ${stillMaxBytes} bytes.`, field);
  if (imageContentType(bytes) !== "image/webp" && imageContentType(bytes) !== "image/png")
    throw Fault.invalid("invalid", "A still picture must be PNG or WebP.", field);
  if (isMovingPicture(bytes))
    throw Fault.invalid("invalid", "A still picture may not be an animation.", field);
  checkPictureDimensions(bytes, { maxSidePixels: stillMaxPixels, field });
  return withProvenance(bytes);
}

function styleOf(id: string, { name, title }: GivenPhoto, isOpaque: boolean): Partial<ModelStyle> {
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
    configs: [
      ...[config("matte", "packed-alpha"), config("title", title), config("kind", kinds.photograph)],
      ...(isOpaque ? [config("background", "kept")] : []),
    ],
  };
}

/** The photo character of a model style; null if it is drawn from something else. */
export function photoIdOf({ files }: ModelStyle): string | null {
  const file = files.find(({ name }) => name === "character")?.file;
  return file === undefined ? null : (photoOfPath(file)?.id ?? null);
}

/** Whether a model style has taken the place of a removed photo character. */
const isStandIn = ({ configs }: ModelStyle): boolean =>
  configs.some(({ key, value }) => key === "kind" && value === kinds.removed);

/** A statement, as it is kept with its character. */
interface KeptConsent {
  kind: ConsentKind;
  statement: string;
  stated_by: string;
  stated_at: string;
  account: string | null;
  organization: string;
}

function consentOf({ organization, nowMs }: PhotoScope, given: GivenPhoto): KeptConsent {
  return {
    kind: given.consent,
    statement: consentStatements[given.consent],
    stated_by: given.statedBy,
    stated_at: new Date(nowMs).toISOString(),
    account: given.account,
    organization: organization.id,
  };
}

/** The style that gets the name, if there is one. Throws a Fault for a drawn character and for one of all organizations. */
async function replacedStyle(scope: PhotoScope, name: string) {
  const known = await namedStyle(scope, name);
  if (known && photoIdOf(known.body) === null && !isStandIn(known.body))
    throw Fault.invalid("invalid", "This is the name of a drawn character; choose another one.", "name");
  if (known) checkOthers(scope, "model_style", known);
  return known;
}

/** Throws what `putPhotoCharacter` throws for a name, before a character is made. */
export async function checkPhotoName(scope: PhotoScope, name: string): Promise<void> {
  await replacedStyle(scope, name);
}

/** How many characters an organization may have. */
const mostCharacters = 100;

async function checkCount({ store, ...scope }: PhotoScope): Promise<void> {
  const styles = await store.catalogue.rows("model_style", ownerOf(scope));
  if (styles.filter(({ body }) => photoIdOf(body) !== null).length >= mostCharacters)
    throw Fault.invalid("max_length", `There are ${mostCharacters} photo characters; remove one first.`);
}

/**
 * Stores a photo character as a model style, with the statement about the person in it. One with the same name is replaced. Resolves
 * with the style's name. Throws a Fault that names each wrong field, and AdministrationError `shared_entry`; then nothing is stored.
 */
export async function putPhotoCharacter(scope: PhotoScope, given: GivenPhoto): Promise<string> {
  if (given.statedBy.trim() === "")
    throw Fault.invalid("required", "Say who makes the statement about the person.", "stated_by");
  const checked = checkPhotoCharacter(given.character);
  const character = new TextEncoder().encode(JSON.stringify(checked));
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
  const known = await replacedStyle(scope, given.name);
  const before = known && photoIdOf(known.body);
  if (before === null) await checkCount(scope);
  const id = randomUUID();
  for (const file of photoFiles) await scope.files.write(photoFileName(id, file), contents[file]);
  try {
    // Of two that get the same name at the same time, one fails.
    const revision = known?.revision ?? 0;
    await putCatalogueEntry({ ...scope, revision }, "model_style", {
      ...styleOf(id, given, checked.pictures.background !== undefined),
    });
  } catch (error) {
    await removeFiles(scope, id);
    throw error;
  }
  if (before !== null) await removeFiles(scope, before);
  return given.name;
}

/** The model style of a name; null if there is none. */
async function namedStyle(scope: CatalogueScope, name: string) {
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

/** The drawn character that takes the place of a removed one, if there is such a style. */
const substitute = "mina";

/** A drawn style; null if the catalogue has none. */
async function drawnStyle({ store, ...scope }: PhotoScope): Promise<ModelStyle | null> {
  const rows = await store.catalogue.rows("model_style", ownerOf(scope));
  const drawn = rows
    .map(({ body }) => body)
    .filter((body) => body.platform_type === "webrtc" && photoIdOf(body) === null && !isStandIn(body));
  return drawn.find(({ name }) => name === substitute) ?? drawn[0] ?? null;
}

/**
 * Removes a photo character with everything that shows the person. Its avatars show a drawn character from then on. Throws
 * AdministrationError `not_found` and `shared_entry`.
 */
export async function removePhotoCharacter(scope: PhotoScope, name: string): Promise<void> {
  const row = await namedCatalogueEntry(scope, "model_style", name);
  checkOthers(scope, "model_style", row);
  const id = photoIdOf(row.body);
  if (id === null) throw new AdministrationError("not_found", `${name} is not made from a photograph.`);
  // First of all, so that no problem with what takes its place keeps it.
  await removeFiles(scope, id);
  const drawn = await drawnStyle(scope);
  if (drawn === null) {
    await removeCatalogueEntry(scope, "model_style", name);
    return;
  }
  const standIn = { modelstyleconfig_id: `${id}-kind`, key: "kind", value: kinds.removed };
  await scope.store.catalogue.put({
    ...{ kind: "model_style", id: row.id, name: row.name, createdAtMs: scope.nowMs },
    organizationId: row.isShared ? null : scope.organization.id,
    body: { ...drawn, name: row.body.name, configs: [...drawn.configs, standIn] },
  });
}

/** A stored statement. Those of the first version have neither kind nor account. */
const keptConsentSchema = z.object({
  kind: z.enum(consentKinds).nullable().default(null),
  statement: z.string(),
  stated_by: z.string(),
  stated_at: z.string(),
  account: z.string().nullable().default(null),
});

type ListScope = CatalogueScope & { files: Pick<FileStore, "read"> };

/** Null where there is none, and where it is damaged: the character must be found to be removed. */
async function storedConsent({ files }: ListScope, id: string): Promise<PhotoCharacterView["consent"]> {
  const bytes = await files.read(photoFileName(id, "consent"));
  if (bytes === null) return null;
  try {
    return keptConsentSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

interface FoundPhoto {
  readonly id: string;
  readonly row: CatalogueRow<"model_style"> & { isShared: boolean };
}

/** The characters that are made from photographs, with what was stated about each and the avatars that show it. */
export async function listPhotoCharacters(scope: ListScope): Promise<PhotoCharacterView[]> {
  const rows = await listCatalogueEntries(scope, "model_style");
  const contexts = await scope.store.contexts.list(scope.organization.id);
  const found = rows.flatMap((row): FoundPhoto[] => {
    const id = photoIdOf(row.body);
    return id === null ? [] : [{ id, row }];
  });
  return Promise.all(
    found.map(async ({ id, row: { body, isShared } }) => ({
      name: body.name,
      title: body.configs.find(({ key }) => key === "title")?.value ?? body.name,
      poster: photoFilePath(id, "poster"),
      porthole: photoFilePath(id, "porthole"),
      consent: await storedConsent(scope, id),
      used_by: contexts
        .filter(({ model_style: style }) => style === body.name)
        .map(({ id: uuid, name, config: { ui } }) => ({ id: uuid, name: ui?.avatar_name ?? name })),
      is_shared: isShared && !scope.isOnly,
    })),
  );
}

/** The name of a new model style, from what people call it: small letters, digits and dashes. */
export async function unusedStyleName(scope: CatalogueScope, title: string): Promise<string> {
  const letters = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const base =
    letters
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 40) || "photo";
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if ((await namedStyle(scope, name)) === null) return name;
  }
}
