import { knowledgeSchema, type Knowledge } from "../../protocol/console/knowledge.ts";
import { ApiError, errorOf } from "../api/api-error.ts";
import type { Services } from "../services.ts";

/** A file to send. */
export interface FileUpload {
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
