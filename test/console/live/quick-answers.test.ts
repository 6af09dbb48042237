import { expect, test, vi } from "vitest";
import {
  chosenId,
  filledAnswer,
  fittingAnswers,
  handleQuickKey,
} from "../../../src/console/live/quick-answers.ts";

const all = ["Saturday works within 40 km of Graz.", "We take one old piece with us.", "Lendplatz 12, Graz."];

test("a slash shows all quick answers, and each word after it those that have it", () => {
  expect(fittingAnswers("/", all)).toEqual(all);
  expect(fittingAnswers("/graz", all)).toEqual([all[0], all[2]]);
  expect(fittingAnswers("/graz satur", all)).toEqual([all[0]]);
  expect(fittingAnswers("/bench", all)).toEqual([]);
  expect(fittingAnswers("Graz", all)).toEqual([]);
});

test("what is known of the visitor is filled in, and the rest stays to be written", () => {
  const text = "{name}, the {page} is here. {price} {name}";
  expect(filledAnswer(text, { name: "Ana $&", page: "" })).toBe("Ana $&, the {page} is here. {price} Ana $&");
});

test("arrows go around, Enter takes, Escape closes, and other keys write", () => {
  const [move, choose, close] = [vi.fn(), vi.fn(), vi.fn()];
  const press = (key: string, at: number, draft = "/"): boolean =>
    handleQuickKey(key, draft, { all, at, move, choose }, close);
  expect([press("ArrowDown", 0), press("ArrowDown", 2), press("ArrowUp", 0)]).toEqual([true, true, true]);
  expect(move.mock.calls).toEqual([[1], [0], [2]]);
  // Fewer fit than before.
  expect([press("Enter", 2, "/lend"), press("Escape", 0), press("a", 0)]).toEqual([true, true, false]);
  expect(choose.mock.calls).toEqual([["Lendplatz 12, Graz."]]);
  expect(close).toHaveBeenCalledOnce();
  expect([press("Enter", 0, "Hello"), press("Enter", 0, "/help")]).toEqual([false, false]);
  expect(chosenId("/graz", { all, at: 5, move, choose })).toBe("quick-answers-1");
  expect(chosenId("", { all, at: 0, move, choose })).toBeNull();
});
