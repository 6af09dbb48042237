import { setImmediate as nextTurn } from "node:timers/promises";
import type { CharacterPictures } from "./character-pictures.ts";
import type { MediaClock } from "./media-clock.ts";

/** Roughly how long each step blocks, in ms. */
const parseMs = 20;
const layOutMs = 20;
const drawMs = 60;

/**
 * Prepares a character for drawing at this size while other sessions continue. It works in steps; before each, the audio of the
 * blocked time is sent. Throws MediaError `invalid_character`.
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
