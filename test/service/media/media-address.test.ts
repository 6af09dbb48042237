import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { characterFile, mediaStand } from "./media-stand.ts";

const portRange = { min: 42_310, max: 42_360 };
const publicAddress = "203.0.113.7";
const stand = mediaStand({ publicAddress, portRange });

interface Candidate {
  address: string;
  port: number;
}

function candidatesOf(sdp: string): Candidate[] {
  return [...sdp.matchAll(/^a=candidate:\S+ \d+ udp \d+ (\S+) (\d+) /gim)].map(([, address, port]) => ({
    address: address!,
    port: Number(port),
  }));
}

describe("a server behind a NAT", () => {
  it("sends only its public address, with ports of the open range", async () => {
    const client = stand.newClient();
    const { answerSdp } = await stand.engine.exchange({
      sessionId: "one",
      offerSdp: await client.gatheredOffer(),
      characterFile: characterFile("mina"),
    });
    const candidates = candidatesOf(answerSdp);
    expect(candidates.length).toBeGreaterThan(0);
    for (const { address, port } of candidates) {
      expect(address).toBe(publicAddress);
      expect(port).toBeGreaterThanOrEqual(portRange.min);
      expect(port).toBeLessThanOrEqual(portRange.max);
    }
    for (const own of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []))
      if (!own.internal) expect(answerSdp).not.toContain(own.address);
    // Nothing is at that address here, but the server finds the client by the offer's candidates.
    await client.accept(answerSdp);
    await client.until("pictures", ({ pictures }) => pictures > 5);
  });
});
