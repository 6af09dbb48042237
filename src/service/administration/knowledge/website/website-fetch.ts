import type { GuardedFetch } from "../../../outbound/guarded-fetch.ts";
import type { ReadingJobs, ReadingKind } from "../reading/reading-jobs.ts";
import { callFault, statusFault, WebsiteFault } from "./website-fault.ts";

/** How the reader names itself, in its requests and for robots.txt. */
export const readerName = "Visavis";
const userAgent = `Mozilla/5.0 (compatible; ${readerName}/1.0)`;

const timeoutMs = 15_000;
const maxRedirects = 5;

/** An answer of a website: where it came from after redirects, and its bytes. */
export interface WebsiteAnswer {
  url: URL;
  /** In lower case, without parameters. */
  type: string;
  charset: string | null;
  bytes: Uint8Array;
  /** Whether the answer asks not to be indexed. */
  isNoindex: boolean;
}

const host = ({ hostname }: URL): string => hostname.replace(/^www\./, "");

/** Whether two addresses are of one website: with http or https, with www or without. */
export const isSameWebsite = (one: URL, other: URL): boolean =>
  host(one) === host(other) && one.port === other.port;

/** Rules for a reader begin with its name; those before the first name are for all. */
function forbidsIndexing(header: string): boolean {
  let isForUs = true;
  return header.split(",").some((part) => {
    const [rule = "", name] = part
      .split(":")
      .map((word) => word.trim())
      .reverse();
    if (name !== undefined && name !== "unavailable_after")
      isForUs = name.toLowerCase() === readerName.toLowerCase();
    return isForUs && /^(?:noindex|none)$/i.test(rule);
  });
}

/** Calls a website's pages, one at a time. */
export interface WebsiteCalls {
  fetch: GuardedFetch;
  signal: AbortSignal;
  /** Reads what was answered, in a thread. Throws WebsiteFault. */
  read<Kind extends ReadingKind>(
    kind: Kind,
    given: ReadingJobs[Kind]["given"],
  ): Promise<ReadingJobs[Kind]["read"]>;
}

interface CallOptions {
  maxBytes: number;
  accept: string;
  /** Answers from another website are left out. Null: any. */
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
    const limits = { timeoutMs, maxBytes, maxRedirects, trustsPacking: false };
    const response = await fetch(address, { headers, ...limits, signal });
    const url = new URL(response.url || address);
    const [type = "", ...parameters] = (response.headers.get("content-type") ?? "").toLowerCase().split(";");
    // In a way that is not known, so that it was not unpacked.
    const isPacked = (response.headers.get("content-encoding") ?? "identity").toLowerCase() !== "identity";
    const isReadable = types.test(type.trim()) && !isPacked;
    const fault =
      origin !== null && !isSameWebsite(url, new URL(origin))
        ? new WebsiteFault("other_website")
        : (statusFault(response.status) ?? (isReadable ? null : new WebsiteFault("not_a_page")));
    if (fault) {
      await response.body?.cancel();
      throw fault;
    }
    const charset = /charset="?([\w:.-]+)/.exec(parameters.join(";"))?.[1] ?? null;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isNoindex = forbidsIndexing(response.headers.get("x-robots-tag") ?? "");
    return { url, type: type.trim(), charset, bytes, isNoindex };
  } catch (error) {
    signal.throwIfAborted();
    throw callFault(error);
  }
}
