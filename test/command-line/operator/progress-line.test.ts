import { expect, test } from "vitest";
import { progressLine, progressText, sizeText } from "../../../src/command-line/operator/progress-line.ts";

function written(isTTY: boolean) {
  const texts: string[] = [];
  return { texts, show: progressLine({ isTTY, write: (text) => texts.push(text) }) };
}

test("a terminal's last line is replaced, and ended once", () => {
  const { texts, show } = written(true);
  for (const line of ["1 %", "2 %", null, null]) show(line);
  expect(texts).toEqual(["\r\u001b[2K1 %", "\r\u001b[2K2 %", "\n"]);
});

test("a log gets a line for each 20 %", () => {
  const { texts, show } = written(false);
  for (let percent = 0; percent <= 100; percent++) show(`${percent} %`);
  show(null);
  expect(texts).toEqual(["0 %\n", "20 %\n", "40 %\n", "60 %\n", "80 %\n", "100 %\n"]);
});

test("the bar shows the share, percent and sizes", () => {
  expect(progressText(0, 100_000_000)).toBe("[........................] 0 %  1 kB of 100 MB");
  expect(progressText(50_000_000, 100_000_000)).toBe("[############............] 50 %  50 MB of 100 MB");
  expect(progressText(100_000_000, 100_000_000)).toBe("[########################] 100 %  100 MB of 100 MB");
  expect(progressText(2_500_000, null)).toBe("3 MB");
});

test.each([
  [12_345, "12 kB"],
  [643_854, "644 kB"],
  [127_887_156, "128 MB"],
  [1_300_000_000, "1.3 GB"],
])("%d bytes are shown as %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
