import { readFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { SentenceEncoder } from "./sentence-encoder.ts";
import { asBytes } from "./vectors.ts";

/** Entry of the thread that encodes sentences: a list of texts in, their vectors out, in order. */

const encoder = new SentenceEncoder(readFileSync(new URL("./english-encoder.bin", import.meta.url)));

parentPort?.on("message", (texts: readonly string[]) => {
  parentPort?.postMessage(texts.map((text) => asBytes(encoder.encode(text))));
});
