import type wrtc from "@roamhq/wrtc";

/** The result of an upload: the server's answer, and whether it closed the channel. */
export interface UploadResult {
  reference: string | undefined;
  /** Lengths of the server's messages, in order. The first is its empty message. */
  received: number[];
  closed: boolean;
}

/** Sends these pieces over a `file` channel as a client does: one after another, after the server's empty message. */
export function upload(
  connection: InstanceType<typeof wrtc.RTCPeerConnection>,
  pieces: readonly (Uint8Array | string)[],
): Promise<UploadResult> {
  const channel = connection.createDataChannel("file", { protocol: "file", ordered: true });
  const received: number[] = [];
  return new Promise((resolve) => {
    const end = (reference: string | undefined, closed: boolean): void => {
      resolve({ reference, received, closed });
      if (!closed) channel.close();
    };
    channel.onmessage = ({ data }: { data: unknown }) => {
      const text = String(data);
      received.push(text.length);
      if (text !== "") end(text, false);
      else for (const piece of pieces) channel.send(piece as never);
    };
    channel.onclose = () => end(undefined, true);
  });
}
