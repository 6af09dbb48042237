import wrtc from "@roamhq/wrtc";
import { answerCommands } from "./asked-process.ts";

/**
 * Entry of a child process that plays many clients at once. Each message is followed immediately by the action that it races
 * with. It is a separate process because the library must not shut down inside a test runner.
 */

/** A client's steps, each immediately after the previous one. */
export type RaceStep =
  | { do: "message"; text: string }
  | { do: "binary"; channel: "message" | "file"; length: number }
  | { do: "open-channel"; label: string }
  | { do: "close-channel"; channel: "message" | "file" }
  | { do: "close" };

/** Commands for the process. Each is answered by `{ id, result }` or `{ id, error }`. */
export type RaceCommand =
  | { method: "offer"; client: string; microphone?: boolean; pictures?: boolean }
  | { method: "accept"; client: string; sdp: string }
  | { method: "open-file"; client: string }
  | { method: "act"; client: string; steps: RaceStep[] };

type Connection = InstanceType<typeof wrtc.RTCPeerConnection>;
type Channel = ReturnType<Connection["createDataChannel"]>;

interface RaceClient {
  connection: Connection;
  message: Channel;
  file?: Channel;
}

const clients = new Map<string, RaceClient>();
/** Referenced, because garbage-collected connections are closed. */
const others: unknown[] = [];

async function offer(name: string, microphone: boolean, pictures: boolean): Promise<string> {
  const connection = new wrtc.RTCPeerConnection();
  const message = connection.createDataChannel("message", { protocol: "message", ordered: true });
  if (microphone) {
    const source = new wrtc.nonstandard.RTCAudioSource();
    others.push(source);
    connection.addTransceiver(source.createTrack(), { direction: "sendrecv" });
  } else connection.addTransceiver("audio", { direction: "recvonly" });
  if (pictures) connection.addTransceiver("video", { direction: "recvonly" });
  clients.set(name, { connection, message });
  const made = await connection.createOffer();
  await connection.setLocalDescription(made);
  return made.sdp!;
}

function opened(channel: Channel): Promise<void> {
  if (channel.readyState === "open") return Promise.resolve();
  return new Promise((resolve) => (channel.onopen = () => resolve()));
}

function act(client: RaceClient, step: RaceStep): void {
  switch (step.do) {
    case "message":
      client.message.send(step.text);
      break;
    case "binary":
      (step.channel === "file" ? client.file! : client.message).send(new Uint8Array(step.length));
      break;
    case "open-channel":
      others.push(client.connection.createDataChannel(step.label));
      break;
    case "close-channel":
      (step.channel === "file" ? client.file! : client.message).close();
      break;
    case "close":
      client.connection.close();
  }
}

async function run(command: RaceCommand): Promise<unknown> {
  if (command.method === "offer")
    return offer(command.client, command.microphone ?? false, command.pictures ?? true);
  const client = clients.get(command.client)!;
  switch (command.method) {
    case "accept":
      await client.connection.setRemoteDescription({ type: "answer", sdp: command.sdp });
      return opened(client.message);
    case "open-file":
      client.file = client.connection.createDataChannel("file", { protocol: "file" });
      return opened(client.file);
    case "act":
      try {
        for (const step of command.steps) act(client, step);
      } catch (error) {
        // The other side was faster, which is a race, too.
        if (!String(error).includes("InvalidStateError")) throw error;
      }
      return undefined;
  }
}

answerCommands(run);
