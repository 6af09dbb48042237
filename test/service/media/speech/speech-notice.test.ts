import { describe, expect, it } from "vitest";
import { drawnSpeechSchema } from "../../../../src/protocol/speech/drawn-speech.ts";
import { speechNotice } from "../../../../src/service/media/speech/speech-announcer.ts";

const notice = { message: "Hello", duration: 40, words: [{ text: "Hello", start: 0, end: 40 }] };
const visemes = [{ viseme: "aa", start: 0, end: 40 }] as const;

describe("the notice of a speech", () => {
  it("has no timeline for a client that gets video", () => {
    expect(speechNotice(notice, false)).toEqual(notice);
  });

  it("has what a client needs that draws by itself", () => {
    const told = speechNotice(notice, { words: notice.words, visemes, loudness: [0.123, 1] });
    expect(told).toMatchObject({ ...notice, visemes, loudness: [0.12, 1] });
    expect(drawnSpeechSchema.parse(told).accents).toMatchObject([{ start: 0, end: 40 }]);
  });

  it("never grows too long for the channel", () => {
    const loudness = Array.from({ length: 60_000 }, () => 0.55);
    const told = speechNotice(notice, { words: notice.words, visemes, loudness });
    expect(JSON.stringify(told).length).toBeLessThan(200_000);
    expect(told).toEqual(notice);
  });
});
