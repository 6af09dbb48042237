import { expect, it } from "vitest";
import { microphoneError, microphoneFault } from "../../../src/client/voice/microphone.ts";

const place = { secure: true, framed: false, allowed: true };
const named = (name: string): Error => Object.assign(new Error("no"), { name });

it.each([
  ["the visitor or the browser refuses", named("NotAllowedError"), place, "denied"],
  ["the page's policy refuses", named("NotAllowedError"), { ...place, allowed: false }, "policy"],
  [
    "a frame has no allow attribute",
    named("NotAllowedError"),
    { ...place, framed: true, allowed: false },
    "frame",
  ],
  [
    "a browser does not tell the policy",
    named("NotAllowedError"),
    { ...place, framed: true, allowed: null },
    "denied",
  ],
  ["the page is insecure", new TypeError("no"), { ...place, secure: false }, "insecure"],
  ["there is no device", named("NotFoundError"), place, "missing"],
  ["no device fits", named("OverconstrainedError"), place, "missing"],
  ["another program has the device", named("NotReadableError"), place, "busy"],
  ["anything else", "odd", place, "busy"],
] as const)("%s", (_name, error, where, fault) => {
  expect(microphoneFault(error, where)).toBe(fault);
});

it("tells pages by two codes whether the microphone is refused or missing", () => {
  expect(microphoneError("frame").code).toBe("microphone_denied");
  expect(microphoneError("lost").code).toBe("microphone_unavailable");
});
