import { putEntry } from "./scripted-model.ts";
import type { Server } from "./stack.ts";

/** Adds a recognizer to a server's catalogue, as an operator does. It is not tried. */
export async function putRecognizer(server: Server, name: string, engine: object): Promise<void> {
  await putEntry(server, "stt-type", { name, service: "onpremise", engine });
}
