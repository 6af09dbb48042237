import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { SpeechPart } from "../../../src/protocol/speech/speech-part.ts";
import {
  SpeechReader,
  type CaptionNotice,
  type ReadSpeech,
} from "../../../src/widget/drawing/local/speech-reader.ts";

let read: ReadSpeech[];
let captions: CaptionNotice[];
let reader: SpeechReader;

beforeEach(() => {
  [read, captions] = [[], []];
  reader = new SpeechReader(
    (speech) => read.push(speech),
    (notice) => captions.push(notice),
  );
});

/** The service's clock is so far behind the page's, and the shortest way takes so long. */
const [offsetMs, wayMs] = [40_000, 100];

/** A second of a speech that begins at 1,000 of the service's clock. */
function part(index: number, more: Partial<SpeechPart> = {}): SpeechPart {
  const from = index * 1_000;
  return {
    speech: 1,
    began: 1_000,
    sent: 1_000 + index * 10,
    duration: 3_000,
    from,
    to: from + 1_000,
    visemes: "PP100aa900",
    accents: [[from, from + 300, 0.5]],
    loudness: "z".repeat(50),
    ...more,
  };
}

/** A part arrives, so much later than on the shortest way. */
function arrive(sent: SpeechPart, lateMs = 0): void {
  reader.take(JSON.stringify(sent), sent.sent + offsetMs + wayMs + lateMs);
}

const last = (): ReadSpeech | undefined => read.at(-1);

describe("parts of a speech's timeline", () => {
  it("are joined, in whatever order and how often they come", () => {
    const order = fc.shuffledSubarray([0, 0, 1, 1, 2, 2], { minLength: 6 });
    fc.assert(
      fc.property(order, (indexes) => {
        const speeches: ReadSpeech[] = [];
        const any = new SpeechReader(
          (speech) => speeches.push(speech),
          () => undefined,
        );
        for (const index of indexes) any.take(JSON.stringify(part(index)), 41_100 + index * 10);
        const { drawn, durationMs } = speeches.at(-1) ?? {};
        expect(durationMs).toBe(3_000);
        expect(drawn?.visemes.map(({ start, end }) => [start, end])).toEqual([
          [0, 100],
          [100, 1_000],
          [1_000, 1_100],
          [1_100, 2_000],
          [2_000, 2_100],
          [2_100, 3_000],
        ]);
        expect(drawn?.loudness).toEqual(Array.from({ length: 150 }, () => 1));
        expect(drawn?.accents.map(({ start }) => start)).toEqual([0, 1_000, 2_000]);
      }),
    );
  });

  it("say until where the mouth is known", () => {
    arrive(part(0));
    arrive(part(2));
    expect([500, 1_500, 2_500].map((ms) => last()?.covers(ms))).toEqual([true, false, true]);
  });

  it("place a speech as the fastest of them came, once its way is known", () => {
    arrive(part(0));
    expect(last()?.atMs).toBe(1_000 + offsetMs + wayMs);
    arrive(part(0, { speech: 2, began: 9_000, sent: 9_000 }), 900);
    expect(Math.abs((last()?.atMs ?? NaN) - (9_000 + offsetMs + wayMs))).toBeLessThan(2);
  });

  it("place the first speech too, if an empty one came before", () => {
    arrive(part(0, { speech: 0, sent: 500, duration: 0, to: 0, visemes: "" }));
    expect(read).toEqual([]);
    arrive(part(0), 800);
    expect(Math.abs((last()?.atMs ?? NaN) - (1_000 + offsetMs + wayMs))).toBeLessThan(2);
  });

  it("place it anew when a copy shows that it began earlier", () => {
    arrive(part(0), 700);
    arrive(part(0, { sent: 1_050 }));
    expect(read.map(({ atMs }) => atMs - offsetMs - wayMs)).toEqual([1_700, 1_000]);
  });

  it("get the words of their speech, whichever comes first", () => {
    const words = [{ text: "Hello", start: 0, end: 300 }];
    reader.takeWords(1, words);
    arrive(part(0));
    expect(last()?.drawn.words).toEqual(words);
    reader.takeWords(2, []);
    expect(read).toHaveLength(1);
    arrive(part(0, { speech: 2 }));
    reader.takeWords(2, words);
    expect(last()).toMatchObject({ number: 2, drawn: { words } });
  });

  it("bring the caption of each speech once, and none of an earlier one", () => {
    const caption = {
      message: "Hello there",
      duration: 900,
      words: ["Hello", "there"],
      times: [0, 300, 400, 900],
    };
    const empty = { duration: 0, to: 0, visemes: "", loudness: "", caption };
    arrive(part(0, { ...empty, speech: 1 }));
    arrive(part(0, { ...empty, speech: 1 }));
    arrive(part(0, { ...empty, speech: 3 }));
    arrive(part(0, { ...empty, speech: 2 }));
    expect(captions.map(({ speech }) => speech)).toEqual([1, 3]);
    const words = [
      { text: "Hello", start: 0, end: 300 },
      { text: "there", start: 400, end: 900 },
    ];
    expect(captions[0]).toEqual({ message: "Hello there", duration: 900, words, speech: 1 });
    expect(read).toEqual([]);
    reader.restart();
    arrive(part(0, { ...empty, speech: 1 }));
    expect(captions).toHaveLength(3);
  });

  it("keep the words of their speech when a late notice brings those of an earlier one", () => {
    const words = [{ text: "Hello", start: 0, end: 300 }];
    reader.takeWords(2, words);
    reader.takeWords(1, []);
    arrive(part(0, { speech: 2 }));
    expect(last()?.drawn.words).toEqual(words);
  });

  it("do not begin a speech again that was stopped, nor an earlier one", () => {
    arrive(part(0));
    reader.stop();
    arrive(part(1));
    reader.takeWords(1, [{ text: "Hello", start: 0, end: 300 }]);
    expect(read).toHaveLength(1);
    arrive(part(0, { speech: 2 }));
    arrive(part(1));
    expect(read.map(({ number }) => number)).toEqual([1, 2]);
    reader.restart();
    arrive(part(0));
    expect(last()?.number).toBe(1);
  });

  it("are ignored if they are malformed, and shapes of a newer service keep the mouth closed", () => {
    for (const text of ["", "{", "null", "[]", "{}", JSON.stringify({ ...part(0), duration: -1 })])
      reader.take(text, 0);
    reader.take(JSON.stringify(part(0, { visemes: "x".repeat(3_000) })), 0);
    reader.take(new ArrayBuffer(8), 0);
    expect(read).toEqual([]);
    arrive(part(0, { visemes: "whistle400aa600" }));
    expect(last()?.drawn.visemes).toEqual([
      { viseme: "sil", start: 0, end: 400 },
      { viseme: "aa", start: 400, end: 1_000 },
    ]);
  });

  it("do not pile up, however many come", () => {
    for (let index = 0; index < 3_000; index++)
      arrive(part(index, { duration: 3_000_000, sent: 1_000 + index }));
    expect(last()?.drawn.visemes.length).toBeLessThan(200);
    const now = read.length;
    // A long speech goes on all the same: what was said is forgotten.
    arrive(part(2_000, { duration: 3_000_000, sent: 1_999_000 }));
    expect(read).toHaveLength(now + 1);
    expect(last()?.drawn.visemes).toHaveLength(2);
  });
});
