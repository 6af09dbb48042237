import { expect, test } from "vitest";
import { askEarly } from "../../../src/client/voice/turns/ask-early.ts";

/** The questions that were asked early. */
async function asked(
  speech: { busy: boolean } | null,
  voice: unknown,
  load?: Promise<unknown>,
): Promise<string[]> {
  const questions: string[] = [];
  const turns = { askEarly: (question: string) => Promise.resolve(void questions.push(question)) };
  const conversation = {
    speech,
    turnsOf: (text: string) => {
      expect(text).toBe("");
      return load ?? Promise.resolve(turns);
    },
  };
  await askEarly(conversation as unknown as Parameters<typeof askEarly>[0], "Where is it?", voice);
  return questions;
}

test("a question is asked early while the avatar is silent, unless its owner does not want it", async () => {
  expect(await asked({ busy: false }, {})).toEqual(["Where is it?"]);
  expect(await asked(null, {})).toEqual(["Where is it?"]);
  expect(await asked({ busy: true }, {})).toEqual([]);
  expect(await asked({ busy: false }, { begin_early: false })).toEqual([]);
});

test("turns that cannot be loaded fail silently", async () => {
  expect(await asked(null, {}, Promise.reject(new Error("offline")))).toEqual([]);
});
