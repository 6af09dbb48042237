import { setImmediate as nextTurn } from "node:timers/promises";
import type { CharacterPictures } from "./character-pictures.ts";
import type { MediaClock } from "./media-clock.ts";

/** How long the steps block, about, in ms. */
const parseMs = 20;
const layOutMs = 20;
const drawMs = 60;

/**
 * Makes a character ready to be drawn at this size while other sessions go on: step by step, each after the sound that falls
 * due meanwhile. Throws MediaError `invalid_character`.
 */
export async function prepareCharacter(
  pictures: CharacterPictures,
  clock: MediaClock,
  file: string,
  size: number,
): Promise<void> {
  if (pictures.isReady(file, size)) return;
  clock.ahead(parseMs, () => pictures.character(file));
  await nextTurn();
  const picture = clock.ahead(layOutMs, () => pictures.take(file, size));
  await nextTurn();
  clock.ahead(drawMs, () => picture.draw({}));
  picture.release();
}
