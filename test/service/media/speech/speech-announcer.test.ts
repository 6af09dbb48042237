import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { ServerMessage } from "../../../../src/protocol/session/data-channel.ts";
import { drawnSpeechSchema } from "../../../../src/protocol/speech/drawn-speech.ts";
import {
  loudnessOfDigit,
  type SpeechPart,
  speechPartSchema,
} from "../../../../src/protocol/speech/speech-part.ts";
import { visemes as names } from "../../../../src/protocol/speech/timed-viseme.ts";
import type { SpeechTimeline } from "../../../../src/puppet/index.ts";
import {
  SpeechAnnouncer,
  speechNotice,
  speechPackets,
} from "../../../../src/service/media/speech/speech-announcer.ts";

let nowMs: number;
let takesParts: boolean;
let sent: (ServerMessage | SpeechPart)[];
let announcer: SpeechAnnouncer;
let greeting: unknown[];

beforeEach(() => {
  [nowMs, takesParts, sent] = [5_000, true, []];
  announcer = new SpeechAnnouncer(
    {
      get takesParts() {
        return takesParts;
      },
      send: (message) => sent.push(message),
      sendPart: (part) => sent.push(part),
    },
    () => nowMs,
  );
  announcer.tick();
  greeting = sent.splice(0);
});

const word = { text: "Hello", start: 0.4, end: 900.6 };

/** A speech of so many seconds, with ten shapes a second. */
function speech(seconds: number) {
  const visemes = Array.from({ length: seconds * 10 }, (_, i) => ({
    viseme: i % 2 ? ("aa" as const) : ("PP" as const),
    start: i * 100,
    end: (i + 1) * 100,
  }));
  return { sampleRateHz: 1_000, pcm: new Int16Array(seconds * 1_000), words: [word], visemes };
}

function pass(ms: number): void {
  for (const untilMs = nowMs + ms; nowMs < untilMs; nowMs += 10) announcer.tick();
}

const parts = (): SpeechPart[] =>
  sent.filter((message) => "visemes" in message).filter(({ duration }) => duration > 0);
const captions = (): SpeechPart[] =>
  sent.filter((message) => "visemes" in message).filter(({ caption }) => caption !== undefined);
const notices = (): ServerMessage[] => sent.filter((message) => "type" in message);

describe("the announcement of a speech", () => {
  it("first tells each new channel what the time is", () => {
    expect(greeting).toMatchObject([{ speech: 0, duration: 0, sent: 5_000 }]);
    pass(1_000);
    takesParts = false;
    pass(1_000);
    expect(sent).toEqual([]);
    takesParts = true;
    pass(1_000);
    expect(sent).toMatchObject([{ speech: 0, sent: 7_000 }]);
  });

  it("begins with a part that comes again, and says words and number in its notice", () => {
    announcer.announce("Hello", speech(1), true);
    expect(sent).toMatchObject([{ speech: 1, began: 5_000, sent: 5_000, from: 0 }]);
    pass(200);
    const sentAt = [5_000, 5_010, 5_050];
    expect(parts()).toMatchObject(sentAt.map((sentMs) => ({ from: 0, sent: sentMs })));
    const words = [{ text: "Hello", start: 0, end: 901 }];
    expect(notices()).toEqual([
      { type: "stf", data: { message: "Hello", duration: 1_000, words, speech: 1 } },
    ]);
  });

  it("says what captions need beside its notice too, twice and without order", () => {
    announcer.announce("Hello", speech(1), true);
    pass(200);
    const caption = { message: "Hello", duration: 1_000, words: ["Hello"], times: [0, 901] };
    expect(captions()).toMatchObject([
      { speech: 1, sent: 5_010, duration: 0, caption },
      { speech: 1, sent: 5_060, caption },
    ]);
  });

  it("leaves a caption to the notice that is too long for one packet", () => {
    for (const text of ["Hello ".repeat(200), "안녕하세요 ".repeat(70)]) {
      announcer.announce(text, speech(1), true);
      pass(200);
    }
    expect(captions()).toEqual([]);
    expect(notices()).toHaveLength(2);
  });

  it("sends what is needed later a few seconds before that", () => {
    announcer.announce("Hello", speech(60), true);
    pass(1_000);
    const early = parts().at(-1)?.from ?? NaN;
    expect(early).toBeLessThan(10_000);
    pass(59_000);
    expect(parts().at(-1)?.to).toBe(60_000);
    for (const { from, sent: sentMs, began } of parts().slice(3))
      expect(from - (sentMs - began)).toBeGreaterThan(1_500);
  });

  it("stops with the speech, but does not leave its notice out", () => {
    announcer.announce("Hello", speech(60), true);
    announcer.clear();
    pass(60_000);
    expect(parts()).toHaveLength(1);
    expect(notices()).toHaveLength(1);
  });

  it("numbers the speeches", () => {
    announcer.announce("One", speech(1), true);
    pass(1_000);
    announcer.announce("Two", speech(1), true);
    pass(1_000);
    expect(notices()).toMatchObject([{ data: { speech: 1 } }, { data: { speech: 2 } }]);
    expect(parts().map((part) => part.speech)).toEqual([1, 1, 1, 2, 2, 2]);
  });

  it("is the whole notice for a client without that channel, and a short one where the service draws", () => {
    takesParts = false;
    announcer.announce("Hello", speech(1), true);
    expect(sent).toMatchObject([{ type: "stf", data: { visemes: speech(1).visemes } }]);
    takesParts = true;
    announcer.tick();
    sent = [];
    announcer.announce("Hello", speech(1), false);
    pass(1_000);
    expect(sent).toHaveLength(1);
    expect(sent[0]).not.toHaveProperty("data.visemes");
    expect(sent[0]).not.toHaveProperty("data.speech");
  });
});

describe("the notice of a speech", () => {
  const notice = { message: "Hello", duration: 40, words: [{ text: "Hello", start: 0, end: 40 }] };
  const visemes = [{ viseme: "aa", start: 0, end: 40 }] as const;

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

/** A speech of shapes of these lengths, with words of four shapes. */
function speechOf(lengthsMs: readonly number[]): SpeechTimeline & { durationMs: number } {
  let at = 0;
  const viseme = (i: number) => names[i % names.length] ?? "sil";
  const visemes = lengthsMs.map((ms, i) => ({ viseme: viseme(i), start: at, end: (at += ms) }));
  const firsts = visemes.filter((_, i) => i % 4 === 0);
  const words = firsts.map(({ start }, i) => ({ text: `wonderful${i}`, start, end: start + 200 }));
  const loudness = Array.from({ length: Math.ceil(at / 20) }, (_, i) => (i % 50) / 50);
  return { visemes, words, loudness, durationMs: at };
}

const header = { speech: 100_000, began: 1_000_000_000, sent: 1_000_000_000 };

describe("the parts of a speech's timeline", () => {
  it("fit into one packet each, follow each other without gaps, and are what clients accept", () => {
    const lengths = fc.array(fc.double({ min: 5, max: 900, noNaN: true }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(lengths, (lengthsMs) => {
        const { durationMs, ...timeline } = speechOf(lengthsMs);
        const packets = speechPackets(timeline, durationMs);
        expect(packets.at(-1)?.to).toBe(Math.round(durationMs));
        packets.forEach((part, i) => {
          const text = JSON.stringify({ ...header, ...part });
          expect(text.length).toBeLessThan(i === 0 ? 560 : 1_120);
          expect(speechPartSchema.safeParse(JSON.parse(text)).success).toBe(true);
          expect(part.from).toBe(i === 0 ? 0 : packets[i - 1]?.to);
        });
      }),
    );
  });

  it("together say what the speech is", () => {
    const { durationMs, ...timeline } = speechOf(Array.from({ length: 120 }, (_, i) => 40 + (i % 7) * 15));
    const packets = speechPackets(timeline, durationMs);
    expect(packets.length).toBeGreaterThan(1);
    const shapes = packets.map(({ visemes }) => visemes).join("");
    expect(shapes).toBe(timeline.visemes.map(({ viseme, start, end }) => `${viseme}${end - start}`).join(""));
    for (const { from, loudness } of packets)
      Array.from(loudness).forEach((digit, i) => {
        const told = timeline.loudness?.[Math.floor(from / 20) + i] ?? 0;
        expect(Math.abs(loudnessOfDigit(digit) - told)).toBeLessThan(0.02);
      });
    const accents = packets.flatMap((part) => part.accents.map(([start = NaN]) => [part, start] as const));
    expect(accents.length).toBeGreaterThan(3);
    for (const [{ from, to }, start] of accents) expect(start >= from && start < to).toBe(true);
  });

  it("say sil where no shape is, also for a long silence and for speech without shapes", () => {
    const shapes = [{ viseme: "aa", start: 30, end: 100 } as const];
    const [first, ...others] = speechPackets({ visemes: shapes, words: [], loudness: [] }, 60_000);
    expect(first?.visemes).toMatch(/^sil30aa70sil\d+/);
    expect(others.at(-1)?.to).toBe(60_000);
    const silent = speechPackets({ visemes: [], words: [] }, 500);
    expect(silent).toMatchObject([{ from: 0, to: 500, visemes: "sil500" }]);
  });
});
