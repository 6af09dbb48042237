import { beforeEach, describe, expect, it } from "vitest";
import type { ServerMessage } from "../../../../src/protocol/session/data-channel.ts";
import type { SpeechPart } from "../../../../src/protocol/speech/speech-part.ts";
import { SpeechAnnouncer } from "../../../../src/service/media/speech/speech-announcer.ts";

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
    expect(parts().map((part) => [part.from, part.sent])).toEqual([
      [0, 5_000],
      [0, 5_010],
      [0, 5_050],
    ]);
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
