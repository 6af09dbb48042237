import { z } from "zod";
import { defaultPaddings } from "../../src/protocol/settings/stage-settings.ts";
import { bundleEntry } from "../../test/service/bundle-entry.ts";
import { AskedProcess } from "../../test/service/media/asked-process.ts";
import type { MediaStage } from "../media-stage.ts";
import type { ListenerCommand, SentPictures, SessionReceived } from "./listener-process.ts";

/** How many sessions are begun at the same time. */
const atOnce = 4;

const receivedSchema = z.array(
  z.object({
    nowMs: z.number(),
    frames: z.number(),
    keyFrames: z.number(),
    quantizers: z.number(),
    width: z.number(),
    bytes: z.number(),
    samples: z.number(),
    concealed: z.number(),
  }),
);

/** The kind of the sessions. */
interface ListenedSessions {
  characterFile: string;
  pictures: SentPictures;
  /** Each session says these as soon as it is connected. */
  texts: readonly string[];
}

/** Many sessions of one kind, received by one process. */
export class Listeners {
  readonly #stage: MediaStage;
  readonly #process: AskedProcess<ListenerCommand>;
  readonly #sessions: ListenedSessions;
  #ids: string[] = [];

  /** `entry` is the built `listener-process`. */
  constructor(stage: MediaStage, entry: URL, sessions: ListenedSessions) {
    this.#stage = stage;
    this.#process = new AskedProcess(entry);
    this.#sessions = sessions;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Connects sessions until there are `count`. */
  async growTo(count: number): Promise<void> {
    while (this.#ids.length < count) {
      const ids = Array.from({ length: Math.min(atOnce, count - this.#ids.length) }, (_, index) =>
        ["scale", this.#sessions.pictures, this.#sessions.texts.length, this.#ids.length + index].join("-"),
      );
      this.#ids = [...this.#ids, ...ids];
      await Promise.all(ids.map((sessionId) => this.#connect(sessionId)));
    }
  }

  /** What each session has received so far. */
  async received(): Promise<SessionReceived[]> {
    return receivedSchema.parse(await this.#process.run({ method: "received" }));
  }

  /** Ends all sessions. */
  async end(): Promise<void> {
    for (const sessionId of this.#ids) this.#stage.engine.close(sessionId);
    await this.#process.end();
  }

  async #connect(sessionId: string): Promise<void> {
    const { characterFile, pictures, texts } = this.#sessions;
    const offerSdp = String(await this.#process.run({ method: "offer", sessionId, pictures }));
    const { answerSdp } = await this.#stage.engine.exchange({
      ...{ sessionId, offerSdp, characterFile, matte: "packed-alpha" },
      scene: { paddings: defaultPaddings, background: "room" },
    });
    await this.#process.run({ method: "accept", sessionId, sdp: answerSdp });
    await this.#process.run({ method: "say", sessionId, texts });
  }
}

/** Builds the process of listeners. */
export function bundleListeners(): ReturnType<typeof bundleEntry> {
  return bundleEntry("bench/scale/listener-process.ts");
}
