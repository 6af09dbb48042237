import { expect, test } from "vitest";
import { expiryMs } from "../../../src/command-line/operator/key-commands.ts";

const nowMs = Date.UTC(2026, 5, 1, 12);

test.each([
  ["1", Date.UTC(2026, 5, 2, 12)],
  ["2027", nowMs + 2027 * 86_400_000],
  ["30d", Date.UTC(2026, 6, 1, 12)],
  ["2027-01-31", Date.UTC(2027, 0, 31)],
  ["2027-01-31T08:30", Date.UTC(2027, 0, 31, 8, 30)],
  ["2027-01-31T08:30:00Z", Date.UTC(2027, 0, 31, 8, 30)],
  ["2027-01-31T08:30:00+09:00", Date.UTC(2027, 0, 30, 23, 30)],
])("%s", (text, atMs) => {
  expect(expiryMs(text, nowMs)).toBe(atMs);
});

test.each(["", "soon", "-1", "1.5", "2027-13-01", "2027-02-30", "01/02/2027", "2027-01-31T99:00"])(
  "refuses %j",
  (text) => {
    expect(() => expiryMs(text, nowMs)).toThrow(/is not an expiry/);
  },
);

test.each(["0", "2026-06-01", "2020-01-01"])("refuses %j, which is in the past", (text) => {
  expect(() => expiryMs(text, nowMs)).toThrow(/in the past/);
});
