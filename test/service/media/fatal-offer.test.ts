import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createMediaEngine } from "../../../src/service/media/create-media-engine.ts";
import { MediaError } from "../../../src/service/media/media-error.ts";
import type { MediaEngine } from "../../../src/service/media/media-engine.ts";
import { bundleEntry, type BundledEntry } from "../bundle-entry.ts";
import { characterFile, noHooks } from "./media-stand.ts";

let entry: BundledEntry;
let engine: MediaEngine;
let warnings: string[];

beforeAll(async () => {
  entry = await bundleEntry("test/service/media/dying-process.ts");
});
afterAll(() => entry.remove());
beforeEach(() => {
  warnings = [];
  engine = createMediaEngine({
    processUrl: entry.url,
    hooks: noHooks,
    log: { info: () => undefined, warn: (message) => warnings.push(message) },
  });
});
afterEach(() => engine.stop());

/** The code with which the exchange of an offer with this mid fails. */
async function failure(mid: string): Promise<string> {
  const section = `m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:${mid}\r\n`;
  const offerSdp = `v=0\r\no=- 1 2 IN IP4 0.0.0.0\r\ns=-\r\n${section}`;
  try {
    await engine.exchange({ sessionId: mid, offerSdp, characterFile: characterFile("mina") });
    return "answered";
  } catch (error) {
    return error instanceof MediaError ? error.code : String(error);
  }
}

it("blames only the offer that was being applied when the process died", async () => {
  const all = await Promise.all([failure("begun"), failure("waiting"), failure("dies")]);
  expect(all).toEqual(["process_died", "process_died", "fatal_offer"]);
  expect(warnings).toEqual(["media process died"]);
});

it("blames the last applied offer when none was being applied", async () => {
  const all = await Promise.all([failure("begun"), failure("waiting"), failure("killed")]);
  expect(all).toEqual(["fatal_offer", "process_died", "process_died"]);
});

it("blames the offer at which the process hangs, and ends that process", async () => {
  expect(await failure("hangs")).toBe("fatal_offer");
  await expect.poll(() => warnings).toEqual(["media process died"]);
});
