import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import {
  downloadFile,
  type DownloadProgress,
  type DownloadRequest,
} from "../../../../src/service/administration/models/download-file.ts";
import { temporaryFolder } from "../../service-fixture.ts";
import { runModelServer, type ServerBehaviour } from "./model-server.ts";
import { freePort } from "../../../free-port.ts";

const content = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7 + (at >> 8)) % 256));

let to: string;
let progress: DownloadProgress[];

beforeEach(() => {
  to = join(temporaryFolder(), "model.bin");
  progress = [];
});

const hasKept = (start: number): boolean =>
  (statSync(`${to}.part`, { throwIfNoEntry: false })?.size ?? 0) > start;

const serve = (behaviour: ServerBehaviour = {}) =>
  runModelServer({ "/model.bin": content }, { etag: '"v1"', hasKept, ...behaviour });

const download = (url: string, overrides: Partial<DownloadRequest> = {}) =>
  downloadFile({
    ...{ url: `${url}/model.bin`, to, maxBytes: 1_000_000, fetch, retryMs: 1 },
    onProgress: (report) => progress.push(report),
    ...overrides,
  });

const isComplete = () => readFileSync(to).equals(content);

test("a file is downloaded, and its progress is reported", async () => {
  await download((await serve()).url);
  expect(isComplete()).toBe(true);
  expect(progress[0]).toEqual({ receivedBytes: 0, totalBytes: content.length });
  expect(progress.at(-1)).toEqual({ receivedBytes: content.length, totalBytes: content.length });
  expect([existsSync(`${to}.part`), existsSync(`${to}.part.json`)]).toEqual([false, false]);
});

test("a cut connection is continued where it ended", async () => {
  const { url, seen } = await serve({ cutAfter: 100_000, cuts: 2 });
  await download(url);
  expect(isComplete()).toBe(true);
  expect(seen).toHaveLength(3);
  const starts = seen.map(({ range }) => Number(/\d+/.exec(range ?? "")?.[0] ?? 0));
  expect(starts).toEqual([...starts].sort((one, other) => one - other));
  expect(starts[2]).toBeGreaterThan(0);
  expect(seen[2]!.ifRange).toBe('"v1"');
});

test("a later call continues what an earlier one could not finish", async () => {
  const { url, seen, behaviour } = await serve({ cutAfter: 100_000, cuts: 1 });
  const refusing: typeof fetch = (input, init) => {
    if (seen.length === 1) Object.assign(behaviour, { status: 403, refusals: 1 });
    return fetch(input, init);
  };
  await expect(download(url, { fetch: refusing })).rejects.toMatchObject({ code: "download_failed" });
  await download(url);
  expect(isComplete()).toBe(true);
  expect(seen.at(-1)!.range).toMatch(/^bytes=[1-9]/);
});

test("a stopped download ends with the reason of the signal", async () => {
  const { url } = await serve();
  const stop = new AbortController();
  const stopped = download(url, { signal: stop.signal, onProgress: () => stop.abort(new Error("stopped")) });
  await expect(stopped).rejects.toThrow("stopped");
  expect(existsSync(to)).toBe(false);
});

test("a file that changed on the server meanwhile is downloaded again from its beginning", async () => {
  const { url, behaviour, seen } = await serve({ cutAfter: 100_000, cuts: 1, etag: '"old"' });
  const changing: typeof fetch = (input, init) => {
    if (seen.length === 1) behaviour.etag = '"new"';
    return fetch(input, init);
  };
  await download(url, { fetch: changing });
  expect(isComplete()).toBe(true);
  expect(progress.filter(({ receivedBytes }) => receivedBytes === 0)).toHaveLength(2);
});

test.each([{ noRanges: true }, { etag: null }])(
  "a server that cannot continue sends the file again: %j",
  async (behaviour) => {
    await download((await serve({ cutAfter: 100_000, cuts: 1, ...behaviour })).url);
    expect(isComplete()).toBe(true);
  },
);

test("a server that is overloaded for a moment is asked again", async () => {
  const { url, seen } = await serve({ status: 503, refusals: 2 });
  await download(url);
  expect(isComplete()).toBe(true);
  expect(seen).toHaveLength(3);
});

test("a missing file and a forbidden one are reported at once", async () => {
  const server = await serve({ status: 403, refusals: 1 });
  await expect(download(server.url)).rejects.toMatchObject({
    code: "download_failed",
    message: expect.stringMatching(/status 403/) as string,
  });
  await expect(download(server.url, { url: `${server.url}/other` })).rejects.toThrow(/no such file \(404\)/);
  expect(server.seen).toHaveLength(2);
});

test("a server that never answers is asked twice, and the error names the address and what to do", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const interruptions: number[] = [];
  const refused = download(url, { onInterrupted: (_reason, waitMs) => interruptions.push(waitMs) });
  await expect(refused).rejects.toThrow(`${url}/model.bin could not be downloaded: fetch failed`);
  await expect(refused).rejects.toThrow(/ECONNREFUSED.* Check the address and the network/);
  expect(interruptions).toEqual([2]);
});

test("a server that goes away while it sends is asked more often, and the error says that nothing is lost", async () => {
  const { url, seen } = await serve({ status: 503, refusals: 100 });
  await expect(download(url)).rejects.toThrow(
    /status 503\. Try again later; the part that has arrived is kept/,
  );
  expect(seen).toHaveLength(5);
});

test("a server that says nothing is given up after a while", async () => {
  const { url } = await serve({ isSilent: true });
  await expect(download(url, { silenceMs: 20 })).rejects.toThrow(/the server sent nothing for too long/);
});

test.each([{}, { noLength: true }])("a file that is too large is refused: %j", async (behaviour) => {
  const { url } = await serve(behaviour);
  await expect(download(url, { maxBytes: 200_000 })).rejects.toMatchObject({ code: "download_failed" });
  expect(existsSync(to)).toBe(false);
});

test("a file whose folder cannot be written fails with the reason, and is not asked for again", async () => {
  const { url, seen } = await serve();
  await expect(download(url, { to: "/proc/none/model.bin" })).rejects.toMatchObject({
    code: "download_failed",
  });
  expect(seen.length).toBeLessThan(2);
});
