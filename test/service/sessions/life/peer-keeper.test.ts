import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createPeerKeeper, type PeerKeeper } from "../../../../src/service/sessions/life/peer-keeper.ts";
import { localNotices, type SessionNotices } from "../../../../src/service/sessions/life/session-notices.ts";
import { openSqliteStore } from "../../../../src/service/store/database/sqlite-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import { RecordingMedia, runService, silentLog, temporaryFolder } from "../../service-fixture.ts";

let store: Store;

beforeEach(() => void (store = openSqliteStore(temporaryFolder())));
afterEach(() => store.close());

async function process(notices: SessionNotices) {
  const run = await runService({ store, notices });
  run.service.start();
  onTestFinished(() => run.service.stop());
  const offer = { client_sdp: { type: "offer", sdp: "v=0" } };
  const exchange = async (sessionId: string) =>
    expect((await run.send("POST", `/api/v1/session/${sessionId}/exchange/`, offer)).status).toBe(200);
  return { ...run, exchange };
}

describe("processes that notify each other", () => {
  test("close the peer in one at the session's end in another", async () => {
    const notices = localNotices();
    const [one, other] = [await process(notices), await process(notices)];
    const session = await one.newSession();
    await one.exchange(session);
    await other.event(session, "SESSION_END");
    await expect.poll(() => one.media.closed).toEqual([session]);
  });

  test("keep the newest peer, at whichever process the client connects", async () => {
    const notices = localNotices();
    const [one, other] = [await process(notices), await process(notices)];
    const session = await one.newSession();
    await one.exchange(session);
    await one.exchange(session);
    await store.ping();
    expect(one.media.closed).toEqual([]);
    await other.exchange(session);
    await expect.poll(() => one.media.closed).toEqual([session]);
    await one.exchange(session);
    await expect.poll(() => other.media.closed).toEqual([session]);
    expect(one.media.closed).toEqual([session]);
    expect((await one.status(session)).status).toBe("EXCHANGED");
  });
});

describe("processes without notifications", () => {
  let one: PeerKeeper;
  let other: PeerKeeper;
  let media: RecordingMedia[];

  beforeEach(() => {
    media = [new RecordingMedia(), new RecordingMedia()];
    [one, other] = media.map((engine) =>
      createPeerKeeper({ store, log: silentLog, media: engine, notices: localNotices() }),
    ) as [PeerKeeper, PeerKeeper];
  });

  const exchange = (keeper: PeerKeeper, sessionId: string) =>
    keeper.exchange({ sessionId, offerSdp: "v=0", characterFile: "/mina.json" });
  const closed = () => media.map((engine) => engine.closed);

  test("find sessions that ended or moved by checking", async () => {
    const run = await runService({ store });
    const [moved, ended, going] = [await run.newSession(), await run.newSession(), await run.newSession()];
    for (const id of [moved, ended, going]) await exchange(one, id);
    await exchange(other, moved);
    await run.event(ended, "SESSION_END");
    for (const keeper of [one, one, other]) await keeper.check();
    expect(closed()).toEqual([[moved, ended], []]);
  });

  test("do not close a session's peer during an exchange", async () => {
    const session = await (await runService({ store })).newSession();
    await exchange(one, session);
    await exchange(other, session);
    let answer = (): void => undefined;
    media[0]!.onExchange = () => new Promise((resolve) => (answer = resolve));
    const exchanged = exchange(one, session);
    await one.check();
    expect(closed()).toEqual([[], []]);
    answer();
    await exchanged;
    for (const keeper of [one, other]) await keeper.check();
    expect(closed()).toEqual([[], [session]]);
  });
});
