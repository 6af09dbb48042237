import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { IceServer } from "../../../src/protocol/ice.ts";
import { defaultServiceSettings } from "../../../src/service/service-settings.ts";
import { runService, type RunningService } from "../service-fixture.ts";

const secret = "shared with the TURN server";
const stun = { urls: ["stun:stun.example:3478"] };
const urls = ["turn:turn.example:3478?transport=udp", "turns:turn.example:443?transport=tcp"];
const startMs = Date.UTC(2026, 0, 1);

function withTurn(): Promise<RunningService> {
  return runService({
    startMs,
    settings: {
      ...defaultServiceSettings,
      publicUrl: "https://relay.example",
      publicFolder: "/srv/public",
      ice: { servers: [stun], turn: { urls, secret, ttlSec: 600 } },
    },
  });
}

async function iceServers(run: RunningService, path: string): Promise<IceServer[]> {
  const text = await (await run.request(path)).text();
  expect(text).not.toContain(secret);
  return (JSON.parse(text) as { ice_servers: IceServer[] }).ice_servers;
}

describe("the ICE servers of a session", () => {
  it("are told by ice-servers and by retrieve, with credentials of the session's own", async () => {
    const run = await withTurn();
    const [session, other] = [await run.newSession(), await run.newSession()];
    const username = `${startMs / 1_000 + 600}:${session.slice(0, 8)}`;
    const credential = createHmac("sha1", secret).update(username).digest("base64");
    for (const path of ["ice-servers/", ""])
      expect(await iceServers(run, `/api/v1/session/${session}/${path}`)).toEqual([
        stun,
        { urls, username, credential },
      ]);
    const [, turnOfOther] = await iceServers(run, `/api/v1/session/${other}/ice-servers/`);
    expect(turnOfOther!.username).not.toBe(username);
  });

  it("hold for their time from each asking on", async () => {
    const run = await withTurn();
    const session = await run.newSession();
    run.pass(30);
    const [, turn] = await iceServers(run, `/api/v1/session/${session}/ice-servers/`);
    expect(turn!.username).toMatch(new RegExp(`^${startMs / 1_000 + 630}:`));
  });

  it("never show the whole session id to the TURN server, for it opens the session", async () => {
    const run = await withTurn();
    const session = await run.newSession();
    const servers = await iceServers(run, `/api/v1/session/${session}/ice-servers/`);
    expect(JSON.stringify(servers)).not.toContain(session);
  });

  it("are none where none are set", async () => {
    const run = await runService();
    expect(await iceServers(run, `/api/v1/session/${await run.newSession()}/ice-servers/`)).toEqual([]);
  });
});
