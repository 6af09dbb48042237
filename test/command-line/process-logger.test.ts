import { expect, test } from "vitest";
import { createProcessLogger } from "../../src/command-line/process-logger.ts";

function written(isTTY: boolean, environment = {}): string {
  const texts: string[] = [];
  const output = { isTTY, write: (text: string) => texts.push(text) };
  const log = createProcessLogger("info", output, environment);
  log.warn("peer closed", { session: "01234567", error: 'bad "thing"\u001b[2J', ms: 3 });
  return texts.join("");
}

test("writes JSON when the output is not a terminal", () => {
  expect(JSON.parse(written(false))).toMatchObject({ level: "warn", message: "peer closed", ms: 3 });
});

test("writes a readable line to a terminal, without control characters", () => {
  expect(written(true, { NO_COLOR: "1" })).toMatch(
    /^\d{2}:\d{2}:\d{2}\.\d{3} WARN {2}peer closed session=01234567 error="bad \\"thing\\"\ufffd\[2J" ms=3\n$/,
  );
});

test("colours the level on a terminal, unless NO_COLOR is set", () => {
  expect(written(true)).toContain("\u001b[33mWARN \u001b[0m");
});
