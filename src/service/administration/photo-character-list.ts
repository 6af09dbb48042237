import * as z from "zod";
import { consentKinds, type PhotoCharacterView } from "../../protocol/console/photo-characters.ts";
import { photoFileName, photoFilePath } from "../photo-file.ts";
import type { CatalogueRow, FileStore } from "../store/store.ts";
import { listCatalogueEntries } from "./catalogue-entries.ts";
import type { CatalogueScope } from "./catalogue-scope.ts";
import { namedStyle, photoIdOf } from "./photo-characters.ts";

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
async function consentOf({ files }: ListScope, id: string): Promise<PhotoCharacterView["consent"]> {
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
      consent: await consentOf(scope, id),
      used_by: contexts
        .filter(({ model_style: style }) => style === body.name)
        .map(({ id: uuid, name, embed_config: { ui } }) => ({ id: uuid, name: ui?.avatar_name ?? name })),
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
