import { ApiError, errorOf } from "../api/api-error.ts";
import { errorText } from "../parts/error-text.ts";
import { type Knowledge, knowledgeFileMaxBytes, knowledgeSchema } from "../../protocol/console/knowledge.ts";
import { texts } from "../texts/texts.ts";
import type { Services } from "../services.ts";

/** A file that is sent, or was. */
export interface ListedFile {
  readonly id: number;
  readonly name: string;
  readonly state:
    | { status: "waiting" }
    | { status: "sending"; share: number; startedAtMs: number }
    | { status: "reading" }
    | { status: "done"; passages: number }
    | { status: "failed"; problem: string };
  readonly cancel: AbortController;
}

interface FileListParts {
  send: (file: File, signal: AbortSignal, onSent: (share: number) => void) => Promise<Knowledge>;
  onChange: () => void;
  nowMs: () => number;
}

/** The files that somebody has chosen. They are sent one after the other. */
export class FileList {
  files: readonly ListedFile[] = [];
  readonly #parts: FileListParts;
  #last = 0;
  #sending: Promise<unknown> = Promise.resolve();

  constructor(parts: FileListParts) {
    this.#parts = parts;
  }

  /** Adds files; resolves when all of them were sent or failed. */
  async add(files: readonly File[]): Promise<void> {
    await Promise.all(files.map((file) => this.#addOne(file)));
  }

  /** Removes a file from the list. One that is being sent is cancelled. */
  remove(id: number): void {
    this.files.find((file) => file.id === id)?.cancel.abort();
    this.#become(this.files.filter((file) => file.id !== id));
  }

  /** Cancels everything that is not done. */
  cancelAll(): void {
    for (const { cancel } of this.files) cancel.abort();
  }

  #addOne(file: File): Promise<unknown> {
    const id = ++this.#last;
    const cancel = new AbortController();
    const isTooLarge = file.size > knowledgeFileMaxBytes;
    const state: ListedFile["state"] = isTooLarge
      ? { status: "failed", problem: texts.knowledge.files.tooLarge }
      : { status: "waiting" };
    this.#become([...this.files, { id, name: file.name, state, cancel }]);
    if (isTooLarge) return Promise.resolve();
    this.#sending = this.#sending.then(() => this.#send(id, file, cancel.signal));
    return this.#sending;
  }

  async #send(id: number, file: File, signal: AbortSignal): Promise<void> {
    const isCancelled = (): boolean => signal.aborted;
    if (isCancelled()) return;
    const startedAtMs = this.#parts.nowMs();
    this.#change(id, { status: "sending", share: 0, startedAtMs });
    const onSent = (share: number): void =>
      this.#change(id, share < 1 ? { status: "sending", share, startedAtMs } : { status: "reading" });
    try {
      const { passages } = await this.#parts.send(file, signal, onSent);
      this.#change(id, { status: "done", passages });
    } catch (error) {
      if (isCancelled()) return;
      const problem =
        error instanceof ApiError ? (error.fields["file"] ?? errorText(error)) : errorText(error);
      this.#change(id, { status: "failed", problem });
    }
  }

  #change(id: number, state: ListedFile["state"]): void {
    this.#become(this.files.map((file) => (file.id === id ? { ...file, state } : file)));
  }

  #become(files: readonly ListedFile[]): void {
    this.files = files;
    this.#parts.onChange();
  }
}

/** How many seconds a file still takes; null: too early to say. */
export function secondsLeft(share: number, startedAtMs: number, nowMs: number): number | null {
  const spentMs = nowMs - startedAtMs;
  if (share < 0.05 || spentMs < 1_000) return null;
  return Math.max(1, Math.round((spentMs / share / 1_000) * (1 - share)));
}

/** A file to send. */
interface FileUpload {
  readonly file: File;
  readonly contexts: readonly string[];
  readonly signal: AbortSignal;
  /** Told how much was sent, between 0 and 1. */
  readonly onSent: (share: number) => void;
}

/** Headers of an answer, from the lines that the browser has of them. */
function headersOf(lines: string): Headers {
  const headers = new Headers();
  for (const line of lines.trim().split(/\r?\n/)) {
    const [name = "", ...value] = line.split(":");
    if (name.trim() !== "") headers.append(name.trim(), value.join(":").trim());
  }
  return headers;
}

/** Sends the form once. `fetch` would not tell how much was sent. */
function send({ file, contexts, signal, onSent }: FileUpload): Promise<Response> {
  const form = new FormData();
  form.set("name", file.name);
  for (const context of contexts) form.append("contexts", context);
  form.set("file", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const cancel = (): void => request.abort();
    signal.addEventListener("abort", cancel, { once: true });
    request.upload.addEventListener("progress", ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onSent(loaded / total);
    });
    request.addEventListener("loadend", () => signal.removeEventListener("abort", cancel));
    request.addEventListener("abort", () => reject(new DOMException("Cancelled.", "AbortError")));
    request.addEventListener("error", () => reject(ApiError.network(new Error("The request failed."))));
    request.addEventListener("load", () => {
      const headers = headersOf(request.getAllResponseHeaders());
      resolve(new Response(request.responseText || null, { status: request.status, headers }));
    });
    request.open("POST", "/api/console/knowledge-files/");
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("X-Requested-With", "visavis-console");
    request.send(form);
  });
}

/** Adds a file as a document. Throws ApiError, and an AbortError when it is cancelled. */
export async function uploadFile(
  { session }: Pick<Services, "session">,
  upload: FileUpload,
): Promise<Knowledge> {
  let response = await send(upload);
  if (response.status === 401 && (await session.signInAgain())) response = await send(upload);
  if (!response.ok) throw await errorOf(response);
  const parsed = knowledgeSchema.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success) throw ApiError.unreadable(parsed.error);
  return parsed.data;
}
