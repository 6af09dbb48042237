import { describe, expect, it } from "vitest";
import type { SpeechOutcome } from "../../../../src/service/media/media-engine.ts";
import type { OrderOutcome } from "../../../../src/service/media/processes/media-ipc.ts";
import { deliveryOf, SpeechParts } from "../../../../src/service/media/processes/order-book.ts";

function speech(length: number): SpeechOutcome {
  const pcm = Int16Array.from({ length }, (_, index) => (index * 7) % 30_000);
  const words = [{ text: "Ah", start: 0, end: 10 }];
  return { ok: true, speech: { sampleRateHz: 48_000, pcm, words, visemes: [] } };
}

/** The speech that the receiver gets. */
function delivered(outcome: SpeechOutcome): { outcome: OrderOutcome; longest: number } {
  const parts = new SpeechParts();
  let longest = 0;
  for (const message of deliveryOf(1, outcome)) {
    if (message.type === "speech-part") {
      longest = Math.max(longest, message.pcm.length);
      parts.take(message);
    } else if (message.type === "delivery") {
      return { outcome: parts.completed(1, message.outcome), longest };
    }
  }
  throw new Error("There was no delivery.");
}

function bytesOf(outcome: OrderOutcome): Buffer {
  const { pcm } = (outcome as Extract<SpeechOutcome, { ok: true }>).speech;
  return Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
}

describe("delivering speech", () => {
  it("sends short speech and errors unchanged", () => {
    for (const outcome of [speech(100), { ok: false, code: "engine_failed", detail: "" } as const])
      expect([...deliveryOf(1, outcome)]).toEqual([{ type: "delivery", orderId: 1, outcome }]);
  });

  it.each([131_072, 131_073, 1_000_000])(
    "of %i samples transfers all of them, in parts below 256 KiB",
    (length) => {
      const outcome = speech(length);
      const { outcome: arrived, longest } = delivered(outcome);
      expect(bytesOf(arrived).equals(bytesOf(outcome))).toBe(true);
      expect(arrived).toMatchObject({ ok: true, speech: { words: [{ text: "Ah" }], sampleRateHz: 48_000 } });
      expect(longest).toBeLessThanOrEqual(131_072);
    },
  );
});
