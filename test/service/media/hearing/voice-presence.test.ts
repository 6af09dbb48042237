import { describe, expect, it } from "vitest";
import { VoicePresence } from "../../../../src/service/media/hearing/voice-presence.ts";

/** 10 ms of a tone at 48 kHz. */
function tone(level: number): Int16Array {
  return Int16Array.from({ length: 480 }, (_, i) => Math.round(level * Math.sin(i * 0.05)));
}

function heard(presence: VoicePresence, level: number, calls: number): boolean[] {
  return Array.from({ length: calls }, () => presence.take(tone(level)));
}

describe("a voice", () => {
  it("is heard above a quiet background, and ends with it", () => {
    const presence = new VoicePresence();
    expect(heard(presence, 20, 100).includes(true)).toBe(false);
    expect(heard(presence, 4000, 50).at(-1)).toBe(true);
    expect(heard(presence, 20, 20).at(-1)).toBe(false);
  });

  it("goes on over the short gaps in a word", () => {
    const presence = new VoicePresence();
    heard(presence, 20, 100);
    heard(presence, 4000, 20);
    expect(heard(presence, 20, 5)).toEqual([true, true, true, true, true]);
  });

  it("is not steady noise", () => {
    const presence = new VoicePresence();
    expect(heard(presence, 3000, 1500).at(-1)).toBe(false);
  });
});
