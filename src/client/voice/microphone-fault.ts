import type { MicrophoneFault } from "../visitor-voice.ts";
import { VisavisError } from "../visavis-error.ts";

/** Where a microphone is asked for. */
export interface MicrophonePlace {
  /** The browser has microphones for this page at all. */
  readonly secure: boolean;
  /** The page is inside another one. */
  readonly framed: boolean;
  /** What the page's policy says; null where the browser does not tell. */
  readonly allowed: boolean | null;
}

/** What the page's policy says (Permissions Policy, section 9.1); null in browsers that do not tell. */
function allowedByPolicy(): boolean | null {
  const policy: unknown = Reflect.get(document, "featurePolicy");
  if (typeof policy !== "object" || policy === null || !("allowsFeature" in policy)) return null;
  const { allowsFeature } = policy;
  return typeof allowsFeature === "function"
    ? Reflect.apply(allowsFeature, policy, ["microphone"]) === true
    : null;
}

/** The page that this script runs in. */
export function presentPlace(): MicrophonePlace {
  return {
    secure: isSecureContext && "mediaDevices" in navigator,
    framed: window.top !== window.self,
    allowed: allowedByPolicy(),
  };
}

/** Why there is no microphone, from what `getUserMedia` rejected with (Media Capture and Streams, section 10.2). */
export function microphoneFault(
  error: unknown,
  { secure, framed, allowed }: MicrophonePlace,
): MicrophoneFault {
  if (!secure) return "insecure";
  const name = error instanceof Error || error instanceof DOMException ? error.name : "";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "missing";
  if (name === "NotAllowedError" || name === "SecurityError") {
    if (allowed === false || name === "SecurityError") return framed ? "frame" : "policy";
    return "denied";
  }
  return "busy";
}

const messages: Readonly<Record<MicrophoneFault, string>> = {
  denied: "The visitor or the browser does not allow the microphone.",
  policy: "The page's Permissions-Policy does not allow the microphone.",
  frame: 'The page around this frame does not allow the microphone. Give its iframe allow="microphone".',
  insecure: "Browsers have microphones only for pages served over https and on localhost.",
  missing: "There is no microphone.",
  busy: "The microphone is in use by another program, or does not work.",
  lost: "The microphone was unplugged.",
  silent: "Nothing is heard from the microphone.",
  unclear: "Nothing was understood.",
  failed: "The speech could not be recognized.",
};

const denials: readonly MicrophoneFault[] = ["denied", "policy", "frame"];

/** The error that tells the page of a fault. */
export function microphoneError(fault: MicrophoneFault, cause?: unknown): VisavisError {
  const code = denials.includes(fault) ? "microphone_denied" : "microphone_unavailable";
  return new VisavisError(fault === "failed" ? "engine_failed" : code, messages[fault], cause);
}
