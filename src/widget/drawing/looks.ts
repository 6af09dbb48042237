import { isPhotoCharacter } from "../../protocol/photo-format.ts";
import type { Look } from "./local/look.ts";

/** What reads and draws each kind of character. */
const drawn = () => import("./local/drawn-look.ts");
const photo = () => import("./local/photo/photo-look.ts");

/** Where a relay has the characters from photographs. */
const photoFolder = "/photos/";

/** Loads a character, with what draws its kind. Rejects when it cannot be loaded or read. */
export async function loadLook(url: string): Promise<Look> {
  // The file itself says what draws it. What most likely does is loaded beside it.
  const [response] = await Promise.all([fetch(url), url.includes(photoFolder) ? photo() : drawn()]);
  if (!response.ok) throw new Error(`The character could not be loaded: ${response.status}`);
  const file: unknown = await response.json();
  return isPhotoCharacter(file) ? (await photo()).readPhoto(file) : (await drawn()).readDrawn(file);
}
