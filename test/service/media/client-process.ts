import wrtc from "@roamhq/wrtc";
import { ClientMicrophone } from "./client-microphone.ts";
import { upload } from "./client-upload.ts";

/**
 * Entry of a child process that plays the client of one session: it carries out the commands of `MediaClient` with a real peer
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

/** A received picture: its time, and how dark its mouth region is (0…1). An open mouth is dark. */
export type SeenMouth = [atMs: number, darkness: number];

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
  mouths: SeenMouth[];
  nowMs: number;
}

/** Commands for the process. Each is answered by `{ id, result }` or `{ id, error }`. */
export type ClientCommand =
  | { method: "offer"; iceRestart?: boolean; gathered?: boolean }
  | { method: "microphone" }
  | { method: "video" }
  | { method: "hear"; pcm: Int16Array }
  | { method: "upload"; pieces: (Uint8Array | string)[] }
  | { method: "accept"; sdp: string }
  | { method: "send"; text: string }
  | { method: "take-parts" }
  | { method: "received" }
  | { method: "candidate-type" }
  | { method: "forget" }
  | { method: "close" };

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
const messages: Received["messages"] = [];
const parts: string[] = [];
let heard: HeardPeak[] = [];
let mouths: SeenMouth[] = [];
let pictures = 0;
let firstPictureAtMs: number | undefined;
let lastPicture: SeenPicture | undefined;

const now = (): number => performance.timeOrigin + performance.now();

const opened = new Promise<void>((resolve) => (channel.onopen = () => resolve()));
channel.onmessage = ({ data }: { data: unknown }) => {
  messages.push({
    ...(JSON.parse(String(data)) as { type: string; data: Record<string, unknown> }),
    atMs: now(),
  });
};

const audio = connection.addTransceiver("audio", { direction: "recvonly" });

/** Referenced, because a sink that is garbage-collected gets no more data. */
let videoSink: InstanceType<typeof wrtc.nonstandard.RTCVideoSink> | undefined;

function receiveVideo(): void {
  const video = connection.addTransceiver("video", { direction: "recvonly" });
  videoSink = new wrtc.nonstandard.RTCVideoSink(video.receiver.track);
  videoSink.onframe = ({ frame }: { frame: I420 }) => {
    const atMs = now();
    firstPictureAtMs ??= atMs;
    pictures++;
    mouths.push([atMs, mouthDarkness(frame)]);
    lastPicture = seen(frame);
  };
}

if (process.argv[3] !== "audio-only") receiveVideo();

const audioSink = new wrtc.nonstandard.RTCAudioSink(audio.receiver.track);
audioSink.ondata = ({ samples }: { samples: Int16Array }) => {
  heard.push([now(), samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)]);
};

function mean(frame: I420, fromRow: number, toRow: number, toColumn: number): number {
  let sum = 0;
  for (let row = fromRow; row < toRow; row += 4) {
    for (let column = 0; column < toColumn; column += 4) sum += frame.data[row * frame.width + column]!;
  }
  return sum / ((Math.ceil((toRow - fromRow) / 4) * toColumn) / 4);
}

function seen(frame: I420): SeenPicture {
  const { width, height } = frame;
  return {
    width,
    height,
    matteMean: mean(frame, height / 2, height, width),
    cornerMean: mean(frame, 0, 16, 16),
  };
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
  while (!messages.some(({ type }) => type === "ping"))
    await new Promise((resolve) => channel.addEventListener("message", resolve, { once: true }));
  messages.splice(0, messages.length, ...messages.filter(({ type }) => type !== "ping"));
}

async function localCandidateType(): Promise<string | undefined> {
  const stats = [...(await connection.getStats()).values()] as Record<string, unknown>[];
  const pair = stats.find(({ type, nominated }) => type === "candidate-pair" && nominated === true);
  return stats.find(({ id }) => id === pair?.["localCandidateId"])?.["candidateType"] as string | undefined;
}

/** Resolves with the first part, which is empty, or when the service closes the channel. */
async function takeParts(): Promise<"open" | "closed"> {
  const speech = connection.createDataChannel("speech", { ordered: false });
  return new Promise((resolve) => {
    speech.onmessage = ({ data }: { data: unknown }) => {
      parts.push(String(data));
      resolve("open");
    };
    speech.onclose = () => resolve("closed");
  });
}

async function run(command: ClientCommand): Promise<unknown> {
  switch (command.method) {
    case "offer": {
      const offer = await connection.createOffer({ iceRestart: command.iceRestart ?? false });
      const gathered = new Promise<void>((resolve) => {
        connection.onicecandidate = ({ candidate }: { candidate: unknown }) => {
          if (candidate === null) resolve();
        };
      });
      await connection.setLocalDescription(offer);
      if (!command.gathered) return offer.sdp;
      await gathered;
      return connection.localDescription!.sdp;
    }
    case "microphone":
      microphone = new ClientMicrophone();
      audio.direction = "sendrecv";
      return audio.sender.replaceTrack(microphone.track);
    case "video":
      receiveVideo();
      return undefined;
    case "hear":
      return microphone?.hear(command.pcm);
    case "upload":
      return upload(connection, command.pieces);
    case "accept":
      await connection.setRemoteDescription({ type: "answer", sdp: command.sdp });
      await opened;
      return settled();
    case "send":
      channel.send(command.text);
      return undefined;
    case "take-parts":
      return takeParts();
    case "received": {
      const received: Received = {
        connectionState: connection.connectionState,
        channelState: channel.readyState,
        firstPictureAtMs,
        pictures,
        lastPicture,
        messages,
        parts,
        heard,
        mouths,
        nowMs: now(),
      };
      return received;
    }
    case "candidate-type":
      return localCandidateType();
    case "forget":
      heard = [];
      mouths = [];
      return undefined;
    case "close":
      connection.close();
      return undefined;
  }
}

process.on("message", ({ id, command }: { id: number; command: ClientCommand }) => {
  run(command).then(
    (result) => process.send?.({ id, result }),
    (error: unknown) => process.send?.({ id, error: String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));
