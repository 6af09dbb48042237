import { AskedProcess } from "./asked-process.ts";
import type { ClientCommand, ClientConfiguration, Received } from "./client-process.ts";
import type { UploadResult } from "./client-upload.ts";
import { until } from "../../patience.ts";

/** The client of a session, in a process of its own. */
export class MediaClient {
  readonly #process: AskedProcess<ClientCommand>;

  /** `entry` is the built `client-process`. */
  constructor(
    entry: URL,
    configuration: ClientConfiguration = {},
    media: "audio-only" | "audio-and-video" = "audio-and-video",
  ) {
    this.#process = new AskedProcess(entry, [JSON.stringify(configuration), media]);
  }

  get pid(): number {
    return this.#process.pid;
  }

  offer(iceRestart = false): Promise<string> {
    return this.#run({ method: "offer", iceRestart }) as Promise<string>;
  }

  /** An offer with all candidates. */
  gatheredOffer(): Promise<string> {
    return this.#run({ method: "offer", gathered: true }) as Promise<string>;
  }

  /** Adds a microphone to the next offer. */
  async addMicrophone(): Promise<void> {
    await this.#run({ method: "microphone" });
  }

  /** Adds video to the next offer, for a client that started without it. */
  async addVideo(): Promise<void> {
    await this.#run({ method: "video" });
  }

  /** Plays this sound, 48 kHz, into the microphone. Resolves when all of it was sent. */
  async hear(pcm: Int16Array): Promise<void> {
    await this.#run({ method: "hear", pcm });
  }

  /** Uploads these pieces over a `file` channel. */
  upload(...pieces: (Uint8Array | string)[]): Promise<UploadResult> {
    return this.#run({ method: "upload", pieces }) as Promise<UploadResult>;
  }

  /** Applies the answer; resolves when the data channel is open and keeps the order of its messages. */
  async accept(sdp: string): Promise<void> {
    await this.#run({ method: "accept", sdp });
  }

  /** Opens a channel for the parts of speeches' timelines; resolves when the service sends to it, or closes it. */
  takeParts(): Promise<"open" | "closed"> {
    return this.#run({ method: "take-parts" }) as Promise<"open" | "closed">;
  }

  async send(type: string, data: Record<string, unknown>): Promise<void> {
    await this.sendText(JSON.stringify({ type, data }));
  }

  async sendText(text: string): Promise<void> {
    await this.#run({ method: "send", text });
  }

  received(): Promise<Received> {
    return this.#run({ method: "received" }) as Promise<Received>;
  }

  /** Kind of the local candidate that the connection uses (`host`, `relay`, …). */
  candidateType(): Promise<string | undefined> {
    return this.#run({ method: "candidate-type" }) as Promise<string | undefined>;
  }

  /** Forgets the sound and pictures received so far. */
  async forget(): Promise<void> {
    await this.#run({ method: "forget" });
  }

  /** Waits until the received media meet the condition. */
  until(what: string, test: (received: Received) => boolean): Promise<Received> {
    return until(what, async () => {
      const received = await this.received();
      return test(received) && received;
    });
  }

  /** Closes the peer connection as a leaving page does. */
  async close(): Promise<void> {
    await this.#run({ method: "close" });
  }

  /** Ends the process. */
  end(): Promise<void> {
    return this.#process.end();
  }

  #run(command: ClientCommand): Promise<unknown> {
    return this.#process.run(command);
  }
}
