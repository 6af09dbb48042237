import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ExpectedWords } from "../../../../../src/service/speech/engines/flite/expected-words.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function learner(learn: (words: readonly string[]) => Promise<unknown> = () => Promise.resolve()) {
  const learnt: string[][] = [];
  const words = new ExpectedWords((some) => {
    learnt.push([...some]);
    return learn(some);
  });
  return { learnt, words };
}

test("words are synthesized later, a few at a time and each once", async () => {
  const { learnt, words } = learner();
  const names = Array.from(
    { length: 100 },
    (_, index) => `chair${String.fromCharCode(97 + (index % 26))}${index}`,
  );
  words.add(`${names.join(" ")} ${names[0]}`);
  expect(learnt).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(learnt.every((some) => some.length <= 40)).toBe(true);
  expect(new Set(learnt.flat()).size).toBe(learnt.flat().length);
  expect(learnt.length).toBeGreaterThan(2);
});

test("a text that was prepared before is not synthesized again", async () => {
  const { learnt, words } = learner();
  words.add("A green chair.");
  await vi.advanceTimersByTimeAsync(1_000);
  words.add("A green chair.");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(learnt).toHaveLength(1);
});

test("a failure is ignored, and other texts continue", async () => {
  const { learnt, words } = learner(() => Promise.reject(new Error("no engine")));
  words.add("A green chair.");
  await vi.advanceTimersByTimeAsync(1_000);
  words.add("A blue table.");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(learnt).toHaveLength(2);
});

test("texts that cannot be spoken are skipped, and nothing runs after the end", async () => {
  const { learnt, words } = learner();
  words.add("안녕하세요");
  words.add("A green chair.");
  words.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(learnt.flat()).toEqual([]);
});
