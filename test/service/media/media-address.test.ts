import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import { mediaStand } from "./media-stand.ts";

const portRange = { min: 42_310, max: 42_360 };
const publicAddress = "203.0.113.7";
const stand = mediaStand({ publicAddress, portRange });

describe("a server behind a NAT", () => {
  it("sends only its public address, with ports of the open range", async () => {
    const client = stand.newClient();
    // Nothing is at that address here, but the server finds the client by the offer's candidates.
    const { answerSdp } = await stand.exchange(client, { offerSdp: await client.gatheredOffer() });
    const candidates = [...answerSdp.matchAll(/^a=candidate:\S+ \d+ udp \d+ (\S+) (\d+) /gim)];
    expect(candidates.length).toBeGreaterThan(0);
    for (const [, address, port] of candidates) {
      expect(address).toBe(publicAddress);
      expect(Number(port)).toBeGreaterThanOrEqual(portRange.min);
      expect(Number(port)).toBeLessThanOrEqual(portRange.max);
    }
    for (const own of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []))
      if (!own.internal) expect(answerSdp).not.toContain(own.address);
    await client.until("pictures", ({ pictures }) => pictures > 5);
  });
});
