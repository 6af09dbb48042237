import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { startProcess, startThread, type PoolWorker } from "../../../src/service/speech/pool-worker.ts";
import { WorkerPool } from "../../../src/service/speech/worker-pool.ts";
import { temporaryFolder } from "../service-fixture.ts";

interface Answer {
  worker: number;
  text: string;
}

/** Answers with what it was asked, and who it is; does as it is told by some words. */
const script = (receive: string, send: string, id: string): string => `
  import { parentPort, threadId } from "node:worker_threads";
  const worker = ${id};
  ${receive}.on("message", (text) => {
    if (text === "end") process.exit(1);
    if (text === "end after this") setTimeout(() => process.exit(1), 20);
    if (text !== "never") ${send}({ worker, text });
  });`;

function scriptUrl(source: string): URL {
  const path = join(temporaryFolder(), "worker.mjs");
  writeFileSync(path, source);
  return pathToFileURL(path);
}

const kinds: [string, () => PoolWorker][] = [
  ["threads", () => startThread(scriptUrl(script("parentPort", "parentPort.postMessage", "threadId")), null)],
  ["processes", () => startProcess(scriptUrl(script("process", "process.send", "process.pid")), [])],
];

describe.each(kinds)("a pool of %s", (_, start) => {
  function pool(size = 1, jobTimeoutMs = 10_000): WorkerPool<string, Answer> {
    const made = new WorkerPool<string, Answer>({ start, size, jobTimeoutMs });
    onTestFinished(() => made.close());
    return made;
  }

  test("answers each job, by as many workers as it may have", async () => {
    const one = pool();
    const answers = await Promise.all(["a", "b", "c"].map((text) => one.run(text)));
    expect(answers.map(({ text }) => text)).toEqual(["a", "b", "c"]);
    expect(new Set(answers.map(({ worker }) => worker)).size).toBe(1);
    const two = pool(2);
    const workers = (await Promise.all(["a", "b"].map((text) => two.run(text)))).map(({ worker }) => worker);
    expect(new Set(workers).size).toBe(2);
  });

  test("sessions are served in turn, whatever one of them has waiting; no more of it than a bound waits", async () => {
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

  test("a worker that ends at its job fails it, and the next job has another", async () => {
    const jobs = pool();
    const { worker } = await jobs.run("a");
    const [failed, next] = await Promise.allSettled([jobs.run("end"), jobs.run("b")]);
    expect(failed).toMatchObject({ reason: { message: "A worker ended while it had work." } });
    expect(next).toMatchObject({ value: { text: "b" } });
    expect((await jobs.run("c")).worker).not.toBe(worker);
  });

  test("a worker that ended while it had no work is given none", async () => {
    let ended: Promise<void> | undefined;
    const watched = (): PoolWorker => {
      const worker = start();
      ended ??= new Promise((resolve) => worker.on("exit", () => resolve()));
      return worker;
    };
    const jobs = new WorkerPool<string, Answer>({ start: watched, size: 1, jobTimeoutMs: 10_000 });
    onTestFinished(() => jobs.close());
    await jobs.run("end after this");
    await ended;
    expect(await jobs.run("b")).toMatchObject({ text: "b" });
  });

  test("a job that takes too long is given up, and its worker replaced", async () => {
    const jobs = pool(1, 4_000);
    await expect(jobs.run("never")).rejects.toThrow("A worker took longer than 4000 ms.");
    expect(await jobs.run("b")).toMatchObject({ text: "b" });
  });

  test("jobs that are not wanted any more are answered at once, and those that wait when it closes, too", async () => {
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

test("a process that cannot be started fails its job", async () => {
  const jobs = new WorkerPool<string, Answer>({
    start: () => startProcess(pathToFileURL("/nowhere/worker.mjs"), []),
    size: 1,
    jobTimeoutMs: 10_000,
  });
  await expect(jobs.run("a")).rejects.toThrow("A worker ended while it had work.");
  await jobs.close();
});
