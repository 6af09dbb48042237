import type { GuardedFetch } from "../../../guarded-fetch.ts";
import { callFault, statusFault, WebsiteFault } from "./website-fault.ts";

/** How the reader names itself, in its requests and for robots.txt. */
export const readerName = "Visavis";
const userAgent = `Mozilla/5.0 (compatible; ${readerName}/1.0)`;

const timeoutMs = 15_000;

/** An answer of a website: where it came from after redirects, and its bytes. */
export interface WebsiteAnswer {
  url: URL;
  /** In lower case, without parameters. */
  type: string;
  charset: string | null;
  bytes: Uint8Array;
}

/** Calls a website's pages, one at a time. */
export interface WebsiteCalls {
  fetch: GuardedFetch;
  signal: AbortSignal;
}

interface CallOptions {
  maxBytes: number;
  accept: string;
  /** Answers from another origin are left out. Null: any. */
  origin: string | null;
  /** Media types whose content is read. Others are `not_a_page`. */
  types: RegExp;
}

/** Reads an answer of a website. Throws WebsiteFault. */
export async function callWebsite(
  { fetch, signal }: WebsiteCalls,
  address: string,
  { maxBytes, accept, origin, types }: CallOptions,
): Promise<WebsiteAnswer> {
  try {
    signal.throwIfAborted();
    const headers = { accept, "user-agent": userAgent };
    const response = await fetch(address, { headers, timeoutMs, maxBytes, signal });
    const url = new URL(response.url || address);
    const [type = "", ...parameters] = (response.headers.get("content-type") ?? "").toLowerCase().split(";");
    // A server that packs its answers although nobody asked for it.
    const isPacked = (response.headers.get("content-encoding") ?? "identity").toLowerCase() !== "identity";
    const isReadable = types.test(type.trim()) && !isPacked;
    const fault =
      origin !== null && url.origin !== origin
        ? new WebsiteFault("other_website")
        : (statusFault(response.status) ?? (isReadable ? null : new WebsiteFault("not_a_page")));
    if (fault) {
      await response.body?.cancel();
      throw fault;
    }
    const charset = /charset="?([\w:.-]+)/.exec(parameters.join(";"))?.[1] ?? null;
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { url, type: type.trim(), charset, bytes };
  } catch (error) {
    signal.throwIfAborted();
    throw callFault(error);
  }
}

/** The text of an answer, in the encoding that it or its page names; UTF-8 where neither does. */
export function answerText({ bytes, charset }: Pick<WebsiteAnswer, "bytes" | "charset">): string {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 1_024));
  const named = charset ?? /<meta[^>]{1,200}charset=["']?([\w:.-]+)/i.exec(start)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(named).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
