import type { PublicContext } from "../../protocol/session/relay-api.ts";

const keyOf = ({ context_id }: PublicContext): string => `visavis-consent:${context_id}`;

/** Where the owner lets consent be remembered: until the tab is closed, or on the device. */
function storeOf({ ui }: PublicContext): Storage {
  return ui.consent_remember === "device" ? localStorage : sessionStorage;
}

/** Whether the visitor's consent to the owner's present text is remembered. */
export function remembersConsent(context: PublicContext): boolean {
  try {
    return storeOf(context).getItem(keyOf(context)) === context.ui.consent_text;
  } catch {
    return false;
  }
}

/** Remembers that the visitor has agreed to the owner's text. */
export function rememberConsent(context: PublicContext): void {
  try {
    storeOf(context).setItem(keyOf(context), context.ui.consent_text ?? "");
  } catch {
    // Storage is blocked or full: the visitor is asked again after the next load.
  }
}
