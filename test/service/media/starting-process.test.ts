import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { PeerRequest } from "../../../src/service/media/media-engine.ts";
import type { MessageToProcess } from "../../../src/service/media/processes/media-ipc.ts";
import { SupervisedProcess } from "../../../src/service/media/processes/supervised-process.ts";

/**
 * A media process that gets ready only when it is told to, as on a slow machine, and answers what has waited. It writes down the
 * answers that are on their way.
 */
const slowScript = `
import { appendFileSync } from "node:fs";
const waiting = [];
process.on("message", ({ type, exchangeId }) => {
  if (type === "exchange") waiting.push(exchangeId);
  if (type === "stop") process.exit(0);
  if (type !== "restart") return;
  process.send({ type: "ready" });
  for (const id of waiting) 
    process.send({ type: "answer", exchangeId: id, answer: "answered" }, () =>
      appendFileSync(new URL("answers", import.meta.url), "a"));
});
`;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function startSlowly() {
  const folder = mkdtempSync(join(tmpdir(), "visavis-slow-"));
  const script = join(folder, "slow.mjs");
  const answers = join(folder, "answers");
  writeFileSync(script, slowScript);
  writeFileSync(answers, "");
  const events = { onReady: vi.fn(), onNews: vi.fn(), onErrorLine: vi.fn(), onDied: vi.fn() };
  const process = new SupervisedProcess(
    pathToFileURL(script),
    { pictureSize: 256, preloadCharacters: [] },
    events,
  );
  onTestFinished(async () => {
    await process.stop();
    rmSync(folder, { recursive: true });
  });
  /** Lets nothing run in this process until the other one has answered. */
  const stallUntilAnswered = (): void => {
    while (readFileSync(answers, "utf8") === "");
  };
  return { process, events, stallUntilAnswered };
}

const tellReady: MessageToProcess = { type: "restart" };

test("an offer waits for a process that takes long to start, and the process is not taken for one that hangs", async () => {
  const { process, events } = startSlowly();
  const answer = process.exchange({} as PeerRequest);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(events.onDied).not.toHaveBeenCalled();
  process.send(tellReady);
  expect(await answer).toBe("answered");
});

test("from then on, its first offer has a time limit", async () => {
  const { process, events } = startSlowly();
  process.send(tellReady);
  await expect.poll(() => events.onReady.mock.calls.length).toBe(1);
  const answer = expect(process.exchange({} as PeerRequest)).rejects.toMatchObject({
    code: "exchange_timeout",
  });
  await vi.advanceTimersByTimeAsync(12_000);
  await answer;
});

test("an answer that came while this process was busy is in time", async () => {
  const { process, events, stallUntilAnswered } = startSlowly();
  process.send(tellReady);
  await expect.poll(() => events.onReady.mock.calls.length).toBe(1);
  const answer = process.exchange({} as PeerRequest);
  process.send(tellReady);
  stallUntilAnswered();
  vi.advanceTimersByTime(12_000);
  expect(await answer).toBe("answered");
  expect(events.onDied).not.toHaveBeenCalled();
});

test("a process that never gets ready is ended, and its offers fail", async () => {
  const { process, events } = startSlowly();
  const answer = expect(process.exchange({} as PeerRequest)).rejects.toMatchObject({ code: "process_died" });
  await vi.advanceTimersByTimeAsync(60_000);
  await answer;
  expect(events.onDied).toHaveBeenCalledOnce();
});
