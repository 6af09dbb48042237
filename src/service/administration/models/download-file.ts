import { createReadStream, createWriteStream } from "node:fs";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { AdministrationError } from "../administration-error.ts";
import { createHash } from "node:crypto";

/** The progress of a download. */
export interface DownloadProgress {
  receivedBytes: number;
  /** Null when the server does not say. */
  totalBytes: number | null;
}

/** A file to download. */
export interface DownloadRequest {
  url: string;
  /** Where the complete file is put. The incomplete one is beside it, with `.part`, and is continued by a later call. */
  to: string;
  /** A larger file is refused. */
  maxBytes: number;
  onProgress(progress: DownloadProgress): void;
  /** An attempt was interrupted; the next one follows after `waitMs`. */
  onInterrupted?(reason: string, waitMs: number): void;
  fetch: typeof fetch;
  signal?: AbortSignal | undefined;
  /** How long to wait before the first retry, in ms; each further wait is twice as long. Default: 1 s. */
  retryMs?: number;
  /** After this long without a byte the connection counts as lost, in ms. Default: 30 s. */
  silenceMs?: number;
}

/** How many attempts in a row may bring nothing. */
const fruitlessAttempts = 5;

/** How many attempts are made while the server has never answered: probably there is no network, or the address is wrong. */
const unansweredAttempts = 2;

/** Identifies the version of the file that the incomplete one belongs to. */
const versionSchema = z.object({ url: z.string(), validator: z.string() });

/** An attempt failed, and another may succeed. */
class Interrupted extends Error {
  override readonly name = "Interrupted";
}

function failure(url: string, reason: string, cause?: unknown): AdministrationError {
  return new AdministrationError("download_failed", `${url} could not be downloaded: ${reason}`, { cause });
}

const partOf = ({ to }: DownloadRequest): string => `${to}.part`;
const versionFileOf = ({ to }: DownloadRequest): string => `${to}.part.json`;

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => null))?.size ?? 0;
}

/** What identifies the version of the incomplete file; null when it cannot be continued. */
async function knownValidator(request: DownloadRequest): Promise<string | null> {
  const text = await readFile(versionFileOf(request), "utf8").catch(() => "null");
  try {
    const { data } = versionSchema.safeParse(JSON.parse(text));
    return data?.url === request.url ? data.validator : null;
  } catch {
    return null;
  }
}

/** How the server identifies the version. A weak ETag does not promise equal bytes. */
function validatorOf({ headers }: Response): string | null {
  const etag = headers.get("etag");
  return etag !== null && !etag.startsWith("W/") ? etag : headers.get("last-modified");
}

/** The first byte and the length of the whole file, of a response with a part. */
function rangeOf({ headers }: Response): { start: number; total: number | null } | null {
  const match = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get("content-range") ?? "");
  if (!match) return null;
  return { start: Number(match[1]), total: match[2] === "*" ? null : Number(match[2]) };
}

function lengthOf({ headers }: Response): number | null {
  const length = headers.get("content-length");
  return length === null || headers.has("content-encoding") ? null : Number(length);
}

/** Aborts when the server was silent for too long; `heard` restarts the time. */
function silenceGuard({ silenceMs = 30_000, signal }: DownloadRequest) {
  const silence = new AbortController();
  const timer = setTimeout(
    () => silence.abort(new Interrupted("the server sent nothing for too long")),
    silenceMs,
  );
  let isHeard = false;
  return {
    signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
    heard() {
      isHeard = true;
      timer.refresh();
    },
    wasHeard: () => isHeard,
    stop: () => clearTimeout(timer),
  };
}

type Guard = ReturnType<typeof silenceGuard>;

function refuseStatus({ url }: DownloadRequest, { status }: Response): never {
  if (status === 429 || status >= 500) throw new Interrupted(`the server answered with status ${status}`);
  throw failure(
    url,
    status === 404 ? "the server has no such file (404)." : `the server answered with status ${status}.`,
  );
}

/** Writes the response's body to the incomplete file from `start` on. Resolves with the size of the whole file, if it is known. */
async function receive(request: DownloadRequest, response: Response, guard: Guard, start: number) {
  const { url, maxBytes, onProgress } = request;
  const length = lengthOf(response);
  const totalBytes = rangeOf(response)?.total ?? (length === null ? null : start + length);
  if (totalBytes !== null && totalBytes > maxBytes)
    throw failure(url, `it has ${totalBytes} bytes, and at most ${maxBytes} are allowed.`);
  let receivedBytes = start;
  const body: ReadableStream<Uint8Array> | null = response.body;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of body ?? []) {
      guard.heard();
      receivedBytes += piece.length;
      if (receivedBytes > maxBytes) throw failure(url, `it has more than ${maxBytes} bytes.`);
      onProgress({ receivedBytes, totalBytes });
      yield piece;
    }
  }
  onProgress({ receivedBytes, totalBytes });
  await pipeline(counted, createWriteStream(partOf(request), { flags: start === 0 ? "w" : "a" }));
  return totalBytes;
}

/** Asks for what is still missing, and receives it. */
async function attempt(request: DownloadRequest, guard: Guard): Promise<void> {
  const { url, fetch } = request;
  const validator = await knownValidator(request);
  const size = validator === null ? 0 : await sizeOf(partOf(request));
  const headers: Record<string, string> =
    validator === null || size === 0 ? {} : { Range: `bytes=${size}-`, "If-Range": validator };
  const response = await fetch(url, { headers, signal: guard.signal });
  guard.heard();
  // The file is complete, or the part is longer than the file: the checksum tells, or the next attempt starts again.
  if (response.status === 416) {
    await rm(versionFileOf(request), { force: true });
    throw new Interrupted("the part did not fit the file");
  }
  if (!response.ok) refuseStatus(request, response);
  const start = response.status === 206 ? (rangeOf(response)?.start ?? -1) : 0;
  if (start !== 0 && start !== size) throw new Interrupted("the server sent another part");
  const version = validatorOf(response);
  if (version === null) await rm(versionFileOf(request), { force: true });
  else await writeFile(versionFileOf(request), JSON.stringify({ url, validator: version }));
  const totalBytes = await receive(request, response, guard, start);
  if (totalBytes !== null && (await sizeOf(partOf(request))) !== totalBytes)
    throw new Interrupted("the connection ended early");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/** How an attempt ended, if it may be repeated. */
interface Interruption {
  cause: unknown;
  /** Whether the attempt got an answer, or a part of the file. */
  wasAnswered: boolean;
}

/** One attempt. Resolves with null, or with how it was interrupted. */
async function tried(request: DownloadRequest): Promise<Interruption | null> {
  const guard = silenceGuard(request);
  try {
    await attempt(request, guard);
    return null;
  } catch (cause) {
    request.signal?.throwIfAborted();
    if (cause instanceof AdministrationError) throw cause;
    // The disk is full, or the folder cannot be written: another attempt would not help. Network errors come as the cause of another error.
    if (cause instanceof Error && "syscall" in cause)
      throw failure(request.url, `${reasonOf(cause)}.`, cause);
    return { cause, wasAnswered: guard.wasHeard() };
  } finally {
    guard.stop();
  }
}

function givenUp(
  { url }: DownloadRequest,
  { cause }: Interruption,
  isReachable: boolean,
): AdministrationError {
  const remedy = isReachable
    ? "Try again later; the part that has arrived is kept, and the download continues from there."
    : "Check the address and the network. A file that was downloaded on another machine can be installed by its path.";
  return failure(url, `${reasonOf(cause)}. ${remedy}`, cause);
}

/**
 * Downloads a file. A cut connection is continued where it ended, also by a later call, if the server still has the same version.
 * Rejects with AdministrationError `download_failed`, and with the signal's reason.
 */
export async function downloadFile(request: DownloadRequest): Promise<void> {
  const { to, retryMs = 1_000, signal, onInterrupted } = request;
  let isReachable = false;
  for (let fruitless = 0; ;) {
    const before = await sizeOf(partOf(request));
    const interruption = await tried(request);
    if (interruption === null) break;
    isReachable ||= interruption.wasAnswered;
    fruitless = (await sizeOf(partOf(request))) > before ? 0 : fruitless + 1;
    if (fruitless >= (isReachable ? fruitlessAttempts : unansweredAttempts))
      throw givenUp(request, interruption, isReachable);
    const waitMs = retryMs * 2 ** fruitless;
    onInterrupted?.(reasonOf(interruption.cause), waitMs);
    await wait(waitMs, undefined, { signal });
  }
  await rename(partOf(request), to);
  await rm(versionFileOf(request), { force: true });
}

/** The SHA-256 of a file, in hexadecimal. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
