import {
  photoCharacterCreateSchema,
  photoCharacterListSchema,
  photoCharacterViewSchema,
} from "../../../../protocol/console/photo-characters.ts";
import { errorBodySchema } from "../../../../protocol/schema/error-body.ts";
import { photoLimits } from "../../../../protocol/characters/photo-character.ts";
import { organizationScope } from "../../../administration/catalogue/catalogue-entries.ts";
import {
  listPhotoCharacters,
  type PhotoScope,
  putPhotoCharacter,
  removePhotoCharacter,
  stillMaxBytes,
  unusedStyleName,
} from "../../../administration/catalogue/photo-characters.ts";
import type { Clock } from "../../../clock.ts";
import { Fault } from "../../../faults/fault.ts";
import type { Installation } from "../../../installation.ts";
import type { FileStore, Store } from "../../../store/store.ts";
import { bodyMaxBytes, type RequestFields } from "../../body/request-fields.ts";
import { callerName } from "../../identity.ts";
import { operation, type Operation } from "../../operations/operation.ts";

const tag = "Photo characters";
/** A person makes the statement about the photograph, so that no program can. */
const auth = "operator";
const path = "/api/console/photo-characters/";

interface PhotoCharacterParts {
  store: Store;
  clock: Clock;
  /** Where the files of characters are stored. */
  files: FileStore;
  installation: Pick<Installation, "machine">;
}

const files = {
  character: {
    description: "A file in the photo character format",
    maxBytes: photoLimits.mostBytes,
    required: true,
  },
  poster: { description: "PNG or WebP", maxBytes: stillMaxBytes, required: true },
  porthole: { description: "PNG or WebP", maxBytes: stillMaxBytes, required: true },
} as const;

async function scopeOf(parts: PhotoCharacterParts, organizationId: string): Promise<PhotoScope> {
  const { store, clock, installation } = parts;
  const scope = await organizationScope(store, organizationId);
  return { ...scope, machine: installation.machine, files: parts.files, nowMs: clock.nowMs() };
}

const fileOf = (sent: RequestFields["files"], name: keyof typeof files): Uint8Array =>
  sent.get(name) ?? new Uint8Array();

function characterIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw Fault.invalid("invalid", "This file is not JSON.", "character");
  }
}

/** Characters that are made from photographs. The photograph itself is never sent. */
export function photoCharacterRoutes(parts: PhotoCharacterParts): Operation[] {
  return [
    operation({
      method: "GET",
      path,
      id: "listPhotoCharacters",
      tag,
      summary: "List the characters that are made from photographs, with what was stated about each",
      auth,
      answer: { status: 200, description: "The characters", schema: photoCharacterListSchema },
      handler: async ({ caller: { organizationId } }) =>
        listPhotoCharacters(await scopeOf(parts, organizationId)),
    }),
    operation({
      method: "POST",
      path,
      id: "createPhotoCharacter",
      tag,
      summary: "Store a character that was made from a photograph, with the statement about the person in it",
      auth,
      body: {
        schema: photoCharacterCreateSchema,
        files,
        maxBytes: photoLimits.mostBytes + 2 * stillMaxBytes + bodyMaxBytes,
      },
      answer: { status: 201, description: "The character", schema: photoCharacterViewSchema },
      target: (_call, { name, title }) => ({ id: name, name: title }),
      async handler({ caller, body: { title, consent, stated_by: statedBy }, files: sent }) {
        const scope = await scopeOf(parts, caller.organizationId);
        const name = await putPhotoCharacter(scope, {
          ...{ name: await unusedStyleName(scope, title), title, consent, statedBy },
          account: callerName(caller),
          character: characterIn(fileOf(sent, "character")),
          poster: fileOf(sent, "poster"),
          porthole: fileOf(sent, "porthole"),
        });
        const made = (await listPhotoCharacters(scope)).find((one) => one.name === name);
        if (!made) throw Fault.notFound();
        return made;
      },
    }),
    operation({
      method: "DELETE",
      path: `${path}:character/`,
      id: "deletePhotoCharacter",
      tag,
      summary: "Remove a character with everything that shows the person; a drawn one takes its place",
      auth,
      answer: { status: 204, description: "It was removed" },
      otherAnswers: { 400: { description: "All organizations share it", schema: errorBodySchema } },
      handler: async ({ params, caller: { organizationId } }) =>
        removePhotoCharacter(await scopeOf(parts, organizationId), params.character),
    }),
  ];
}
