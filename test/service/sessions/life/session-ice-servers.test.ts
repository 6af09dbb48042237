import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { IceServer } from "../../../../src/protocol/session/ice.ts";
import { defaultServiceSettings } from "../../../../src/service/service-settings.ts";
import { runService, type RunningService } from "../../service-fixture.ts";

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
  it("are returned by ice-servers and retrieve, with the session's own credentials", async () => {
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

  it("are valid for their full time from each request", async () => {
    const run = await withTurn();
    const session = await run.newSession();
    run.pass(30);
    const [, turn] = await iceServers(run, `/api/v1/session/${session}/ice-servers/`);
    expect(turn!.username).toMatch(new RegExp(`^${startMs / 1_000 + 630}:`));
  });

  it("never contain the whole session id, because it gives access to the session", async () => {
    const run = await withTurn();
    const session = await run.newSession();
    const servers = await iceServers(run, `/api/v1/session/${session}/ice-servers/`);
    expect(JSON.stringify(servers)).not.toContain(session);
  });

  it("are an empty list if none are configured", async () => {
    const run = await runService();
    expect(await iceServers(run, `/api/v1/session/${await run.newSession()}/ice-servers/`)).toEqual([]);
  });
});
