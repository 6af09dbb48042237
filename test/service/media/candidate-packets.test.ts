import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { characterFile, mediaStand } from "./media-stand.ts";
import { until } from "../../patience.ts";
import { realOffers } from "./real-offers.ts";

/** The packets that one offer makes the server send to unrelated ports. */
let packets: Map<number, number>;
let sockets: Socket[];

beforeEach(async () => {
  packets = new Map();
  sockets = Array.from({ length: 100 }, () => createSocket("udp4"));
  for (const socket of sockets) {
    socket.bind(0, "127.0.0.1");
    await once(socket, "listening");
    const { port } = socket.address();
    socket.on("message", () => packets.set(port, (packets.get(port) ?? 0) + 1));
  }
});
afterEach(() => {
  for (const socket of sockets) socket.close();
});

/** An offer with a candidate for each of these ports, in every section. */
function offerToAll(): string {
  const candidates = sockets
    .map(
      (socket, index) =>
        `a=candidate:${index} 1 udp 2122260223 127.0.0.1 ${socket.address().port} typ host\r\n`,
    )
    .join("");
  return realOffers["chromium"]!.replace(/^c=IN.*\r\n/gm, (line) => line + candidates);
}

describe.each([
  ["auto", 0],
  ["allow", 20],
] as const)(
  "an offer with 100 candidates of this machine, by the setting %s",
  (privateCandidates, portsMax) => {
    const stand = mediaStand({}, { privateCandidates });

    it(`makes the server send to ${portsMax} of them`, async () => {
      const request = { sessionId: "odd", offerSdp: offerToAll(), characterFile: characterFile("mina") };
      await stand.engine.exchange(request);
      if (portsMax > 0) await until("packets", () => packets.size >= portsMax);
      // A normal client's connection needs as many checks, and is established meanwhile.
      const honest = await stand.connect("honest");
      await honest.until("pictures", ({ pictures }) => pictures > 15);
      if (process.env["PRINT_PACKETS"]) {
        const sent = [...packets.values()].reduce((sum, count) => sum + count, 0);
        process.stdout.write(`${privateCandidates}: ${sent} packets to ${packets.size} ports\n`);
      }
      expect(packets.size).toBe(portsMax);
    });
  },
);
