import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createPeerKeeper, type PeerKeeper } from "../../../../src/service/sessions/life/peer-keeper.ts";
import { localNotices, type SessionNotices } from "../../../../src/service/sessions/life/session-notices.ts";
import { openSqliteStore } from "../../../../src/service/store/database/sqlite-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { RecordingMedia, runService, silentLog, temporaryFolder } from "../../service-fixture.ts";

let store: Store;

beforeEach(() => {
  store = openSqliteStore(temporaryFolder());
});

afterEach(() => store.close());

async function process(notices: SessionNotices) {
  const run = await runService({ store, notices });
  run.service.start();
  onTestFinished(() => run.service.stop());
  const exchange = (sessionId: string) =>
    run.send("POST", `/api/v1/session/${sessionId}/exchange/`, { client_sdp: { type: "offer", sdp: "v=0" } });
  return { ...run, exchange };
}

describe("processes that notify each other", () => {
  test("an end in one process closes the peer in another", async () => {
    const notices = localNotices();
    const [one, other] = [await process(notices), await process(notices)];
    const sessionId = await one.newSession();
    expect((await one.exchange(sessionId)).status).toBe(200);
    await other.event(sessionId, "SESSION_END");
    await expect.poll(() => one.media.closed).toEqual([sessionId]);
  });

  test("the newest peer stays, at whichever process the client connects", async () => {
    const notices = localNotices();
    const [one, other] = [await process(notices), await process(notices)];
    const sessionId = await one.newSession();
    await one.exchange(sessionId);
    await other.exchange(sessionId);
    await expect.poll(() => one.media.closed).toEqual([sessionId]);
    await one.exchange(sessionId);
    await expect.poll(() => other.media.closed).toEqual([sessionId]);
    expect(one.media.closed).toEqual([sessionId]);
    expect((await one.status(sessionId)).status).toBe("EXCHANGED");
  });

  test("a further exchange in the same process closes nothing", async () => {
    const one = await process(localNotices());
    const sessionId = await one.newSession();
    await one.exchange(sessionId);
    await one.exchange(sessionId);
    await store.ping();
    expect(one.media.closed).toEqual([]);
  });
});

describe("processes without notifications", () => {
  let keepers: PeerKeeper[];
  let media: RecordingMedia[];

  beforeEach(() => {
    media = [new RecordingMedia(), new RecordingMedia()];
    keepers = media.map((engine) =>
      createPeerKeeper({ store, log: silentLog, media: engine, notices: localNotices() }),
    );
  });

  const request = (sessionId: string) => ({
    sessionId,
    offerSdp: "v=0",
    characterFile: "/mina.json",
    iceServers: [],
  });

  test("find sessions that ended or moved by checking", async () => {
    const run = await runService({ store });
    const ids = [await run.newSession(), await run.newSession(), await run.newSession()];
    for (const id of ids) await keepers[0]!.exchange(request(id));
    await keepers[1]!.exchange(request(ids[0]!));
    await run.event(ids[1]!, "SESSION_END");
    await keepers[0]!.check();
    await keepers[0]!.check();
    expect(media[0]!.closed).toEqual([ids[0], ids[1]]);
    await keepers[1]!.check();
    expect(media[1]!.closed).toEqual([]);
  });

  test("do not close a session's peer during an exchange", async () => {
    const run = await runService({ store });
    const sessionId = await run.newSession();
    await keepers[0]!.exchange(request(sessionId));
    await keepers[1]!.exchange(request(sessionId));
    let answer = (): void => undefined;
    media[0]!.onExchange = () => new Promise((resolve) => (answer = resolve));
    const exchange = keepers[0]!.exchange(request(sessionId));
    await keepers[0]!.check();
    expect(media[0]!.closed).toEqual([]);
    answer();
    await exchange;
    await keepers[0]!.check();
    await keepers[1]!.check();
    expect(media[0]!.closed).toEqual([]);
    expect(media[1]!.closed).toEqual([sessionId]);
  });
});
