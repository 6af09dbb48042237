import { tellOwner } from "./owner-line.ts";

/** The relay's description of a launcher (GET /embed/v1/contexts/{context_id}/launcher). */
export interface LauncherRecord {
  title: string;
  subtitle: string;
  offline: string;
  variant: string;
  placement: string;
  theme: string;
  /** When the widget is loaded; absent: on intent. */
  prefetch?: string;
  /** Completes the launcher's style sheet. */
  styles: string;
  still: string | null;
  picture: string;
  widget: string;
}

/** Why there is no avatar: the relay's error code or `network`, and what to do. It is the detail of `visavis-error` too. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** The relay's answer, or its refusal, which the page's owner reads in the console. Never rejects. */
export async function ask<Answer>(relay: string, address: string): Promise<Answer | Refusal> {
  let refusal: Refusal = { code: "network", message: "no answer from " + relay };
  try {
    const response = await fetch(address, { credentials: "omit" });
    const body = (await response.json()) as Answer & { errors: [{ code: string; detail: string }] };
    if (response.ok) return body;
    const [{ code, detail }] = body.errors;
    refusal = { code, message: detail };
  } catch {
    // The attribute is in the page already, and it is still right.
  }
  tellOwner(refusal.message);
  return refusal;
}
