import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod";
import { photoCharacterSchema } from "../../../protocol/characters/photo-character.ts";
import { errorMessage } from "../../faults/error-message.ts";
import { changedBox, PhotoDrawing } from "./photo-drawing.ts";
import type { PhotoAnswer, PhotoOrder, PhotoRelease } from "./photo-messages.ts";

/** Entry point of a thread that draws one photo character at one size, for all sessions of a media process. */

const { file, size } = z.object({ file: z.string(), size: z.number() }).parse(workerData);

/** The last picture of each session. */
const pictures = new Map<number, Uint32Array>();

const loading = PhotoDrawing.load(photoCharacterSchema.parse(JSON.parse(readFileSync(file, "utf8"))), size);

async function answer({ picture, params, buffer }: PhotoOrder): Promise<void> {
  const drawing = await loading;
  const words = new Uint32Array(buffer);
  drawing.draw(params, words);
  const before = pictures.get(picture);
  const box = before ? changedBox(before, words, size) : { x: 0, y: 0, width: size, height: size };
  if (before) before.set(words);
  else pictures.set(picture, words.slice());
  tell({ picture, buffer, box }, [buffer]);
}

function tell(message: PhotoAnswer, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}

parentPort?.on("message", (message: PhotoOrder | PhotoRelease) => {
  if ("released" in message) pictures.delete(message.released);
  else answer(message).catch((error: unknown) => tell({ fault: errorMessage(error) }));
});
