import { attachmentSchema } from "../protocol/attachment.ts";
import type { AttachmentFault } from "./visitor-attachments.ts";
import type { SessionRelay } from "./relay-client.ts";
import { readErrorBody } from "./relay-refusal.ts";

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
