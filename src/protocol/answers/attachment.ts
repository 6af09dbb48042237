import * as z from "zod/mini";

export { attachmentsPerQuestion } from "./llm-request.ts";

/** What visitors may attach to a question. */
export const attachmentKinds = ["image", "pdf"] as const;
export type AttachmentKind = (typeof attachmentKinds)[number];

/** The media types of each kind. */
const typesOfKind = {
  image: ["image/png", "image/jpeg", "image/webp", "image/gif"],
  pdf: ["application/pdf"],
} as const satisfies Record<AttachmentKind, readonly string[]>;

/** The largest file, in bytes. */
export const attachmentMaxBytes = 10 * 1024 * 1024;

/** The longest name of a file, in characters. */
export const attachmentNameMaxLength = 200;

/** The answer to an upload. */
export const attachmentSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The media type, as found in the file's content. */
  type: z.string(),
  bytes: z.number(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

/** The media types of some kinds, as a file dialog and an error message list them. */
export function attachmentTypes(kinds: readonly AttachmentKind[]): string[] {
  return kinds.flatMap((kind) => typesOfKind[kind]);
}

/** The kind of a media type; null if nothing of this type can be attached. */
export function attachmentKindOf(type: string): AttachmentKind | null {
  return attachmentKinds.find((kind) => attachmentTypes([kind]).includes(type)) ?? null;
}

/** How the files of each type begin: a text, and another one at a place behind it. */
const signatures: readonly { type: string; begin: string; then?: { at: number; text: string } }[] = [
  { type: "image/png", begin: "\x89PNG\r\n\x1a\n" },
  { type: "image/jpeg", begin: "\xff\xd8\xff" },
  { type: "image/webp", begin: "RIFF", then: { at: 8, text: "WEBP" } },
  { type: "image/gif", begin: "GIF87a" },
  { type: "image/gif", begin: "GIF89a" },
  { type: "application/pdf", begin: "%PDF-" },
];

/** The media type of a file by its first bytes, whatever its name says; null for any type that cannot be attached. */
export function attachmentTypeOf(bytes: Uint8Array): string | null {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  const found = signatures.find(
    ({ begin, then }) => start.startsWith(begin) && (!then || start.startsWith(then.text, then.at)),
  );
  return found?.type ?? null;
}

/** The kinds that a context allows, from its public view; none where the relay does not say. */
export function readAttachmentKinds(value: unknown): readonly AttachmentKind[] {
  return z.array(z.enum(attachmentKinds)).safeParse(value).data ?? [];
}
