import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MediaError } from "../../../src/service/media/media-error.ts";
import { bundleEntry, type BundledEntry } from "../bundle-entry.ts";
import { AskedProcess } from "./asked-process.ts";
import type { Received } from "./client-process.ts";
import { characterFile, mediaStand, ofType } from "./media-stand.ts";
import { until } from "../../patience.ts";
import type { RaceCommand, RaceStep } from "./race-client-process.ts";

const stand = mediaStand();
let entry: BundledEntry;
let clients: AskedProcess<RaceCommand>;

beforeAll(async () => {
  entry = await bundleEntry("test/service/media/race-client-process.ts");
});
afterAll(() => entry.remove());
beforeEach(() => {
  openClients.clear();
  clients = new AskedProcess(entry.url);
});
afterEach(() => clients.end());

function message(type: string, data: Record<string, unknown> = {}): RaceStep {
  return { do: "message", text: JSON.stringify({ type, data }) };
}

const piece: RaceStep = { do: "binary", channel: "file", length: 1_000 };
const lastPiece: RaceStep = { do: "binary", channel: "file", length: 0 };
const closeFile: RaceStep = { do: "close-channel", channel: "file" };

/** What clients send, by name: every message, and every step of an upload. */
const sent: Record<string, RaceStep[]> = {
  nothing: [],
  ping: [message("ping")],
  ttstf: [message("ttstf", { message: "Hello." }), message("ttstf", { message: "And more." })],
  stf: [message("stf", { message: "Hello.", file_ref: "file-none", format: "wav" })],
  "clear-buffer": [message("ttstf", { message: "Hello." }), message("clear-buffer")],
  "change-size": [message("change-size", { width: 300, height: 400 })],
  "set-template": [message("set-template", { model: "none" })],
  "record-start": [message("record-start")],
  "record-end-stt": [message("record-start"), message("record-end-stt")],
  "record-end-translate": [message("record-end-translate", { src_lang: "en", dst_lang: "de" })],
  activity: [message("activity", { activity: "thinking" })],
  motion: [message("motion", { reduced: true })],
  voice: [message("ttstf", { message: "Hello." }), message("voice", { rate: 1.5 })],
  "no message": [
    { do: "message", text: "{" },
    { do: "binary", channel: "message", length: 9 },
  ],
  "other channels": [
    { do: "open-channel", label: "other" },
    { do: "open-channel", label: "file" },
    { do: "open-channel", label: "message" },
  ],
  "a piece of a file": [piece],
  "a whole file": [piece, lastPiece],
  "a whole file, and the channel's end": [piece, lastPiece, closeFile],
  "an empty file, and the channel's end": [lastPiece, closeFile],
  "many files in one channel": [piece, lastPiece, piece, lastPiece, closeFile],
};

/** Those whose channel is open, or was. */
const openClients = new Set<string>();

/** Sessions whose messages are about sound or files alone get no pictures, which take most of the processor's time. */
const isWithoutPictures = /^(?:record|ping|no message|other channels)|file/;

async function connectOnce(session: string, client: string): Promise<void> {
  const microphone = session.startsWith("record");
  const pictures = !isWithoutPictures.test(session);
  const offerSdp = (await clients.run({ method: "offer", client, microphone, pictures })) as string;
  const request = { sessionId: session, offerSdp, characterFile: characterFile("mina") };
  const { answerSdp } = await stand.engine.exchange(request);
  const accepted = clients
    .run({ method: "accept", client, sdp: answerSdp })
    .then(() => openClients.add(client));
  // A process that dies after its answer opens no channel.
  const hasDied = (): boolean =>
    stand.told.closed.some(([each, cause]) => each === session && cause === "process-died");
  await Promise.race([accepted, until("the channel", () => openClients.has(client) || hasDied())]);
  if (!openClients.has(client)) throw MediaError.processDied();
}

/** Connects. A client whose media process died meanwhile exchanges again, as real ones do. */
async function connect(session: string, client = session): Promise<void> {
  try {
    await connectOnce(session, client);
  } catch (error) {
    if (!(error instanceof MediaError && error.code === "process_died")) throw error;
    stand.told.closed.length = 0;
    await connectOnce(session, client);
  }
}

const act = (client: string, steps: RaceStep[]): Promise<unknown> =>
  clients.run({ method: "act", client, steps });

/** What happens while the messages are under way. */
const races: Record<string, (session: string, steps: RaceStep[]) => Promise<unknown>> = {
  "the client's closing of its connection": (session, steps) => act(session, [...steps, { do: "close" }]),
  "the client's closing of the channel": (session, steps) =>
    act(session, [...steps, { do: "close-channel", channel: "message" }]),
  "the session's end": (session, steps) => {
    const acted = act(session, steps);
    stand.engine.close(session);
    return acted;
  },
  "a second exchange": async (session, steps) => {
    const acted = act(session, steps);
    await connect(session, `${session}, again`);
    await act(
      `${session}, again`,
      steps.filter((step) => step.do === "message"),
    );
    await acted;
    // Its picture would take the processor's time of all that come after it.
    await act(`${session}, again`, [{ do: "close" }]);
  },
};

/**
 * The library itself can end a process, rarely: its `send` reads a pointer that its network thread clears when a client's
 * connection closes at that moment. Nothing here can prevent it, the process is replaced, and clients exchange again.
 */
const libraryCrash = /signal SIGSEGV/;

/** Deaths and unexpected errors of media processes. One crash of the library is accepted. Other warnings are expected here. */
function faults(): string[] {
  const { warnings, deaths } = stand.told;
  return [
    ...warnings.filter((warning) => /did not stop|unexpected/.test(warning)),
    ...deaths.filter((detail) => !libraryCrash.test(detail)),
    ...deaths.filter((detail) => libraryCrash.test(detail)).slice(1),
  ];
}

type Sent = [session: string, steps: RaceStep[]];

function inLotsOf(size: number, all: readonly Sent[]): Sent[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, lot) =>
    all.slice(lot * size, (lot + 1) * size),
  );
}

/** Connections that are made at once. Each needs a socket for every address of the machine, at first one per section. */
const atOnce = 5;

/** A session that is ready for what it sends. */
async function open(session: string): Promise<void> {
  await connect(session);
  if (session.includes("file")) await clients.run({ method: "open-file", client: session });
}

/** Sends each message in a session of its own, at the moment of the race. What comes late of it must not reach another race's. */
async function raceAll(
  name: string,
  race: (session: string, steps: RaceStep[]) => Promise<unknown>,
): Promise<void> {
  const all = Object.entries(sent).map(([each, steps]): Sent => [`${each}, and ${name}`, steps]);
  for (const batch of inLotsOf(atOnce, all)) {
    await Promise.all(
      batch.map(async ([session, steps]) => {
        await open(session);
        await race(session, steps);
      }),
    );
    await Promise.all(batch.map(([session]) => act(session, [{ do: "close" }])));
  }
}

/** Speaks to an honest client. If the library's crash comes as late as that, the client exchanges again, as real ones do. */
async function expectVoice(): Promise<void> {
  const isOver = (): boolean => stand.told.closed.some(([session]) => session === "honest");
  for (let isHeard = false; !isHeard;) {
    stand.told.closed.length = 0;
    const honest = await stand.connect("honest");
    await honest.send("ttstf", { message: "Hello." });
    const isSpoken = (seen: Received): boolean => ofType(seen, "stf").length === 1;
    isHeard = isSpoken(await honest.until("the voice's notice", (seen) => isSpoken(seen) || isOver()));
    expect(faults()).toEqual([]);
  }
}

describe("a media process survives", () => {
  it.each(Object.entries(races))("%s, at every message", async (name, race) => {
    await raceAll(name, race);
    // Their effects come later.
    await expectVoice();
  });

  it.each(
    inLotsOf(10, Object.entries(sent)).map((all) => ({ all, names: all.map(([name]) => name).join(", ") })),
  )("its stop during $names, and exits by itself", async ({ all }) => {
    for (const batch of inLotsOf(atOnce, all)) await Promise.all(batch.map(([session]) => open(session)));
    const acted = all.map(([session, steps]) => act(session, steps));
    await stand.engine.stop();
    await Promise.all(acted);
    expect(faults()).toEqual([]);
  });
});

describe("an error in one session's handlers", () => {
  it("ends that session with a log line, and no other", async () => {
    const honest = await stand.connect("honest");
    // No engine produces speech like this. The error must not affect other sessions, whatever it is.
    stand.hooks.synthesize = (sessionId) =>
      Promise.resolve({
        ok: true,
        speech: {
          sampleRateHz: 48_000,
          pcm: new Int16Array(48_000),
          words: [],
          visemes: sessionId === "faulty" ? (null as never) : [],
        },
      });
    const faulty = await stand.connect("faulty");
    await faulty.send("ttstf", { message: "Hello." });
    await until("the end", () => stand.told.closed.length > 0);
    expect(stand.told.closed).toEqual([["faulty", "session-failed"]]);
    expect(faults()).toEqual([
      expect.stringMatching(/^The session ended because of an unexpected error: .*visemes/),
    ]);
    await faulty.until("its channel's close", ({ channelState }) => channelState === "closed");
    await honest.send("ttstf", { message: "Hello." });
    await honest.until("the voice's notice", (seen) => ofType(seen, "stf").length === 1);
  });
});
