import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Speech } from "../../src/client/speech.ts";

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

test("captions follow the words in time, from the moment that the notice arrives", () => {
  speech.enqueue({ entryId: "a", offset: 0, text: "one two three" });
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

test("stopped, tells how far each entry was spoken: behind the last word begun", () => {
  speech.enqueue({ entryId: "a", offset: 0, text: "First piece. " });
  speech.enqueue({ entryId: "a", offset: 13, text: "Second longer piece." });
  speech.enqueue({ entryId: "b", offset: 0, text: "Not begun." });
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

test("a notice that was on its way when speech was stopped is not shown", () => {
  speech.enqueue({ entryId: "a", offset: 0, text: "old words" });
  speech.stop();
  speech.handleNotice(notice("old words"));
  expect(captions).toEqual([]);
  expect(speech.speaking).toBe(false);
});

test("a text that the service speaks in several pieces is followed through them", () => {
  speech.enqueue({ entryId: "a", offset: 10, text: "One two. Three four." });
  speech.handleNotice(notice("One two."));
  vi.advanceTimersByTime(601);
  expect(speech.pending).toBe(true);
  speech.handleNotice(notice("Three four."));
  vi.advanceTimersByTime(1);
  expect(speech.stop()).toEqual(new Map([["a", 10 + "One two. Three".length]]));
});

test("speech that nobody asked for here has captions all the same", () => {
  speech.handleNotice(notice("by itself"));
  vi.advanceTimersByTime(601);
  expect(captions).toEqual(["0:by", "1:itself", "end of by itself"]);
});

test("a text that cannot be spoken counts as shown, and the next goes on", () => {
  speech.enqueue({ entryId: "a", offset: 0, text: "안녕하세요" });
  speech.enqueue({ entryId: "b", offset: 0, text: "hello" });
  expect(speech.handleFault("안녕하세요")).toBe(true);
  expect(speech.handleFault("unknown")).toBe(false);
  speech.handleNotice(notice("hello"));
  expect(captions).toEqual(["0:hello"]);
});

test("after a lost connection, gives back what was not heard until then", () => {
  speech.enqueue({ entryId: "a", offset: 5, text: "one two three four" });
  speech.enqueue({ entryId: "b", offset: 0, text: "next" });
  speech.handleNotice(notice("one two three four"));
  const heardAtMs = performance.now() + 350;
  vi.advanceTimersByTime(900);
  expect(speech.takeUnheard(heardAtMs)).toEqual([
    { entryId: "a", offset: 12, text: " three four" },
    { entryId: "b", offset: 0, text: "next" },
  ]);
  expect(speech.pending).toBe(false);
});

test("while nothing is heard of the service captions wait, and then catch up with the voice", () => {
  speech.enqueue({ entryId: "a", offset: 0, text: "one two three four" });
  speech.handleNotice(notice("one two three four"));
  speech.hold(true);
  vi.advanceTimersByTime(700);
  expect(captions).toEqual(["0:one"]);
  speech.hold(false);
  expect(captions).toEqual(["0:one", "1:two", "2:three"]);
});

test("does not wait for ever for a service that says nothing", () => {
  speech.enqueue({ entryId: "a", offset: 0, text: "hello" });
  vi.advanceTimersByTime(15_001);
  expect(speech.pending).toBe(false);
});
