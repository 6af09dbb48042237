import { until } from "../../patience.ts";
import { AskedProcess } from "./asked-process.ts";
import type { ClientCalls, ClientConfiguration, Received } from "./client-process.ts";

/** The calls that the client's process carries out. */
type RemoteCalls = {
  [Name in (typeof callNames)[number]]: (
    ...given: Parameters<ClientCalls[Name]>
  ) => Promise<Awaited<ReturnType<ClientCalls[Name]>>>;
};

const callNames = [
  ...(["offer", "gatheredOffer", "addMicrophone", "addVideo", "hear", "upload", "accept"] as const),
  ...(["sendText", "takeParts", "received", "candidateType", "forget", "close"] as const),
] satisfies (keyof ClientCalls)[];

/** The client of a session, in a process of its own. */
export interface MediaClient extends RemoteCalls {
  send(type: string, data: Record<string, unknown>): Promise<void>;
  /** Waits until the received media meet the condition. */
  until(what: string, test: (received: Received) => boolean): Promise<Received>;
  readonly pid: number;
  /** Ends the process. */
  end(): Promise<void>;
}

/** Starts a client. `entry` is the built `client-process`. */
export function newMediaClient(
  entry: URL,
  configuration: ClientConfiguration = {},
  media: "audio-only" | "audio-and-video" = "audio-and-video",
): MediaClient {
  const asked = new AskedProcess(entry, [JSON.stringify(configuration), media]);
  const call = (name: string, ...given: unknown[]): Promise<unknown> => asked.run({ name, given });
  const remote = Object.fromEntries(
    callNames.map((name) => [name, (...given: unknown[]) => call(name, ...given)]),
  ) as unknown as RemoteCalls;
  return {
    ...remote,
    send: (type, data) => remote.sendText(JSON.stringify({ type, data })),
    until: (what, test) =>
      until(what, async () => {
        const received = await remote.received();
        return test(received) && received;
      }),
    pid: asked.pid,
    end: () => asked.end(),
  };
}
