import { setImmediate as nextTurn } from "node:timers/promises";
import type { VideoMatte } from "../../protocol/exchange.ts";
import type { CharacterPictures } from "./character-pictures.ts";
import type { MediaClock } from "./media-clock.ts";

/** Roughly how long each step blocks, in ms. */
const parseMs = 20;
const layOutMs = 20;
const drawMs = 60;

/**
 * Prepares a character for drawing with this size and matte while other sessions continue. It works in steps; before each, the audio of the
 * blocked time is sent. Throws MediaError `invalid_character`.
 */
export async function prepareCharacter(
  pictures: CharacterPictures,
  clock: MediaClock,
  file: string,
  { size, matte }: { readonly size: number; readonly matte: VideoMatte },
): Promise<void> {
  if (pictures.isReady(file, size, matte)) return;
  clock.ahead(parseMs, () => pictures.character(file));
  await nextTurn();
  const picture = clock.ahead(
    layOutMs,
    () =>
      (matte === "packed-alpha" ? pictures.takePacked(file, size) : undefined) ?? pictures.take(file, size),
  );
  await nextTurn();
  clock.ahead(drawMs, () => picture.draw({}));
  picture.release();
}
