import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import * as z from "zod";
import { encodeWav } from "../../src/service/audio/wav-file.ts";

/** A speech engine of the OpenAI protocol that says everything as one tone. */
export interface SpeechServer {
  readonly baseUrl: string;
  /** The texts that it was asked to speak, oldest first. */
  readonly texts: readonly string[];
  close(): void;
}

const requestSchema = z.object({ input: z.string() });
const rateHz = 24_000;
/** About as long as a voice needs for a character. */
const characterSec = 0.06;

/** As much sound as a voice needs for a text. */
function toneFor(spoken: string): Buffer {
  const samples = Math.ceil(spoken.length * characterSec * rateHz);
  const pcm = Int16Array.from({ length: samples }, (_, at) =>
    Math.round(9_000 * Math.sin((2 * Math.PI * 220 * at) / rateHz)),
  );
  return encodeWav(pcm, rateHz);
}

/** Starts such an engine. */
export async function startSpeechServer(): Promise<SpeechServer> {
  const texts: string[] = [];
  const http = createServer((request, response) => {
    void text(request).then((body) => {
      const { input } = requestSchema.parse(JSON.parse(body));
      texts.push(input);
      response.writeHead(200, { "content-type": "audio/wav" }).end(toneFor(input));
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    texts,
    close() {
      http.closeAllConnections();
      http.close();
    },
  };
}
