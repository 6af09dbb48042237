import { expect, test } from "vitest";
import { eventTerminateReasons } from "../../../src/protocol/session/session-event.ts";
import { visavisLimits } from "../../../src/protocol/visavis-error-code.ts";
import { endOf } from "../../../src/widget/texts/end-texts.ts";
import { canRetry, errorText } from "../../../src/widget/texts/error-texts.ts";
import { pageTexts } from "../../../src/widget/texts/page-texts.ts";

test.each([
  ["busy", "error_limit_busy", true],
  ["open", "error_limit_open", true],
  ["visitor", "error_limit_visitor", false],
  ["day", "error_limit_minutes", false],
  ["quota", "error_quota_exceeded", true],
] as const)(
  "the error page says which limit was reached, and offers another try where it helps: %s",
  (limit, key, again) => {
    expect(errorText("quota_exceeded", limit)).toBe(key);
    expect(canRetry("quota_exceeded", limit)).toBe(again);
  },
);

test("every limit has a text, and a service that names none gets the general one", () => {
  for (const limit of visavisLimits) expect(pageTexts).toHaveProperty(errorText("quota_exceeded", limit));
  expect(errorText("quota_exceeded")).toBe("error_quota_exceeded");
});

test("every end that the service decides has a text; the visitor's own has none", () => {
  for (const reason of [...eventTerminateReasons, "SESSION_EVENT_DAY_LIMIT_REACHED", "idle"])
    expect(pageTexts).toHaveProperty(endOf(reason)?.text ?? "");
  expect(endOf("SESSION_EVENT_OF_ANOTHER_SERVICE")?.text).toBe("ended_by_owner");
  for (const own of ["ended_by_visitor", "page_left", "disposed", undefined]) expect(endOf(own)).toBeNull();
});

test("a conversation cannot be started again where the day's or the owner's time is used up", () => {
  const again = [...eventTerminateReasons, "SESSION_EVENT_DAY_LIMIT_REACHED"].filter(
    (reason) => endOf(reason)?.again === false,
  );
  expect(again).toEqual([
    "SESSION_EVENT_TOTAL_MIN_PER_MONTH_QUOTA_EXCEEDED",
    "SESSION_EVENT_INSUFFICIENT_CREDITS",
    "SESSION_EVENT_DAY_LIMIT_REACHED",
  ]);
});
