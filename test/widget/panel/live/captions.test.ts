// @vitest-environment happy-dom
import fc from "fast-check";
import { render } from "lit";
import { describe, expect, it } from "vitest";
import { captionBar, captionStarts, captionWindow } from "../../../../src/widget/panel/live/caption-bar.ts";

describe("caption lines", () => {
  it("separate the spoken words, the current word and the next words", () => {
    expect(captionWindow("Yes. The Alder chair is only 68 centimetres wide.", 2)).toEqual({
      said: "Yes. The",
      now: "Alder",
      next: "chair is only 68 centimetres wide.",
    });
  });

  it("start a new line after the end of a sentence", () => {
    const text = "The Alder chair is only 68 centimetres wide. It comes in three wools.";
    expect(captionWindow(text, 8)).toEqual({ said: "", now: "It", next: "comes in three wools." });
  });

  it("cut a long sentence at a comma", () => {
    const words =
      "We collect it from your home within sixty days of the delivery, and neither the collection nor the way back costs anything at all".split(
        " ",
      );
    expect(words[captionStarts(words)[1]!]).toBe("and");
  });

  it("contain every word of an utterance exactly once, and no other", () => {
    const sentence = fc.array(fc.stringMatching(/^[a-z]{1,12}[.,!]?$/), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(sentence, (words) => {
        const starts = captionStarts(words);
        expect(starts[0]).toBe(0);
        expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
        for (const [index, start] of starts.entries())
          expect(words.slice(start, starts[index + 1]).join(" ").length).toBeLessThanOrEqual(97);
      }),
    );
  });

  it("accept an index behind the last word, and an empty list of words", () => {
    expect(captionWindow("One two", 9)).toEqual({ said: "One", now: "two", next: "" });
    expect(captionWindow("", 0)).toEqual({ said: "", now: "", next: "" });
  });

  it.each([
    { wholeSentences: false, marked: "chair" },
    { wholeSentences: true, marked: undefined },
  ])("mark the word that is said, unless the visitor wants less motion: %o", ({ wholeSentences, marked }) => {
    const content = { kind: "caption", text: "The Alder chair is wide. It is red.", index: 2 } as const;
    const props = { content, locale: "en", wholeSentences } as Parameters<typeof captionBar>[0];
    render(captionBar(props), document.body);
    const caption = document.body.querySelector(".vv-caption");
    expect(caption?.textContent.trim()).toBe("The Alder chair is wide.");
    expect(caption?.querySelector(".now")?.textContent).toBe(marked);
  });
});
