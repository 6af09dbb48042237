import { readFileSync } from "node:fs";
import { photoCharacterSchema, type PhotoCharacter } from "../../src/protocol/photo-character.ts";

/** The path of a character that was made from a picture of Mina, a drawn character. */
export const photoFile = new URL("./mina.json", import.meta.url);

/** That character. */
export const photoMina = (): PhotoCharacter =>
  photoCharacterSchema.parse(JSON.parse(readFileSync(photoFile, "utf8")));
