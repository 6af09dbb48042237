import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { storeSecretBox } from "../../../src/command-line/secrets/secrets.ts";
import { openStorage } from "../../../src/service/store/open-storage.ts";
import {
  fillFolder,
  runService,
  silentLog,
  temporaryFolder,
  type RunningService,
} from "../../service/service-fixture.ts";
import { commandLine } from "./operator-fixture.ts";

let run: RunningService;
let visavis: ReturnType<typeof commandLine>;

beforeEach(async () => {
  const folder = temporaryFolder();
  await fillFolder(folder);
  const { store, notices, close } = await openStorage(
    {
      dataFolder: folder,
      databaseUrl: undefined,
      box: storeSecretBox({ secret: undefined, oldSecrets: [], dataFolder: folder }),
    },
    silentLog,
  );
  onTestFinished(close);
  run = await runService({ folder, store, notices, startMs: Date.now() });
  visavis = commandLine(folder);
});

function exchange(session: string): Promise<Response> {
  const offer = { client_sdp: { type: "offer", sdp: "v=0" } };
  return run.send("POST", `/api/v1/session/${session}/exchange/`, offer);
}

test("the list contains every live session, the oldest first, and no ended one", async () => {
  const first = await run.newSession({ extra_data: { context_id: "ctx_demo" } });
  run.pass(1);
  const second = await run.newSession();
  const ended = await run.newSession();
  await run.event(first, "SESSION_START");
  await run.event(ended, "SESSION_END");
  const { printed, failure } = await visavis(["session", "list"]);
  expect(failure).toBeNull();
  const [heading, ...lines] = printed.split("\n").map((line) => line.split(/ +/));
  expect(heading).toEqual(["id", "status", "created", "duration_sec", "context"]);
  expect(lines.map(([id, status, , , context]) => [id, status, context])).toEqual([
    [first, "IN_PROGRESS", "ctx_demo"],
    [second, "CREATED", undefined],
  ]);
});

test("more sessions than one page of the store are all listed", async () => {
  await run.store.organizations.setQuotas(run.organizationId, { activeSessions: null });
  const sessions = await Promise.all(Array.from({ length: 230 }, () => run.newSession()));
  const { printed } = await visavis(["session", "list"]);
  expect(
    printed
      .split("\n")
      .slice(1)
      .map((line) => line.split(" ")[0])
      .sort(),
  ).toEqual(sessions.sort());
});

test("when the operator ends a session, its client is told and its peer in the running service is closed", async () => {
  run.service.start();
  onTestFinished(() => run.service.stop());
  const session = await run.newSession();
  expect((await exchange(session)).status).toBe(200);
  const other = await run.newSession();
  expect((await exchange(other)).status).toBe(200);
  await run.event(session, "SESSION_START");
  const { failure, noted } = await visavis(["session", "end", session]);
  expect(failure).toBeNull();
  expect(noted).toBe(`Session ${session} is ended (GRACEFUL_TERMINATION).`);
  await vi.waitFor(() => expect(run.media.closed).toEqual([session]));
  expect(await run.event(session, "SESSION_DURING")).toMatchObject({
    terminate: true,
    terminate_reason: "SESSION_EVENT_GRACEFUL_TERMINATION",
  });
  expect(await run.status(session)).toMatchObject({
    status: "TERMINATED",
    termination_reason: "GRACEFUL_TERMINATION",
  });
  expect((await exchange(session)).status).toBe(400);
});

test("an unknown session, or one that has ended, is reported", async () => {
  const session = await run.newSession();
  await run.event(session, "SESSION_ERROR");
  expect((await visavis(["session", "end", session])).failure).toBe(
    `Session ${session} has ended already (SESSION_MISC_ERROR).`,
  );
  expect((await visavis(["session", "end", "nothing"])).failure).toMatch(/^There is no session "nothing"/);
});
