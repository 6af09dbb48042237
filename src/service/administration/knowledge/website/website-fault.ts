import type { WebsiteReason } from "../../../../protocol/console/websites.ts";
import { GuardedFetchError } from "../../../guarded-fetch-error.ts";

/** A page or a whole website that is left out. */
export class WebsiteFault extends Error {
  override readonly name = "WebsiteFault";
  readonly reason: WebsiteReason;

  constructor(reason: WebsiteReason, options?: ErrorOptions) {
    super(`It is left out: ${reason}.`, options);
    this.reason = reason;
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

/** The fault that a failed call means. Other errors are thrown on: they are not the website's. */
export function callFault(error: unknown): WebsiteFault {
  if (error instanceof WebsiteFault) return error;
  if (!(error instanceof GuardedFetchError)) throw error;
  if (error.code === "timeout" || error.code === "too_large")
    return new WebsiteFault(error.code, { cause: error });
  return new WebsiteFault("unreachable", { cause: error });
}
