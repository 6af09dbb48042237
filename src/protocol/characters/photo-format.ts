/** "Visavis photo character format 1": a portrait as layers, with the face's landmarks (docs/photo-characters.md). */
export const photoFormat = "visavis-photo";

/** Whether a parsed file says that it is a photo character. It may be invalid still. */
export function isPhotoCharacter(value: unknown): boolean {
  return typeof value === "object" && value !== null && "format" in value && value.format === photoFormat;
}
