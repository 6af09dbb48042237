import * as z from "zod";

/** What can be stated about the person in a photograph (docs/photo-characters.md). */
export const consentKinds = ["self", "written"] as const;
export type ConsentKind = (typeof consentKinds)[number];

/** The longest name of a face, and of somebody who makes a statement, in characters. */
export const photoNameLimits = { title: 60, statedBy: 120 } as const;

/** Body of POST /api/console/photo-characters/, beside the files `character`, `poster` and `porthole`. */
export const photoCharacterCreateSchema = z.object({
  title: z.string().trim().min(1).max(photoNameLimits.title),
  consent: z.enum(consentKinds),
  /** Who makes the statement. The account is kept too. */
  stated_by: z.string().trim().min(1).max(photoNameLimits.statedBy),
});

/** What was stated about the person, by whom and when. */
const photoConsentSchema = z.object({
  statement: z.string(),
  /** Null: the statement of another version. */
  kind: z.enum(consentKinds).nullable(),
  stated_by: z.string(),
  stated_at: z.string(),
  /** The account that was signed in; null: it was stated in a command. */
  account: z.string().nullable(),
});

/** A character that was made from a photograph. */
export const photoCharacterViewSchema = z.object({
  /** The name of its model style. */
  name: z.string(),
  title: z.string(),
  poster: z.string(),
  porthole: z.string(),
  /** Null where the file of the statement is missing or damaged. */
  consent: photoConsentSchema.nullable(),
  /** The avatars that show it. */
  used_by: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Other organizations have it too, so that this one cannot remove it. */
  is_shared: z.boolean(),
});
export type PhotoCharacterView = z.infer<typeof photoCharacterViewSchema>;

/** Answer of GET /api/console/photo-characters/. */
export const photoCharacterListSchema = z.array(photoCharacterViewSchema);
