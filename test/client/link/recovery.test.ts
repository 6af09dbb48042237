import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recover, type RecoverableConnection } from "../../../src/client/link/recovery.ts";
import { RelayFault } from "../../../src/client/relay/relay-fault.ts";
import { VisavisError } from "../../../src/client/visavis-error.ts";
import { PageStandIn } from "../page-stand-in.ts";

/** The peer that answers an offer: the one that answered before, or another one. */
const answerOf = (peer: string) => ({ type: "answer" as const, sdp: `a=fingerprint:${peer}\r\n` });

/** A peer connection that connects at once. */
class ReadyPeerConnection extends EventTarget {
  remoteDescription = answerOf("first");
  setConfiguration(): void {}
  createOffer(): Promise<object> {
    return Promise.resolve({});
  }
  setLocalDescription(): Promise<void> {
    this.dispatchEvent(new Event("icecandidate"));
    return Promise.resolve();
  }
}

let page: PageStandIn;

beforeEach(() => {
  page = new PageStandIn();
  page.install();
});

afterEach(() => {
  page.remove();
  vi.useRealTimers();
});

/** A connection whose restarts have scripted results. Pauses take no time and are recorded. */
class ScriptedConnection implements RecoverableConnection {
  readonly relay = {
    exchange: (_offer: unknown, signal: AbortSignal) => this.exchange(signal),
  } as unknown as RecoverableConnection["relay"];
  readonly link = {
    peerConnection: new ReadyPeerConnection(),
    localOffer: { type: "offer", sdp: "" },
    accept: () => Promise.resolve(),
  } as unknown as RecoverableConnection["link"];
  readonly closing = new AbortController();
  readonly signal = this.closing.signal;
  readonly policy = {
    maxAttempts: 2,
    nextDelayMs: ({ attempt }: { attempt: number }) => (attempt > 2 ? null : attempt * 100),
  };
  readonly host: RecoverableConnection["host"] = {
    body: { mode: "avatar" },
    player: null,
    loadContext: () => Promise.reject(this.fault ?? VisavisError.connectionFailed()),
  };
  rejoinNeeded = false;
  quiet = false;
  readonly noted: string[] = [];
  healthy = false;
  heals: "in the wait" | "at the first restart" | "never" = "never";
  fault: Error | null = null;

  iceServers(): Promise<[]> {
    return Promise.resolve([]);
  }
  exchange(_signal: AbortSignal): Promise<ReturnType<typeof answerOf>> {
    this.noted.push("restart");
    if (this.fault) return Promise.reject(this.fault);
    if (this.heals === "at the first restart") this.healthy = true;
    return Promise.resolve(answerOf("first"));
  }
  handleForeignAnswer(): void {
    this.noted.push("foreign answer");
  }
  adopt(): void {
    this.noted.push("adopt");
  }
  untilSound(): Promise<boolean> {
    return Promise.resolve(this.healthy);
  }
  pause(ms: number): Promise<void> {
    this.noted.push(`pause ${ms}`);
    if (this.heals === "in the wait") this.healthy = true;
    return Promise.resolve();
  }
  handleAttempt(attempt: number): void {
    this.noted.push(`attempt ${attempt}`);
  }
}

test("does not restart a connection that recovers by itself during the wait", async () => {
  const connection = new ScriptedConnection();
  connection.heals = "in the wait";
  await recover(connection, 3_000);
  expect(connection.noted).toEqual(["pause 3000"]);
});

test("restarts ICE after the wait, and finishes when the connection is back", async () => {
  const connection = new ScriptedConnection();
  connection.heals = "at the first restart";
  await recover(connection, 3_000);
  expect(connection.noted).toEqual(["pause 3000", "pause 100", "attempt 1", "restart"]);
});

test("gives up when the policy does, with the last error as the cause", async () => {
  const connection = new ScriptedConnection();
  connection.fault = new VisavisError("network", "Gone.");
  await expect(recover(connection, 0)).rejects.toMatchObject({
    code: "connection_failed",
    cause: connection.fault,
  });
  expect(connection.noted.filter((line) => line === "restart")).toHaveLength(2);
});

test("gives up at once when the service no longer knows the session", async () => {
  const connection = new ScriptedConnection();
  connection.fault = new RelayFault("session_lost", "Gone.", 410, 0);
  await expect(recover(connection, 0)).rejects.toMatchObject({ code: "session_lost" });
  expect(connection.noted.filter((line) => line === "restart")).toHaveLength(1);
});

test("does not give up because of a rate limit or a service that restarts", async () => {
  for (const status of [429, 502, 503]) {
    const connection = new ScriptedConnection();
    connection.fault = new RelayFault("connection_failed", "Not now.", status, 0);
    await expect(recover(connection, 0)).rejects.toMatchObject({ code: "connection_failed" });
    expect(connection.noted.filter((line) => line === "restart")).toHaveLength(2);
  }
});

test("stops without an error when the connection is closed", async () => {
  const connection = new ScriptedConnection();
  connection.closing.abort();
  await recover(connection, 0);
  expect(connection.noted).toEqual(["pause 0"]);
});

test("does not apply another peer's answer, and opens a new connection for it", async () => {
  const connection = new ScriptedConnection();
  connection.exchange = () => Promise.resolve(answerOf("second"));
  await expect(recover(connection, 0)).rejects.toMatchObject({ code: "connection_failed" });
  expect(connection.noted).toContain("foreign answer");
});

test("waits for a rate limit's reset, also when something else ends the pause", async () => {
  vi.useFakeTimers();
  const connection = new ScriptedConnection();
  const sentAtMs: number[] = [];
  connection.exchange = () => {
    sentAtMs.push(performance.now());
    return Promise.reject(new RelayFault("rate_limited", "Slow down.", 429, 5_000));
  };
  // Half of each pause passes, then a network event ends it.
  connection.pause = async (ms) => {
    await vi.advanceTimersByTimeAsync(Math.ceil(ms / 2));
  };
  await expect(recover(connection, 0)).rejects.toMatchObject({ code: "connection_failed" });
  expect(sentAtMs[1]! - sentAtMs[0]!).toBeGreaterThanOrEqual(5_000);
});

test("ends the current attempt when the network comes back", async () => {
  const connection = new ScriptedConnection();
  connection.exchange = (signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new VisavisError("network", "Cut.")));
      connection.noted.push("waiting");
      queueMicrotask(() => page.window.dispatchEvent(new Event("online")));
    });
  await expect(recover(connection, 0)).rejects.toMatchObject({ code: "connection_failed" });
  expect(connection.noted.filter((line) => line === "waiting")).toHaveLength(2);
  // The attempt after it does not wait: the only pauses are the first two.
  expect(connection.noted.filter((line) => line.startsWith("pause"))).toEqual(["pause 0", "pause 100"]);
});

test("while the service restarts, new links are tried without counting attempts, and then without a wait", async () => {
  const connection = new ScriptedConnection();
  connection.quiet = connection.rejoinNeeded = true;
  connection.fault = new RelayFault("engine_failed", "Stopping.", 503, 0);
  let pauses = 0;
  connection.pause = (ms) => {
    connection.noted.push(ms === 0 ? "pause 0" : "pause");
    if (++pauses === 3) connection.quiet = false;
    return Promise.resolve();
  };
  await expect(recover(connection, 0)).rejects.toMatchObject({ code: "connection_failed" });
  expect(connection.noted.indexOf("attempt 1")).toBeGreaterThan(connection.noted.indexOf("pause 0"));
  expect(connection.noted.slice(0, connection.noted.indexOf("pause 0"))).toEqual(["pause", "pause", "pause"]);
});

test("gives up during a restart too when the service no longer knows the session", async () => {
  const connection = new ScriptedConnection();
  connection.quiet = true;
  connection.fault = new RelayFault("session_lost", "Gone.", 410, 0);
  await expect(recover(connection, 0)).rejects.toMatchObject({ code: "session_lost" });
});
