import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  startProcess,
  startThread,
  type PoolWorker,
} from "../../../../src/service/speech/workers/pool-worker.ts";
import { WorkerPool } from "../../../../src/service/speech/workers/worker-pool.ts";
import { bundleEntry } from "../../bundle-entry.ts";
import { temporaryFolder } from "../../service-fixture.ts";

interface Answer {
  worker: number;
  text: string;
}

/** Answers with its request and its id. Some words make it end or hang. */
const script = (receive: string, send: string, id: string): string => `
  import { parentPort, threadId } from "node:worker_threads";
  const worker = ${id};
  ${receive}.on("message", (text) => {
    if (text === "end") process.exit(1);
    if (text !== "never") ${send}({ worker, text });
  });`;

function scriptUrl(source: string): URL {
  const path = join(temporaryFolder(), "worker.mjs");
  writeFileSync(path, source);
  return pathToFileURL(path);
}

/** A busy machine takes seconds to start a worker. */
const jobTimeoutMs = 60_000;

const kinds: [string, () => PoolWorker][] = [
  ["threads", () => startThread(scriptUrl(script("parentPort", "parentPort.postMessage", "threadId")), null)],
  ["processes", () => startProcess(scriptUrl(script("process", "process.send", "process.pid")), [])],
];

describe.each(kinds)("a pool of %s", (_, start) => {
  function pool(size = 1): WorkerPool<string, Answer> {
    const made = new WorkerPool<string, Answer>({ start, size, jobTimeoutMs });
    onTestFinished(() => made.close());
    return made;
  }

  test("answers each job, with up to its maximum of workers", async () => {
    const one = pool();
    const answers = await Promise.all(["a", "b", "c"].map((text) => one.run(text)));
    expect(answers.map(({ text }) => text)).toEqual(["a", "b", "c"]);
    expect(new Set(answers.map(({ worker }) => worker)).size).toBe(1);
    const two = pool(2);
    const workers = (await Promise.all(["a", "b"].map((text) => two.run(text)))).map(({ worker }) => worker);
    expect(new Set(workers).size).toBe(2);
  });

  test("serves sessions in turn, however many jobs one of them has queued, and limits the queue of each", async () => {
    const jobs = pool();
    const served: string[] = [];
    const run = async (session: string, text: string): Promise<void> => {
      served.push((await jobs.run(text, { session })).text);
    };
    const many = Array.from({ length: 65 }, (_, index) => run("a", `a${index}`));
    await expect(run("a", "too much")).rejects.toThrow("64 jobs of this session wait already.");
    const others = [run("b", "b0"), run("b", "b1"), run("c", "c0")];
    await Promise.all([...many, ...others]);
    expect(served.slice(0, 7)).toEqual(["a0", "b0", "c0", "a1", "b1", "a2", "a3"]);
    expect(served).toHaveLength(68);
  });

  test("fails the job of a worker that exits, and gives the next job another worker", async () => {
    const jobs = pool();
    const { worker } = await jobs.run("a");
    const [failed, next] = await Promise.allSettled([jobs.run("end"), jobs.run("b")]);
    expect(failed).toMatchObject({ reason: { message: "A worker exited during a job." } });
    expect(next).toMatchObject({ value: { text: "b" } });
    expect((await jobs.run("c")).worker).not.toBe(worker);
  });

  test("gives no job to a worker that exited while it was idle", async () => {
    const workers: PoolWorker[] = [];
    const watched = (): PoolWorker => {
      const worker = start();
      workers.push(worker);
      return worker;
    };
    const jobs = new WorkerPool<string, Answer>({ start: watched, size: 1, jobTimeoutMs });
    onTestFinished(() => jobs.close());
    await jobs.run("a");
    const ended = new Promise<void>((resolve) => workers[0]!.on("exit", () => resolve()));
    workers[0]!.postMessage("end");
    await ended;
    expect(await jobs.run("b")).toMatchObject({ text: "b" });
  });

  test("fails a job that takes too long, and replaces its worker", async () => {
    const jobs = pool();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const failure = expect(jobs.run("never")).rejects.toThrow(
      `A worker took longer than ${jobTimeoutMs} ms.`,
    );
    vi.advanceTimersByTime(jobTimeoutMs);
    await failure;
    vi.useRealTimers();
    expect(await jobs.run("b")).toMatchObject({ text: "b" });
  });

  test("rejects aborted jobs at once, and also jobs that are queued when it closes", async () => {
    const jobs = pool();
    const stop = new AbortController();
    const begun = jobs.run("never", { signal: stop.signal });
    const waiting = jobs.run("b", { signal: stop.signal });
    stop.abort(new Error("not wanted"));
    await expect(begun).rejects.toThrow("not wanted");
    await expect(waiting).rejects.toThrow("not wanted");
    const left = jobs.run("c");
    await Promise.all([expect(left).rejects.toThrow("The worker pool is closed."), jobs.close()]);
    await expect(jobs.run("d")).rejects.toThrow("The worker pool is closed.");
  });
});

test("fails a job whose process cannot be started", async () => {
  const jobs = new WorkerPool<string, Answer>({
    start: () => startProcess(pathToFileURL("/nowhere/worker.mjs"), []),
    size: 1,
    jobTimeoutMs,
  });
  await expect(jobs.run("a")).rejects.toThrow("A worker exited during a job.");
  await jobs.close();
});

test("a program that only waits for the end of its worker process goes on after it", async () => {
  const built = await bundleEntry("src/service/speech/workers/pool-worker.ts");
  onTestFinished(() => built.remove());
  const worker = scriptUrl(script("process", "process.send", "process.pid"));
  const program = scriptUrl(`
    import { startProcess } from "${built.url.href}";
    const worker = startProcess(new URL("${worker.href}"), []);
    worker.unref();
    await worker.terminate();
    console.log("goes on");`);
  expect(execFileSync(process.execPath, [program.pathname], { encoding: "utf8" })).toBe("goes on\n");
});
