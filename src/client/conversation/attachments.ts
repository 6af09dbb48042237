import {
  type AttachmentKind,
  attachmentKindOf,
  attachmentMaxBytes,
  attachmentSchema,
  attachmentsPerQuestion,
  attachmentTypeOf,
} from "../../protocol/answers/attachment.ts";
import type {
  AttachmentFault,
  ChosenFile,
  ConversationLine,
  TranscriptAttachment,
  VisitorAttachments,
} from "./transcript-entry.ts";
import type { SessionRelay } from "../relay/relay-client.ts";
import { readErrorBody } from "../relay/relay-refusal.ts";
import { TypedEvents } from "../typed-events.ts";
import { VisavisError } from "../visavis-error.ts";

/** An upload that makes no progress for so long has failed, in ms. */
const stallMs = 30_000;

/** An upload was refused or broke off. */
export class UploadFault extends Error {
  override readonly name = "UploadFault";
  readonly fault: AttachmentFault;

  constructor(fault: AttachmentFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** What the service's error codes mean for the visitor. */
const faults: Readonly<Record<string, AttachmentFault>> = {
  max_length: "size",
  max_value: "size",
  unsupported_media_type: "type",
  session_files_exceeded: "space",
  file_storage_full: "space",
  rate_limited: "network",
  session_lost: "network",
  engine_failed: "network",
};

function refusal(request: XMLHttpRequest): UploadFault {
  const { code, detail } = readErrorBody(parsed(request.responseText));
  const fault = faults[code] ?? (request.status >= 500 || request.status === 429 ? "network" : "refused");
  return new UploadFault(fault, detail || `The relay answered with status ${request.status}.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Uploads a file to a session; resolves with its id there. XMLHttpRequest, because fetch does not tell how much is sent. Rejects with
 * UploadFault.
 */
export function uploadFile(
  relay: SessionRelay,
  file: File,
  signal: AbortSignal,
  handleProgress: (share: number) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const breakOff = (): void => reject(new UploadFault("network", "The upload broke off."));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => request.abort(), stallMs);
    };
    request.upload.onprogress = ({ loaded, total }) => {
      watch();
      handleProgress(total > 0 ? loaded / total : 0);
    };
    request.onerror = request.onabort = breakOff;
    request.onload = () => {
      const { data } = attachmentSchema.safeParse(parsed(request.responseText));
      if (request.status === 201 && data) resolve(data.id);
      else reject(refusal(request));
    };
    request.onloadend = () => clearTimeout(timer);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    const form = new FormData();
    form.append("name", file.name.slice(0, 200));
    form.append("file", file);
    request.open("POST", `${relay.base}/attachment`);
    request.setRequestHeader("authorization", `Bearer ${relay.token}`);
    watch();
    request.send(form);
  });
}

/** Removes an uploaded file from the server. Where that fails, it is removed with the session. */
export async function removeUpload(relay: SessionRelay, id: string): Promise<void> {
  await fetch(`${relay.base}/attachment/${encodeURIComponent(id)}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${relay.token}` },
    credentials: "omit",
  }).catch(() => undefined);
}

/** The bytes of a file that tell its type. */
const signatureBytes = 16;

/** An upload of a file to a session. */
interface Upload {
  readonly session: string;
  /** Resolves with the file's id there. */
  readonly done: Promise<string>;
  readonly controller: AbortController;
}

/** The files that a visitor attaches to questions: chosen, uploaded, sent. */
export class Attachments implements VisitorAttachments {
  chosen: readonly ChosenFile[] = [];
  refused: VisitorAttachments["refused"] = [];
  readonly #line: () => ConversationLine | null;
  readonly #events = new TypedEvents<{ change: undefined }>();
  readonly #uploads = new Map<string, Upload>();
  /** The files of questions. They are uploaded again where a question is asked in another session. */
  readonly #sent = new Map<string, File>();
  /** Ids are unique in a tab's later pages too. */
  readonly #prefix = Date.now().toString(36);
  #lastId = 0;

  /** `line`: how the present session is reached. */
  constructor(line: () => ConversationLine | null) {
    this.#line = line;
  }

  get sendable(): readonly ChosenFile[] {
    return this.chosen.filter(({ status, fault }) => status !== "failed" || fault === "network");
  }

  onChange(listener: () => void): () => void {
    return this.#events.on("change", listener);
  }

  async add(files: readonly File[], kinds: readonly AttachmentKind[]): Promise<void> {
    const refused: { name: string; fault: AttachmentFault }[] = [];
    for (const file of files) {
      const type = await typeOf(file);
      const kind = type === null ? null : attachmentKindOf(type);
      const fault =
        type === null || kind === null || !kinds.includes(kind)
          ? "type"
          : file.size > attachmentMaxBytes
            ? "size"
            : this.chosen.length >= attachmentsPerQuestion
              ? "count"
              : null;
      if (fault === null && type !== null) this.#choose(file, type);
      else if (fault) refused.push({ name: file.name, fault });
    }
    this.refused = refused;
    this.#changed();
  }

  remove(id: string): void {
    const upload = this.#uploads.get(id);
    this.chosen = this.chosen.filter((file) => file.id !== id);
    this.refused = [];
    this.#uploads.delete(id);
    this.#changed();
    if (!upload) return;
    const { relay } = this.#line() ?? {};
    if (relay?.sessionId === upload.session)
      upload.done.then(
        (remoteId) => removeUpload(relay, remoteId),
        () => undefined,
      );
    upload.controller.abort();
  }

  retry(id: string): void {
    const file = this.chosen.find((other) => other.id === id)?.file;
    const { relay, up } = this.#line() ?? {};
    if (file && relay && up) this.#begin(id, file, relay);
    else this.#update(id, { status: "kept", fault: null });
  }

  fileOf(id: string): File | null {
    return this.#sent.get(id) ?? this.chosen.find((file) => file.id === id)?.file ?? null;
  }

  /**
   * The chosen files become those of a question. Where only the network has failed, the upload is tried again with the question;
   * a file that the service does not accept stays.
   */
  take(): TranscriptAttachment[] {
    const taken = this.sendable;
    if (!taken.length) return [];
    this.chosen = this.chosen.filter((file) => !taken.includes(file));
    this.refused = [];
    for (const { id, file } of taken) this.#sent.set(id, file);
    this.#changed();
    return taken.map(({ id, file, type }) => ({ id, name: file.name, type, bytes: file.size }));
  }

  /**
   * Waits until a session has the files of a question, and resolves with their ids there. Files of an earlier page, which are gone,
   * stay as they are. Throws VisavisError.
   */
  async deliver(
    files: readonly TranscriptAttachment[],
    relay: SessionRelay,
  ): Promise<TranscriptAttachment[]> {
    return Promise.all(
      files.map(async (attachment) => {
        const file = this.#sent.get(attachment.id);
        if (!file || attachment.at?.session === relay.sessionId) return attachment;
        const known = this.#uploads.get(attachment.id);
        const { done } = known?.session === relay.sessionId ? known : this.#begin(attachment.id, file, relay);
        try {
          return { ...attachment, at: { session: relay.sessionId, id: await done } };
        } catch (error) {
          // The next try uploads it again.
          this.#uploads.delete(attachment.id);
          throw deliveryError(error, attachment.name);
        }
      }),
    );
  }

  /** Forgets the files of questions: the transcript is empty. */
  forgetSent(): void {
    for (const id of this.#sent.keys()) this.#uploads.delete(id);
    this.#sent.clear();
  }

  #choose(file: File, type: string): void {
    const id = `${this.#prefix}-${++this.#lastId}`;
    this.chosen = [...this.chosen, { id, file, type, status: "kept", progress: 0, fault: null }];
    const { relay, up } = this.#line() ?? {};
    if (relay && up) this.#begin(id, file, relay);
  }

  #begin(id: string, file: File, relay: SessionRelay): Upload {
    const controller = new AbortController();
    const done = uploadFile(relay, file, controller.signal, (progress) => this.#update(id, { progress }));
    const upload = { session: relay.sessionId, done, controller };
    this.#uploads.set(id, upload);
    this.#update(id, { status: "uploading", progress: 0, fault: null });
    done.then(
      () => this.#update(id, { status: "uploaded", progress: 1 }),
      (error: unknown) => {
        if (this.#uploads.get(id) === upload && !this.#sent.has(id)) this.#uploads.delete(id);
        const fault = error instanceof UploadFault ? error.fault : "network";
        this.#update(id, { status: "failed", fault });
      },
    );
    return upload;
  }

  #update(id: string, change: Partial<ChosenFile>): void {
    if (!this.chosen.some((file) => file.id === id)) return;
    this.chosen = this.chosen.map((file) => (file.id === id ? { ...file, ...change } : file));
    this.#changed();
  }

  #changed(): void {
    this.#events.emit("change", undefined);
  }
}

/** The type of a file by its content; null for other types, and for a file that cannot be read. */
async function typeOf(file: File): Promise<string | null> {
  try {
    return attachmentTypeOf(new Uint8Array(await file.slice(0, signatureBytes).arrayBuffer()));
  } catch {
    return null;
  }
}

/** A question waits for the network; anything else would fail again. */
function deliveryError(error: unknown, name: string): VisavisError {
  const fault = error instanceof UploadFault ? error.fault : "network";
  return fault === "network"
    ? new VisavisError("network", `The file "${name}" could not be uploaded.`, error)
    : new VisavisError("engine_failed", `The service does not accept the file "${name}".`, error);
}
