import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Speech } from "../../../src/client/speech/speech.ts";

const say = (entryId: string, offset: number, text: string): void => {
  speech.enqueue({ entryId, text, placeOf: (place) => offset + place });
};

let speech: Speech;
let captions: string[];

beforeEach(() => {
  vi.useFakeTimers();
  speech = new Speech();
  captions = [];
  speech.events.on("caption", ({ word, index }) => captions.push(`${index}:${word}`));
  speech.events.on("captionend", ({ text }) => captions.push(`end of ${text}`));
});

afterEach(() => {
  speech.reset();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const words = (text: string): { text: string; start: number; end: number }[] =>
  text.split(" ").map((part, index) => ({ text: part, start: index * 300, end: index * 300 + 300 }));
const notice = (message: string): Parameters<Speech["handleNotice"]>[0] => ({
  message,
  duration: words(message).length * 300,
  words: words(message),
});

test("shows each word in its caption at its time, counted from the service's start notice", () => {
  say("a", 0, "one two three");
  vi.advanceTimersByTime(500);
  speech.handleNotice(notice("one two three"));
  expect(captions).toEqual(["0:one"]);
  vi.advanceTimersByTime(299);
  expect(captions).toEqual(["0:one"]);
  vi.advanceTimersByTime(302);
  expect(captions).toEqual(["0:one", "1:two", "2:three"]);
  expect(speech.speaking).toBe(true);
  vi.advanceTimersByTime(300);
  expect(captions.at(-1)).toBe("end of one two three");
  expect(speech.pending).toBe(false);
});

test("a notice that comes twice begins its speech once, and one that comes after the next speech's not at all", () => {
  say("a", 0, "One two. Three four. Five six.");
  const numbered = (message: string, number: number) => ({ ...notice(message), speech: number });
  speech.handleNotice(numbered("One two.", 1));
  vi.advanceTimersByTime(200);
  speech.handleNotice(numbered("One two.", 1));
  vi.advanceTimersByTime(350);
  expect(captions).toEqual(["0:One", "1:two."]);
  speech.handleNotice(numbered("Five six.", 3));
  speech.handleNotice(numbered("Three four.", 2));
  vi.advanceTimersByTime(600);
  expect(captions.slice(2)).toEqual(["end of One two.", "0:Five", "1:six.", "end of Five six."]);
});

test("another connection numbers its speeches anew", () => {
  say("a", 0, "One two.");
  speech.handleNotice({ ...notice("One two."), speech: 7 });
  for (const utterance of speech.takeUnheard(performance.now())) speech.enqueue(utterance);
  speech.handleNotice({ ...notice("two."), speech: 1 });
  expect(speech.speaking).toBe(true);
});

test("says the present sentence to its end, in all its pieces, and nothing of what waited", () => {
  say("a", 0, "First half, second half. Its rest.");
  say("a", 34, "Another one.");
  speech.handleNotice(notice("First half,"));
  vi.advanceTimersByTime(100);
  speech.finishSentence();
  expect([speech.rest, speech.place]).toEqual(["last sentence", { entryId: "a", from: 0, to: 11 }]);
  vi.advanceTimersByTime(600);
  speech.handleNotice(notice("second half."));
  vi.advanceTimersByTime(601);
  expect(captions.at(-1)).toBe("end of second half.");
  expect([speech.rest, speech.pending]).toEqual(["silent", false]);
  speech.handleNotice(notice("Its rest."));
  expect(speech.pending).toBe(false);
});

test("is silent when the next sentence begins before the end of the last one was noticed", () => {
  say("a", 0, "One. Two.");
  speech.handleNotice(notice("One."));
  speech.finishSentence();
  speech.handleNotice(notice("Two."));
  expect([speech.rest, speech.speaking, captions.at(-1)]).toEqual(["silent", false, "end of One."]);
});

test("drops at once what the service has not begun to say", () => {
  say("a", 0, "First piece.");
  speech.finishSentence();
  expect([speech.rest, speech.pending]).toEqual(["silent", false]);
});

test("returns how far each entry was spoken when it is stopped: to the end of the last word begun", () => {
  say("a", 0, "First piece. ");
  say("a", 13, "Second longer piece.");
  say("b", 0, "Not begun.");
  speech.handleNotice(notice("First piece."));
  vi.advanceTimersByTime(600);
  speech.handleNotice(notice("Second longer piece."));
  vi.advanceTimersByTime(301);
  expect(speech.stop()).toEqual(
    new Map([
      ["a", 13 + "Second longer".length],
      ["b", 0],
    ]),
  );
  expect(speech.pending).toBe(false);
});

test("shows no caption for a notice that arrives after speech was stopped", () => {
  say("a", 0, "old words");
  speech.stop();
  speech.handleNotice(notice("old words"));
  expect(captions).toEqual([]);
  expect(speech.speaking).toBe(false);
});

test("follows a text through all the pieces in which the service speaks it", () => {
  say("a", 10, "One two. Three four.");
  speech.handleNotice(notice("One two."));
  vi.advanceTimersByTime(601);
  expect(speech.pending).toBe(true);
  speech.handleNotice(notice("Three four."));
  vi.advanceTimersByTime(1);
  expect(speech.stop()).toEqual(new Map([["a", 10 + "One two. Three".length]]));
});

test("shows captions for speech that this client did not request", () => {
  speech.handleNotice(notice("by itself"));
  vi.advanceTimersByTime(601);
  expect(captions).toEqual(["0:by", "1:itself", "end of by itself"]);
});

test("counts a text that cannot be spoken as shown, and goes on with the next one", () => {
  say("a", 0, "안녕하세요");
  say("b", 0, "hello");
  expect(speech.handleFault("안녕하세요")).toBe(true);
  expect(speech.handleFault("unknown")).toBe(false);
  speech.handleNotice(notice("hello"));
  expect(captions).toEqual(["0:hello"]);
});

test("knows a text that was stopped before the service refused to speak it", () => {
  say("a", 0, "old words");
  speech.stop();
  expect(speech.handleFault("old words")).toBe(true);
});

test("returns the text that was not heard before the connection was lost", () => {
  say("a", 5, "one two three four");
  say("b", 0, "next");
  speech.handleNotice(notice("one two three four"));
  const heardAtMs = performance.now() + 350;
  vi.advanceTimersByTime(900);
  const unheard = speech.takeUnheard(heardAtMs);
  expect(unheard.map(({ entryId, text, placeOf }) => [entryId, placeOf(0), text])).toEqual([
    ["a", 12, " three four"],
    ["b", 0, "next"],
  ]);
  expect(speech.pending).toBe(false);
});

test("pauses captions while no message arrives from the service, then catches up with the voice", () => {
  say("a", 0, "one two three four");
  speech.handleNotice(notice("one two three four"));
  speech.hold(true);
  vi.advanceTimersByTime(700);
  expect(captions).toEqual(["0:one"]);
  speech.hold(false);
  expect(captions).toEqual(["0:one", "1:two", "2:three"]);
});

test("stops waiting for a service that sends nothing", () => {
  say("a", 0, "hello");
  vi.advanceTimersByTime(65_001);
  expect(speech.pending).toBe(false);
});

test("tells which entries cannot be spoken: refused by the service, or never begun", () => {
  const unspoken: string[] = [];
  speech.events.on("unspoken", ({ entryId }) => unspoken.push(entryId));
  say("a", 0, "안녕하세요.");
  expect(speech.handleFault("안녕하세요.")).toBe(true);
  expect(unspoken).toEqual(["a"]);
  say("b", 0, "Nobody speaks this.");
  vi.advanceTimersByTime(65_000);
  expect(unspoken).toEqual(["a", "b"]);
  expect(speech.pending).toBe(false);
});

test("says where the voice is in the transcript, before it begins, at each sentence, and when nothing is left", () => {
  expect(speech.place).toBeNull();
  say("a", 10, "One two. Three four.");
  expect(speech.place).toEqual({ entryId: "a", from: 10, to: 10 });
  speech.handleNotice(notice("One two."));
  expect(speech.place).toEqual({ entryId: "a", from: 10, to: 18 });
  vi.advanceTimersByTime(601);
  expect(speech.place).toEqual({ entryId: "a", from: 18, to: 18 });
  speech.handleNotice(notice("Three four."));
  expect(speech.place).toEqual({ entryId: "a", from: 19, to: 30 });
  vi.advanceTimersByTime(601);
  expect(speech.place).toBeNull();
});
