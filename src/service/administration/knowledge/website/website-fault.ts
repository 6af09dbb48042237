import type { WebsiteReason } from "../../../../protocol/console/websites.ts";
import { GuardedFetchError, type GuardedFetchCode } from "../../../outbound/guarded-fetch-error.ts";

/** A page or a whole website that is left out. */
export class WebsiteFault extends Error {
  override readonly name = "WebsiteFault";
  readonly reason: WebsiteReason;
  /** The whole website is given up, not only the page. */
  readonly isFinal: boolean;

  constructor(
    reason: WebsiteReason,
    { isFinal = false, ...options }: ErrorOptions & { isFinal?: boolean } = {},
  ) {
    super(`It is left out: ${reason}.`, options);
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

/** The fault that an answer's status means; null for success. */
export function statusFault(status: number): WebsiteFault | null {
  if (status >= 200 && status < 300) return null;
  if (status === 404 || status === 410) return new WebsiteFault("not_found");
  const isRefusal = status >= 400 && status < 500 && status !== 429;
  if (isRefusal) return new WebsiteFault("refused");
  return new WebsiteFault("server_error");
}

/** What else a failed call is called here. */
const reasons: Readonly<Partial<Record<GuardedFetchCode, WebsiteReason>>> = {
  timeout: "timeout",
  too_large: "too_large",
  not_resolved: "no_host",
  insecure_url: "not_secure",
  too_many_redirects: "too_many_redirects",
  certificate: "certificate",
};

/** The fault that a failed call means. Other errors are thrown on: they are not the website's. */
export function callFault(error: unknown): WebsiteFault {
  if (error instanceof WebsiteFault) return error;
  if (!(error instanceof GuardedFetchError)) throw error;
  return new WebsiteFault(reasons[error.code] ?? "unreachable", { cause: error });
}
