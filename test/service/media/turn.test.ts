import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { IceServer } from "../../../src/protocol/session/ice.ts";
import { iceServersFor } from "../../../src/service/sessions/life/session-view.ts";
import { createTurnProbe } from "../../../src/service/media/turn-probe.ts";
import { freePort } from "../../free-port.ts";
import { bundleEntry } from "../bundle-entry.ts";
import type { MediaClient } from "./media-client.ts";
import { isAudible, mediaStand, ofType } from "./media-stand.ts";
import { hasTurnServer, ownAddress, startTurnServer, type TurnServer } from "./turn-server.ts";

describe.skipIf(!hasTurnServer || ownAddress === undefined)(
  "through a TURN server [needs turnserver and a network address]",
  () => {
    const stand = mediaStand();
    let turn: TurnServer;

    beforeAll(async () => {
      turn = await startTurnServer(ownAddress!);
    });
    afterAll(() => turn.stop());

    /** The ICE servers that the service gives the client of a session at that moment. */
    function servers(transport: string, nowMs = Date.now()): IceServer[] {
      const urls = [`${turn.url}?transport=${transport}`];
      const settings = { servers: [], turn: { urls, secret: turn.secret, ttlSec: 60 } };
      return iceServersFor(settings, "0123456789abcdef", nowMs);
    }

    function relayedClient(iceServers: IceServer[]): MediaClient {
      return stand.newClient({ iceServers: iceServers as RTCIceServer[], iceTransportPolicy: "relay" });
    }

    it.each(["udp", "tcp"])(
      "a client that can reach only the TURN server gets pictures, voice and messages over %s",
      async (transport) => {
        const client = relayedClient(servers(transport));
        const offerSdp = await client.gatheredOffer();
        expect(offerSdp).toMatch(/^a=candidate:.* typ relay/m);
        expect(offerSdp).not.toMatch(/^a=candidate:.* typ host/m);
        await stand.exchange(client, { offerSdp });
        await client.send("ttstf", { message: "Hello." });
        const received = await client.until(
          "pictures and voice",
          (seen) => seen.pictures > 5 && seen.heard.some(isAudible) && ofType(seen, "stf").length > 0,
        );
        expect(ofType(received, "stf")).toHaveLength(1);
        expect(await client.candidateType()).toBe("relay");
      },
    );

    it("a client behind a TURN server may start without a candidate, too", async () => {
      const client = relayedClient(servers("udp"));
      await stand.exchange(client);
      await client.until("pictures", ({ pictures }) => pictures > 5);
    });

    it("the check of an installation tells whether a server relays", async () => {
      const script = await bundleEntry("src/service/media/turn-probe-process.ts");
      onTestFinished(script.remove);
      const [server] = servers("udp") as [IceServer & { urls: string[] }];
      const urls = [server.urls[0]!, `turn:127.0.0.1:${await freePort()}`];
      const verdicts = await createTurnProbe(script.url)(urls.map((url) => ({ ...server, urls: url })));
      expect(verdicts).toEqual([true, false]);
    });

    it("credentials that have expired or were made with another secret are refused", async () => {
      const expired = servers("udp", Date.now() - 3_600_000);
      const [{ username, ...server }] = servers("udp") as [IceServer];
      const forged = [{ ...server, username: `9${username}` }];
      for (const iceServers of [expired, forged])
        expect(await relayedClient(iceServers).gatheredOffer()).not.toContain("typ relay");
    });
  },
);
