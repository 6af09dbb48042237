import { isPhotoCharacter } from "../../protocol/characters/photo-format.ts";
import type { Look } from "./local/look.ts";
import { drawnTemplateSchema } from "../../protocol/characters/drawn-template.ts";
import { publicPath } from "../../protocol/settings/public-path.ts";

/** What reads and draws each kind of character. */
const drawn = () => import("./local/drawn-look.ts");
const photo = () => import("./local/photo/photo-look.ts");

/** A character that takes longer is given up. On a line this slow, nobody else draws it sooner. */
const loadLimitMs = 30_000;

/** Where a relay has the characters from photographs. */
const photoFolder = "/photos/";

/** Loads a character, with what draws its kind. Rejects when it cannot be loaded or read, and tells the page's owner why. */
export async function loadLook(url: string): Promise<Look> {
  try {
    return await load(url);
  } catch (error) {
    // eslint-disable-next-line no-console -- nothing else says why the service draws what the page wanted to be drawn here
    console.warn("Visavis: not drawn here:", error);
    throw error;
  }
}

async function load(url: string): Promise<Look> {
  // The file itself says what draws it. What most likely does is loaded beside it.
  const [response] = await Promise.all([
    fetch(url, { signal: AbortSignal.timeout(loadLimitMs) }),
    url.includes(photoFolder) ? photo() : drawn(),
  ]);
  if (!response.ok) throw new Error(`${response.status}: ${url}`);
  const file: unknown = await response.json();
  return isPhotoCharacter(file) ? (await photo()).readPhoto(file) : (await drawn()).readDrawn(file);
}

/**
 * The address of the character that a `template` message names: the relay serves it as it serves the context's own. Null if there is
 * none that browsers can reach. `session`: the address of the session at the relay.
 */
export function changedCharacter(data: unknown, session: string): string | null {
  const files = drawnTemplateSchema.safeParse(data).data?.files ?? [];
  const path = publicPath(files.find(({ name }) => name === "character")?.file);
  // A session's address is …/embed/v1/sessions/<id>.
  return path && new URL(`../../../${path}`, new URL(session, location.href)).href;
}
