import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connectionFigures, logSession } from "../../src/client/debug.ts";
import { ScriptedSession } from "../widget/scripted-session.ts";

describe("the figures of a connection", () => {
  test("come from the candidate pair in use and the received video and audio", () => {
    const report = new Map<string, Record<string, unknown>>([
      ["P0", { type: "candidate-pair", nominated: false, currentRoundTripTime: 9 }],
      [
        "P1",
        {
          type: "candidate-pair",
          nominated: true,
          currentRoundTripTime: 0.042,
          localCandidateId: "L",
          remoteCandidateId: "R",
        },
      ],
      ["L", { type: "local-candidate", candidateType: "relay" }],
      ["R", { type: "remote-candidate", candidateType: "host" }],
      ["V", { type: "inbound-rtp", kind: "video", framesPerSecond: 25, framesDropped: 3, packetsLost: 2 }],
      [
        "A",
        {
          type: "inbound-rtp",
          kind: "audio",
          packetsLost: 5,
          jitter: 0.0124,
          totalSamplesReceived: 48_000,
          concealedSamples: 480,
        },
      ],
    ]);
    expect(connectionFigures(report)).toEqual({
      path: "relay/host",
      roundTripMs: 42,
      framesPerSecond: 25,
      framesDropped: 3,
      packetsLost: 7,
      audioJitterMs: 12,
      concealedPercent: 1,
    });
  });

  test("leave out what the browser does not report", () => {
    expect(connectionFigures(new Map())).toEqual({});
  });
});

describe("the debug log", () => {
  const lines: unknown[][] = [];
  let debug: typeof console.debug;

  beforeEach(() => {
    ({ debug } = console);
    console.debug = (...line) => void lines.push(line);
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
    console.debug = debug;
  });

  test("shows events as they happen, and figures while there is a connection, until it is stopped", async () => {
    const getStats = vi.fn(() =>
      Promise.resolve(new Map([["V", { type: "inbound-rtp", kind: "video", framesPerSecond: 24 }]])),
    );
    const session = Object.assign(new ScriptedSession(), {
      peerConnection: null as RTCPeerConnection | null,
    });
    const stop = logSession(session, "https://relay.example");
    session.become("connecting");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(getStats).not.toHaveBeenCalled();
    session.peerConnection = { getStats } as unknown as RTCPeerConnection;
    await vi.advanceTimersByTimeAsync(5_000);
    stop();
    session.become("live");
    await vi.advanceTimersByTimeAsync(5_000);
    expect(lines.map(([text, detail]) => [String(text).replace(/^.* ms /, ""), detail])).toEqual([
      ["debug is on", { state: "idle", session: null }],
      ["statechange", { state: "connecting", previous: "idle" }],
      ["connection", { framesPerSecond: 24 }],
    ]);
  });
});
