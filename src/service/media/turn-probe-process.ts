import * as z from "zod";
import { iceServerSchema, type IceServer } from "../../protocol/session/ice.ts";
import { wrtc } from "./wrtc.ts";

/** How long a server may take to give an address, in ms. */
const gatheringMs = 8_000;

/** Whether the server gives an address that it relays from: what a browser behind a strict firewall needs. */
async function relays(server: IceServer): Promise<boolean> {
  const peer = new wrtc.RTCPeerConnection({ iceServers: [server], iceTransportPolicy: "relay" });
  try {
    return await new Promise<boolean>((resolve, reject) => {
      setTimeout(() => resolve(false), gatheringMs);
      peer.onicecandidate = ({ candidate }) => {
        if (candidate === null) resolve(false);
        else if (/ typ relay /.test(candidate.candidate)) resolve(true);
      };
      peer.createDataChannel("probe");
      peer
        .createOffer()
        .then((offer) => peer.setLocalDescription(offer))
        .catch(reject);
    });
  } finally {
    peer.close();
  }
}

/** The program of the process: reads a list of servers with one URL each, and answers with the verdict on each. */
process.once("message", (message) => {
  void Promise.all(z.array(iceServerSchema).parse(message).map(relays)).then((verdicts) => {
    process.send?.(verdicts, () => process.exit(0));
  });
});
