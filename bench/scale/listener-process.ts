/**
 * Entry of a process that receives many sessions at once, each with a peer connection of its own. It looks at no picture, so it
 * costs little beside the process that sends them.
 */
import wrtc from "@roamhq/wrtc";
import { z } from "zod";
import { answerCommands } from "../../test/service/media/asked-process.ts";

/** What one session has received so far. */
export interface SessionReceived {
  nowMs: number;
  frames: number;
  keyFrames: number;
  /** The sum of the frames' quantizers, 0 to 127 each: how coarse the pictures are. */
  quantizers: number;
  /** The width of its latest frame. */
  width: number;
  /** Of sound, pictures and messages, with their headers. */
  bytes: number;
  /** Samples of sound that were played, and those of them that had not arrived in time. */
  samples: number;
  concealed: number;
}

/** What a session is sent beside its sound: pictures, or nothing. */
export type SentPictures = "video" | "local";

/** Commands for the process. Each is answered by `{ id, result }` or `{ id, error }`. */
export type ListenerCommand =
  | { method: "offer"; sessionId: string; pictures: SentPictures }
  | { method: "accept"; sessionId: string; sdp: string }
  | { method: "say"; sessionId: string; texts: readonly string[] }
  | { method: "received" };

const statsSchema = z.object({
  type: z.string(),
  kind: z.string().optional(),
  framesDecoded: z.number().optional(),
  keyFramesDecoded: z.number().optional(),
  qpSum: z.number().optional(),
  frameWidth: z.number().optional(),
  totalSamplesReceived: z.number().optional(),
  concealedSamples: z.number().optional(),
  bytesReceived: z.number().optional(),
});

/** One session, as its client sees it. */
class Listener {
  readonly #connection = new wrtc.RTCPeerConnection();
  readonly #channel = this.#connection.createDataChannel("message", { protocol: "message", ordered: true });
  readonly #opened = new Promise<void>((resolve) => (this.#channel.onopen = () => resolve()));

  async offer(pictures: SentPictures): Promise<string> {
    this.#connection.addTransceiver("audio", { direction: "recvonly" });
    if (pictures === "video") this.#connection.addTransceiver("video", { direction: "recvonly" });
    const offer = await this.#connection.createOffer();
    await this.#connection.setLocalDescription(offer);
    return offer.sdp ?? "";
  }

  async accept(sdp: string): Promise<void> {
    await this.#connection.setRemoteDescription({ type: "answer", sdp });
    await this.#opened;
  }

  say(texts: readonly string[]): void {
    for (const message of texts) this.#channel.send(JSON.stringify({ type: "ttstf", data: { message } }));
  }

  async received(): Promise<SessionReceived> {
    const seen: SessionReceived = {
      ...{ nowMs: 0, frames: 0, keyFrames: 0, quantizers: 0, width: 0 },
      ...{ bytes: 0, samples: 0, concealed: 0 },
    };
    const report: unknown[] = [];
    (await this.#connection.getStats()).forEach((each) => report.push(each));
    for (const each of report) {
      const { success, data } = statsSchema.safeParse(each);
      if (!success) continue;
      if (data.type === "transport") seen.bytes += data.bytesReceived ?? 0;
      if (data.type !== "inbound-rtp") continue;
      seen.frames += data.framesDecoded ?? 0;
      seen.keyFrames += data.keyFramesDecoded ?? 0;
      seen.quantizers += data.qpSum ?? 0;
      seen.width += data.frameWidth ?? 0;
      seen.samples += data.totalSamplesReceived ?? 0;
      seen.concealed += data.concealedSamples ?? 0;
    }
    return { ...seen, nowMs: performance.now() };
  }
}

const listeners = new Map<string, Listener>();

function listener(sessionId: string): Listener {
  const found = listeners.get(sessionId);
  if (!found) throw new Error(`There is no session ${sessionId}.`);
  return found;
}

async function run(command: ListenerCommand): Promise<unknown> {
  switch (command.method) {
    case "offer": {
      const added = new Listener();
      listeners.set(command.sessionId, added);
      return added.offer(command.pictures);
    }
    case "accept":
      return listener(command.sessionId).accept(command.sdp);
    case "say":
      listener(command.sessionId).say(command.texts);
      return undefined;
    case "received":
      return Promise.all([...listeners.values()].map((each) => each.received()));
  }
}

answerCommands(run);
