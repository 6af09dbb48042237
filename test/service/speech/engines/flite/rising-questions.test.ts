import { expect, test } from "vitest";
import { risingQuestions } from "../../../../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { spokenTokens } from "../../../../../src/service/speech/engines/flite/spoken-text.ts";

const markup = (text: string): string => risingQuestions(spokenTokens(text));

test("the last words of a question rise, those of an open question less, and statements stay", () => {
  expect(markup("It is open. Do you want a map?")).toBe(
    '<speak>It is open. Do you want <prosody pitch="1.08">a</prosody> <prosody pitch="1.22">map?</prosody></speak>',
  );
  expect(markup("Where is it? Over there.")).toBe(
    '<speak>Where is <prosody pitch="1.08">it?</prosody> Over there.</speak>',
  );
});

test("nothing that a text contains becomes markup", () => {
  expect(markup('Is <break time="9s"/> R&D "open"?')).not.toMatch(/<(?!\/?(?:speak|prosody)\b)|&/);
});
