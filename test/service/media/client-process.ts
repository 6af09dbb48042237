import wrtc from "@roamhq/wrtc";
import { answerCommands } from "./asked-process.ts";
import { ClientMicrophone } from "./client-microphone.ts";
import { upload } from "./client-upload.ts";

/**
 * Entry of a child process that plays the client of one session: it carries out the calls of `MediaClient` with a real peer
 * connection. It is a separate process because the library must not shut down inside a test runner.
 */

/** The properties of a received picture that tests look at. */
export interface SeenPicture {
  width: number;
  height: number;
  /** Mean luma of the whole matte (lower half), and of a corner where no avatar is, in the colour half. */
  matteMean: number;
  cornerMean: number;
}

/** 10 ms of received audio: the time and the loudest sample. */
export type HeardPeak = [atMs: number, peak: number];

/** What the client has received so far. */
export interface Received {
  connectionState: string;
  /** State of the message channel. */
  channelState: string;
  firstPictureAtMs: number | undefined;
  pictures: number;
  lastPicture: SeenPicture | undefined;
  messages: { type: string; data: Record<string, unknown>; atMs: number }[];
  /** Texts on the channel `speech`, if it was opened. */
  parts: string[];
  heard: HeardPeak[];
  /** How dark the mouth region of each picture is (0…1). An open mouth is dark. */
  mouths: [atMs: number, darkness: number][];
  nowMs: number;
}

interface I420 {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Where the mouth of every character is, as fractions of the picture. */
const mouthRegion = { left: 0.44, right: 0.57, top: 0.55, bottom: 0.66 };

const darkLuma = 70;

/** How the connection is made; the process's first argument, as JSON. The second may be `audio-only`. */
export type ClientConfiguration = ConstructorParameters<typeof wrtc.RTCPeerConnection>[0];

const connection = new wrtc.RTCPeerConnection(
  JSON.parse(process.argv[2] ?? "{}") as NonNullable<ClientConfiguration>,
);
let microphone: ClientMicrophone | undefined;
const channel = connection.createDataChannel("message", { protocol: "message", ordered: true });
const seen: Omit<Received, "connectionState" | "channelState" | "nowMs"> = {
  ...{ firstPictureAtMs: undefined, pictures: 0, lastPicture: undefined },
  ...{ messages: [], parts: [], heard: [], mouths: [] },
};

const now = (): number => performance.timeOrigin + performance.now();

const opened = new Promise<void>((resolve) => (channel.onopen = () => resolve()));
channel.onmessage = ({ data }: { data: unknown }) => {
  const message = JSON.parse(String(data)) as { type: string; data: Record<string, unknown> };
  seen.messages.push({ ...message, atMs: now() });
};

const audio = connection.addTransceiver("audio", { direction: "recvonly" });

/** Referenced, because a sink that is garbage-collected gets no more data. */
let videoSink: InstanceType<typeof wrtc.nonstandard.RTCVideoSink> | undefined;

function receiveVideo(): void {
  const video = connection.addTransceiver("video", { direction: "recvonly" });
  videoSink = new wrtc.nonstandard.RTCVideoSink(video.receiver.track);
  videoSink.onframe = ({ frame }: { frame: I420 }) => {
    const atMs = now();
    seen.firstPictureAtMs ??= atMs;
    seen.pictures++;
    seen.mouths.push([atMs, mouthDarkness(frame)]);
    const { width, height } = frame;
    const matteMean = mean(frame, height / 2, height, width);
    seen.lastPicture = { width, height, matteMean, cornerMean: mean(frame, 0, 16, 16) };
  };
}

if (process.argv[3] !== "audio-only") receiveVideo();

const audioSink = new wrtc.nonstandard.RTCAudioSink(audio.receiver.track);
audioSink.ondata = ({ samples }: { samples: Int16Array }) => {
  seen.heard.push([now(), samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)]);
};

function mean(frame: I420, fromRow: number, toRow: number, toColumn: number): number {
  let sum = 0;
  for (let row = fromRow; row < toRow; row += 4) {
    for (let column = 0; column < toColumn; column += 4) sum += frame.data[row * frame.width + column]!;
  }
  return sum / ((Math.ceil((toRow - fromRow) / 4) * toColumn) / 4);
}

function mouthDarkness({ width, data }: I420): number {
  let dark = 0;
  let count = 0;
  for (let row = Math.round(width * mouthRegion.top); row < width * mouthRegion.bottom; row++) {
    for (let column = Math.round(width * mouthRegion.left); column < width * mouthRegion.right; column++) {
      count++;
      if (data[row * width + column]! < darkLuma) dark++;
    }
  }
  return dark / count;
}

let isSettled = false;

/**
 * Resolves when the engine has answered a first message. wrtc may swap a channel's first two messages: one that arrives while
 * it hands the channel over overtakes the one that was waiting. After the answer the order is kept.
 */
async function settled(): Promise<void> {
  if (isSettled) return;
  isSettled = true;
  channel.send(JSON.stringify({ type: "ping", data: {} }));
  // The channel's own handler comes first.
  while (!seen.messages.some(({ type }) => type === "ping"))
    await new Promise((resolve) => channel.addEventListener("message", resolve, { once: true }));
  seen.messages = seen.messages.filter(({ type }) => type !== "ping");
}

/** What `MediaClient` may call. */
const calls = {
  async offer(iceRestart = false): Promise<string> {
    const offer = await connection.createOffer({ iceRestart });
    await connection.setLocalDescription(offer);
    return offer.sdp!;
  },
  /** An offer with all candidates. */
  async gatheredOffer(): Promise<string> {
    const gathered = new Promise<void>((resolve) => {
      connection.onicecandidate = ({ candidate }: { candidate: unknown }) => {
        if (candidate === null) resolve();
      };
    });
    await calls.offer();
    await gathered;
    return connection.localDescription!.sdp;
  },
  /** Adds a microphone to the next offer. */
  async addMicrophone(): Promise<void> {
    microphone = new ClientMicrophone();
    audio.direction = "sendrecv";
    await audio.sender.replaceTrack(microphone.track);
  },
  /** Adds video to the next offer, for a client that started without it. */
  addVideo: receiveVideo,
  /** Plays this sound, 48 kHz, into the microphone. Resolves when all of it was sent. */
  hear: (pcm: Int16Array) => microphone?.hear(pcm),
  /** Uploads these pieces over a `file` channel. */
  upload: (...pieces: (Uint8Array | string)[]) => upload(connection, pieces),
  /** Applies the answer; resolves when the data channel is open and keeps the order of its messages. */
  async accept(sdp: string): Promise<void> {
    await connection.setRemoteDescription({ type: "answer", sdp });
    await opened;
    await settled();
  },
  sendText: (text: string) => channel.send(text),
  /**
   * Opens a channel for the parts of speeches' timelines; resolves with the first part, which is empty, or when the service closes
   * the channel.
   */
  async takeParts(): Promise<"open" | "closed"> {
    const speech = connection.createDataChannel("speech", { ordered: false });
    return new Promise((resolve) => {
      speech.onmessage = ({ data }: { data: unknown }) => {
        seen.parts.push(String(data));
        resolve("open");
      };
      speech.onclose = () => resolve("closed");
    });
  },
  received(): Received {
    const { connectionState } = connection;
    return { ...seen, connectionState, channelState: channel.readyState, nowMs: now() };
  },
  /** Kind of the local candidate that the connection uses (`host`, `relay`, …). */
  async candidateType(): Promise<string | undefined> {
    const stats = [...(await connection.getStats()).values()] as Record<string, unknown>[];
    const pair = stats.find(({ type, nominated }) => type === "candidate-pair" && nominated === true);
    return stats.find(({ id }) => id === pair?.["localCandidateId"])?.["candidateType"] as string | undefined;
  },
  /** Forgets the sound and pictures received so far. */
  forget: () => void Object.assign(seen, { heard: [], mouths: [] }),
  /** Closes the peer connection as a leaving page does. */
  close: () => connection.close(),
};

export type ClientCalls = typeof calls;

answerCommands(({ name, given }: { name: keyof ClientCalls; given: unknown[] }) =>
  (calls[name] as (...given: unknown[]) => unknown)(...given),
);
